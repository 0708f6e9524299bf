#!/bin/sh
# perf report --html: when samples happened: slots of stacks, lanes of CPUs and threads, a part of the time.
. "$(dirname "$0")/lib.sh"

mkdir -p fs/tmp
printf '%s\n' '400000 80 main' '400100 80 work' '400200 80 wait_for<it>;"&' > fs/tmp/perf-7.map
export PERF_FS_ROOT="$PWD/fs"
# the first second is work, the second one waits
samples() {
	cat <<-\EOF2
	comm tid=7 comm="prog</script><it>" time=1
	mmap2 tid=7 addr=0x400000 len=0x1000 prot=5 filename="//anon" time=2
	sample tid=7 cpu=0 time=1000000000 period=30 ip=0x400110 chain=-512,0x400110,0x400010
	sample tid=7 cpu=0 time=1400000000 period=20 ip=0x400110 chain=-512,0x400110,0x400010
	sample tid=7 cpu=1 time=2100000000 period=40 ip=0x400210 chain=-512,0x400210,0x400010
	sample tid=8 cpu=1 time=2900000000 period=10 ip=0x400010 chain=-512,0x400010
	EOF2
}
# file NAME FIELDS: the samples with these fields
file() {
	case $2 in *callchain*) keep='' ;; *) keep='s/chain=.*//' ;; esac
	{ echo "event cycles type=hardware config=0 sample=$2 flags=sample_id_all|comm|mmap2"; samples | sed "$keep"; } | mkdata $1
}
file x.data 'ip|tid|time|cpu|period|callchain' || exit 1
# list NAME PAGE: the numbers of a list of the page, one a line
list() {
	sed -n "s/.*\"$1\":\[\([0-9,]*\)\].*/\1/p" $2 | tr , '\n' | grep .
}
sum() {
	list $1 $2 | awk '{ n += $1 } END { print n + 0 }'
}

check 'slots add up to the total, with any number of threads, with and without call chains' '
	$PERF report -i x.data --html=x.html
	test "$(sum slotPeriod x.html)" = 100
	test "$(sum self x.html)" = 100
	$PERF report -i x.data -j 3 --html=again.html
	cmp x.html again.html
	file flat.data "ip|tid|time|cpu|period"
	$PERF report -i flat.data --html=flat.html
	test "$(sum slotPeriod flat.html)" = 100
	$PERF report -i x.data --comms :8 --html=part.html
	test "$(sum slotPeriod part.html)" = 10'
check 'lanes of CPUs and threads have all samples' '
	says "\"start\":1000000000,\"column\":20000000,\"columns\":96,\"rows\":20,\"wantedRows\":20" x.html
	says "{\"kind\":\"CPU\",\"name\":\"0\",\"others\":0,\"nr\":2," x.html
	says "{\"kind\":\"CPU\",\"name\":\"1\",\"others\":0,\"nr\":2," x.html
	grep -q "{\"kind\":\"thread\",\"name\":\"prog.* 7\",\"others\":0,\"nr\":3," x.html
	test "$(sum columns x.html)" = 8'
check 'a flame graph alone has no times' '
	$PERF report -i x.data --flamegraph=f.html
	silent_about "\"slotPeriod\"" f.html
	silent_about "\"missing\"" f.html'
check 'one sample, no CPU, no time' '
	{ echo "event cycles type=hardware config=0 sample=ip|tid|time|period flags=sample_id_all|comm|mmap2"
	  echo "sample tid=7 time=18446744073709551614 period=5 ip=0x400110"; } | mkdata one.data
	$PERF report -i one.data --html=one.html
	says "\"columns\":1," one.html
	test "$(sum slotPeriod one.html)" = 5
	says "no timeline of CPUs: the samples were recorded without CPU" one.html
	file timeless.data "ip|tid|cpu|period|callchain"
	$PERF report -i timeless.data --html=timeless.html
	says "There is no timeline: the samples were recorded without times." timeless.html
	silent_about "\"slotPeriod\"" timeless.html
	printf "main;work 5\n" > stacks.txt
	$PERF report -i stacks.txt --html=stacks.html
	silent_about "\"slotPeriod\"" stacks.html'
check 'the whole range of times fits' '
	{ echo "event cycles type=hardware config=0 sample=ip|tid|time|period flags=sample_id_all|comm|mmap2"
	  echo "sample tid=7 time=1 period=5 ip=0x400110"
	  echo "sample tid=7 time=18446744073709551614 period=6 ip=0x400110"; } | mkdata wide.data
	$PERF report -i wide.data --html=wide.html
	test "$(sum slotPeriod wide.html)" = 11
	test "$(list slotAt wide.html | wc -l)" = 2'
