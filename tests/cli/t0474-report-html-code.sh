#!/bin/sh
# perf report --html: the code of the hottest functions.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/x86-code-lib.sh"
need X86_CODE

# many: more lines than are kept
{
	x86_code "	# </script><it> \"it\" & 'it'"
	printf '.org 0x20\n.type many, @function\nmany:\n'
	awk 'BEGIN { for (i = 0; i < 3000; i++) print "nop" }'
	echo '.size many, . - many'
} > prog.s
link_x86_code -g
off=$(readelf -lW prog | awk '$1 == "LOAD" && $7 ~ /E/ { print $2; exit }')
mkdata x.data <<END
event cpu-clock config=cpu-clock period=100 ids=1 sample=identifier|ip|tid|time|period flags=sample_id_all|mmap2
event task-clock config=task-clock period=100 ids=2 sample=identifier|ip|tid|time|period flags=sample_id_all
mmap2 tid=100 addr=0x401000 len=0x2000 pgoff=${off:-0x1000} prot=5 flags=2 filename="$PWD/prog" time=1
sample ip=0x401002 tid=100 time=10 period=100 id=1
sample ip=0x401004 tid=100 time=11 period=300 id=1
sample ip=0x40100f tid=100 time=13 period=5 id=1
sample ip=0x401400 tid=100 time=13 period=600 id=1
sample ip=0x401002 tid=100 time=14 period=50 id=2
END
codes() {
	grep -o '^{"event":"[^"]*","name":"[^"]*"' $1 | sed 's/.*event":"//; s/","name":"/ /; s/"$//'
}

check 'functions of at least 1 % have code, the hottest first, of each event' '
	$PERF report -i x.data --html=x.html
	codes x.html | grep -v ^all > names
	printf "%s\n" "cpu-clock many" "cpu-clock _start" "task-clock _start" | same - names
	says "[0,2,\"incl   %eax\",100,1]" x.html
	grep -F ".Lagain: inc" x.html > line
	silent_about "</script>" line
	grep -qF "script>" line'
check 'lines far from samples are left out of long functions' '
	test "$(grep -c "\"nop" x.html)" -lt 80
	grep -q "^\[3,[0-9]*\]" x.html'
check '--html-code bounds the functions; 0 leaves code out' '
	$PERF report -i x.data --html-code 1 --html=one.html
	test "$(codes one.html | wc -l)" = 2
	$PERF report -i x.data --html-code 0 --html=none.html
	says "\"code\":[]" none.html'
check 'a pipe is read once, so there is no code, and the page says why' '
	$PERF report -i - --html=pipe.html < x.data
	says "\"noCode\":\"the recording came through a pipe" pipe.html'
check 'a flame graph alone has no code' '
	$PERF report -i x.data --flamegraph=f.html
	silent_about "\"code\":" f.html'
check_if CHROMIUM 'code by a row, by a frame and by address; keys stay within it' '
	in_browser x.html "
		const rows = () => [...document.querySelectorAll(\".code tr\")];
		const text = r => [...r.cells].map(c => c.textContent).join(\"|\").replace(/\\s+/g, \" \");
		const of = name => [...document.querySelectorAll(\"#functions tr\")].find(r => r.textContent.includes(name));
		say(document.querySelectorAll(\"#functions button.mark\").length);
		of(\"_start\").querySelector(\".mark\").click();
		await drawn();
		say(document.activeElement.className);
		rows().slice(0, 6).forEach(r => say(r.className + \" \" + text(r)));
		say(location.hash.includes(\"function=\"));
		document.activeElement.dispatchEvent(new KeyboardEvent(\"keydown\", { key: \"v\", bubbles: true }));
		say(inverted);
		[...document.querySelectorAll(\"#around button\")].find(b => b.textContent == \"source lines\").click();
		say(rows().filter(r => getComputedStyle(r).display != \"none\").length);
		[...document.querySelectorAll(\"#around button\")].find(b => b.textContent == \"hottest line\").click();
		say(text(document.activeElement));
		select(tree.name.findIndex((_, i) => nameOf(i).includes(\"leaf\")));
		dispatchEvent(new KeyboardEvent(\"keydown\", { key: \"c\" }));
		say(document.querySelector(\".no-code\").textContent);
		say(document.querySelectorAll(\"it\").length);" > out
	expect browser out
	in_browser "x.html#search=nothing&icicle=1&inverted=1" "say(icicle + \" \" + inverted + \" \" + search.value);" > out
	echo "true true nothing" | same - out'