check 'many threads: the busiest have a lane, the others share one; many slots become fewer' '
	{ echo "event cycles type=hardware config=0 sample=ip|tid|time|cpu|period|callchain flags=sample_id_all|comm|mmap2"
	  echo "repeat 500000"
	  echo "sample tid=100+\$i%50 cpu=\$i%3 time=1000+\$i*100 period=1 ip=0x1000+\$i%600 chain=-512,0x1000+\$i%600"
	  echo end; } | mkdata many.data
	printf "%s\n" "0 10 none" > fs/tmp/perf-100.map
	$PERF report -i many.data -s tid,sym --html=many.html
	says "{\"kind\":\"thread\",\"name\":\"others\",\"others\":18,\"nr\":180000," many.html
	test "$(sum slotPeriod many.html)" = 500000
	test "$(list slotAt many.html | wc -l)" -le 400000
	test "$(wc -c < many.html)" -lt 8000000
	$PERF report -i many.data -s tid,sym -j 3 --html=again.html
	cmp many.html again.html'
check 'lanes that need too much are dropped before frames are; the page says so' '
	says "\"slotCpu\"" many.html
	{ echo "event cycles type=hardware config=0 sample=ip|tid|time|cpu|period flags=sample_id_all|comm|mmap2"
	  echo "mmap2 tid=9 addr=0x1000 len=0x1000 prot=5 filename=\"//anon\" time=2"
	  echo "repeat 450000"
	  echo "sample pid=9 tid=100+\$i%53 cpu=\$i%7 time=1000+\$i*100 period=1 ip=0x1000+\$i%601"
	  echo end; } | mkdata lanes.data
	for i in $(seq 0 600); do printf "%x 1 f%d\n" $((0x1000 + i)) $i; done > fs/tmp/perf-9.map
	$PERF report -i lanes.data -s sym --html=lanes.html
	silent_about "\"slotCpu\"" lanes.html
	says "\"rows\":5,\"wantedRows\":20" lanes.html
	test "$(sum slotPeriod lanes.html)" = 450000'
check_if CHROMIUM 'where lanes cannot be chosen they are drawn, and have no buttons' '
	in_browser "lanes.html#lane=CPU+1" "say(document.querySelectorAll(\"button.name\").length);
		say(document.querySelectorAll(\".lane\").length > 30); say(document.querySelector(\"#lane-list p\").textContent);
		say(document.body.dataset.sum);" > out
	expect no-lanes out
'
check_if CHROMIUM 'a part of the time: by mouse, by keys, by address; the flame graph and the table follow' '
	$PERF report -i x.data --html=x.html
	in_browser x.html "
		const h = document.querySelector(\"#heat\"), d = document.body.dataset, box = h.getBoundingClientRect();
		const at = x => ({ clientX: box.left + box.width * x, clientY: box.top + 2, pointerType: \"mouse\", bubbles: true });
		const key = (k, shiftKey) => h.dispatchEvent(new KeyboardEvent(\"keydown\", { key: k, shiftKey, bubbles: true }));
		const cells = () => [...document.querySelectorAll(\"#functions tbody tr\")].map(r =>
			[...r.cells].slice(0, 3).map(c => c.textContent).join(\" \")).join(\"; \");
		const ink = c => new Set(c.getContext(\"2d\").getImageData(0, 0, c.width, c.height).data).size > 4;
		say(ink(h) + \" \" + [...document.querySelectorAll(\".lane canvas\")].map(ink));
		say([...document.querySelectorAll(\".lane .name\")].map(e => e.textContent).join(\"; \"));
		say(d.sum + \" \" + d.drawn);
		h.dispatchEvent(new PointerEvent(\"pointerdown\", at(0)));
		h.dispatchEvent(new PointerEvent(\"pointermove\", at(0.3)));
		h.dispatchEvent(new PointerEvent(\"pointerup\", at(0.5)));
		await drawn();
		say(d.part + \" \" + d.sum + \" \" + d.drawn + \" \" + location.hash);
		say(document.querySelector(\"#part\").textContent);
		say(cells());
		key(\"Escape\");
		await drawn();
		say(d.part + d.sum);
		key(\"End\");
		say(document.querySelector(\"#part\").textContent);
		key(\"Home\");
		key(\"ArrowDown\", true);
		await drawn();
		say(d.part + \" \" + d.sum);
		say(document.querySelectorAll(\"it\").length);" > out
	expect browser out
	in_browser "x.html#from=1000&to=1919" "say(document.body.dataset.sum);" > out
	echo 50 | same - out
	in_browser "x.html#inverted=1&icicle=1&search=work&from=1000&to=1919&node=1" \
		"say([document.body.dataset.sum, tree.total[zoomed], zoomed, icicle, search.value]);" > out
	echo 50,10,1,true,work | same - out
	in_browser "x.html#from=-5&to=99999999" "say(document.body.dataset.sum);" > out
	echo 100 | same - out'
check_if CHROMIUM 'a CPU or thread: by click, by key, by address; and all of them again' '
	in_browser x.html "
		const d = document.body.dataset, buttons = [...document.querySelectorAll(\"button.name\")];
		const cells = () => [...document.querySelectorAll(\"#functions tbody tr\")].map(r =>
			[...r.cells].slice(0, 3).map(c => c.textContent).join(\" \")).join(\"; \");
		const lane = document.querySelectorAll(\".lane canvas\")[1], box = lane.getBoundingClientRect();
		const at = x => ({ clientX: box.left + box.width * x, clientY: box.top + 2, pointerType: \"mouse\", bubbles: true });
		const press = (type, x) => lane.dispatchEvent(new PointerEvent(type, at(x)));
		const heat = heats.length;
		say(buttons.map(b => b.textContent).join(\"; \"));
		press(\"pointerdown\", 0.9);
		press(\"pointerup\", 0.9);
		await drawn();
		say(d.lane + \": \" + d.sum + \" \" + location.hash + \" \" + heats.reduce((a, b) => a + b));
		say(cells());
		say(document.querySelector(\"#part\").textContent);
		press(\"pointerdown\", 0);
		press(\"pointermove\", 0.6);
		press(\"pointerup\", 0.6);
		await drawn();
		say(d.lane + \": \" + d.part + \" \" + d.sum);
		document.querySelector(\"#heat\").dispatchEvent(new KeyboardEvent(\"keydown\", { key: \"Escape\", bubbles: true }));
		say(d.lane + \": \" + d.part + d.sum);
		buttons[3].focus();
		buttons[3].click();
		say(document.activeElement.textContent + \": \" + d.sum + \" \" + buttons.map(b => b.getAttribute(\"aria-pressed\")));
		buttons[3].click();
		await drawn();
		say(d.lane + \": \" + d.sum + location.hash);
		say(d.drawn);" > out
	expect lanes out
	in_browser "x.html#lane=CPU+1&from=0&to=1250" "say(document.body.dataset.sum);" > out
	in_browser "x.html#lane=CPU+7" "say(document.body.dataset.sum + document.body.dataset.lane);" >> out
	printf "40\n100\n" | same - out
'
check_if CHROMIUM 'without times the page says so, and the rest of it works' '
	in_browser timeless.html "say(document.querySelector(\"#part\").textContent); say(document.querySelector(\"#heat\").hidden);
		say(document.body.dataset.functions > 0);" > out
	expect timeless out
	in_browser stacks.html "say(document.body.dataset.functions + document.querySelector(\"#part\").textContent);" > out
	expect stacks out'
check_if CHROMIUM 'what was recorded, when and how much; libraries have a legend; stacks stand in the order of time' '
	{
		echo "event cycles type=hardware config=0 sample=ip|tid|time|cpu|period|callchain flags=sample_id_all|comm|mmap2"
		samples
		echo "sample tid=7 cpu=0 time=3000000000 period=50 ip=0x400110 chain=-512,0x400110,0x400010"
		echo "feature hostname str:\"box\""
		echo "feature osrelease str:\"6.1.0\""
	} | mkdata s.data
	touch -d @1700000000 s.data
	$PERF report -i s.data --html=s.html
	in_browser s.html "
		document.querySelectorAll(\"#summary div\").forEach(d => say([...d.children].map(c => c.textContent).join(\": \")));
		say([...document.querySelectorAll(\".legend span\")].map(s => s.textContent).join(\"; \"));
		const button = [...document.querySelectorAll(\"button\")].find(b => b.textContent == \"time order\");
		button.click();
		await drawn();
		say(button.getAttribute(\"aria-pressed\") + \" \" + location.hash);" > out
	expect summary out'
