#!/bin/sh
# perf report: flame graphs and folded stacks, from assembled files; the page in a browser.
. "$(dirname "$0")/lib.sh"

# frames: main calls work and wait_for<it>; work is called by itself, too
chains() {
	cat <<-\EOF2
	comm tid=7 comm="prog" time=1
	mmap2 tid=7 addr=0x400000 len=0x1000 prot=5 filename="//anon" time=2
	sample tid=7 time=10 period=30 ip=0x400110 chain=-512,0x400110,0x400010
	sample tid=7 time=11 period=20 ip=0x400110 chain=-512,0x400110,0x400120,0x400010
	sample tid=7 time=12 period=40 ip=0x400210 chain=-512,0x400210,0x400010
	sample tid=7 time=13 period=7 ip=0x400f10 chain=-512,0x400f10,0x400010
	sample tid=7 time=14 period=2 ip=0x400f20 chain=-512,0x400f20,0x400010
	sample tid=7 time=15 period=1 ip=0x400010 chain=-512,0x400010
	EOF2
}
mkdir -p fs/tmp
printf '%s\n' '400000 80 main' '400100 80 work' '400200 80 wait_for<it>;"&' > fs/tmp/perf-7.map
export PERF_FS_ROOT="$PWD/fs"
{ echo "event cycles type=hardware config=0 sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2"; chains; } | mkdata x.data || exit 1
{ echo "event cycles type=hardware config=0 sample=ip|tid|time|period flags=sample_id_all|comm|mmap2"; chains | sed 's/chain=.*//'; } | mkdata flat.data

check 'stacks folded: each path once, with its own period' '
	$PERF report -i x.data --folded > out
	expect folded out
	$PERF report -i x.data --folded=file > nothing
	test ! -s nothing
	same out file
	cat x.data | $PERF report -i - --folded | same out -'
check 'without call chains functions are the stacks; keys are the first frames' '
	$PERF report -i flat.data --folded | sort > out
	expect flat out
	$PERF report -i flat.data --flamegraph=flat.svg
	says "<title>work [[JIT] tid 7] 50, 50%</title>" flat.svg
	$PERF report -i x.data --folded -s pid > out
	grep -q "^7:prog;main;work;work 20$\|^7;main;work;work 20$" out || { cat out; false; }
	$PERF report -i x.data --folded --time 0.000000010,0.000000011 | awk "{ n += \$NF } END { exit n != 50 }"'
check 'several events: a stack begins with its event, a page has a graph of each' '
	{ echo "event cycles type=hardware config=0 sample=identifier|ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2 ids=1"
	  echo "event faults type=software config=2 sample=identifier|ip|tid|time|period|callchain ids=2"
	  echo "feature event_desc"; chains; echo "sample id=2 tid=7 time=20 period=5 ip=0x400010 chain=-512,0x400010"; } | mkdata two.data
	$PERF report -i two.data --folded > out
	grep -q "^cycles.*;prog;main;work 30$" out
	grep -q "^faults.*;prog;\[stack no-frame-pointer\];main 5$" out
	$PERF report -i two.data --flamegraph=two.html
	test "$(grep -c "\"event\":" two.html)" = 2
	$PERF report -i two.data --flamegraph=two.svg
	test "$(grep -c "class=\"title\"" two.svg)" = 2
	says ">Flame graph of prog, faults, period 5<" two.svg'
check 'an SVG is well-formed, and each frame tells its share' '
	$PERF report -i x.data --flamegraph=x.svg > out
	test ! -s out
	says "<title>work [[JIT] tid 7] 50, 50%</title>" x.svg
	says "wait_for&lt;it&gt;;&quot;&amp;" x.svg
	$PERF report -i x.data -j 1 --flamegraph=again.svg
	cmp x.svg again.svg
	echo "import xml.dom.minidom" | python3 2> /dev/null || skip "no python3"
	python3 -c "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])" x.svg'
check 'an SVG names program and event; libraries and the kernel have colors of their own' '
	cat > colors.mk <<-END
	event cycles type=hardware config=0 sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
	feature event_desc
	mmap tid=-1 addr=0xffffffff81000000 len=0x1000000 filename="[kernel.kallsyms]_text" misc=kernel
	comm tid=7 comm="prog" time=1
	mmap2 tid=7 addr=0x400000 len=0x1000 prot=5 filename="/none/prog" time=2
	mmap2 tid=7 addr=0x500000 len=0x1000 prot=5 filename="/none/liba.so" time=2
	mmap2 tid=7 addr=0x600000 len=0x1000 prot=5 filename="/none/libb.so" time=2
	sample tid=7 time=10 period=40 ip=0x500010 chain=-512,0x500010,0x400020
	sample tid=7 time=11 period=30 ip=0x600010 chain=-512,0x600010,0x400020
	sample tid=7 time=12 period=20 misc=kernel ip=0xffffffff81000100 chain=-128,0xffffffff81000100,-512,0x400010,0x400020
	sample tid=7 time=13 period=10 ip=0x400010 chain=-512,0x400010
	END
	mkdata colors.data < colors.mk
	$PERF report -i colors.data --flamegraph=colors.svg 2> err
	says "<title>Flame graph of prog, cycles</title>" colors.svg
	# the color of a frame by its title, and of the legend by its text
	frame() { sed -n "s|^<g><title>$1 .*fill=\"\(rgb([0-9,]*)\)\".*|\1|p" colors.svg; }
	for name in "kernel 20.00%" "liba.so 40.00%" "libb.so 30.00%" "prog 10.00%"; do
		grep "class=\"legend\".*>$name<" colors.svg | sed "s/.*fill=.\(rgb([0-9,]*)\).*/\1/" >> legend
	done
	test "$(sort -u legend | wc -l)" = 4
	frame "\[liba.so\]" > a
	frame "\[libb.so\]" > b
	test -s a
	not cmp -s a b
	# a stack end is gray: three equal parts
	frame "stacks are not complete: no frame pointer" > gray
	grep -qx "rgb(\([0-9]*\),\1,\1)" gray
	not grep "\[stack no" colors.svg'
check 'script has it by the name that users know' '
	$PERF script report flamegraph -i x.data
	$PERF report -i x.data --flamegraph=want.html
	cmp want.html flamegraph.html
	$PERF script report flamegraph -i x.data --flamegraph=x2.svg
	cmp x.svg x2.svg'
check 'what it cannot do, it says' '
	fails_with 129 $PERF report -i x.data --flamegraph=x.png 2> err
	says "ends neither with .html nor with .svg" err
	for other in --json -t, -H "-F comm" --mem-mode; do
		fails_with 129 $PERF report -i x.data --flamegraph=y.html $other 2> err
		says "exclude" err
	done
	fails_with 1 $PERF report -i x.data --flamegraph=nowhere/x.html 2> err
	says "cannot create nowhere/x.html" err
	test ! -e y.html'
check 'the name of the file may be a word of its own' '
	$PERF report -i x.data --flamegraph own.svg
	cmp x.svg own.svg
	$PERF report -i x.data --flamegraph own.html
	cmp want.html own.html
	$PERF report -i x.data --html page.html
	says "<title>perf report</title>" page.html
	$PERF report -i x.data --html work
	test -s report.html'
check 'many stacks: the smallest frames are left out, and that is told' '
	{ echo "event cycles type=hardware config=0 sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2"
	  echo "comm tid=8 comm=\"many\" time=1"
	  echo "mmap2 tid=8 addr=0x1000000 len=0x10000000 prot=5 filename=\"//anon\" time=2"
	  echo "repeat 120000"
	  echo "sample tid=8 time=10+\$i period=1+\$i%2 ip=0x1000000 chain=-512,0x1000000+\$i*16"
	  echo end; } | mkdata many.data
	awk "BEGIN { for (i = 0; i < 120000; i++) printf \"%x 10 function_%d\\n\", 16777216 + i * 16, i }" > fs/tmp/perf-8.map
	$PERF report -i many.data --flamegraph=many.html
	grep -q "\"pruned\":60000,\"least\":2" many.html
	test "$(wc -c < many.html)" -lt 8000000
	$PERF report -i many.data --flamegraph=many.svg
	says "are left out" many.svg
	test "$(wc -c < many.svg)" -lt 1000000
	$PERF report -i many.data --folded > out
	test "$(wc -l < out)" = 120000'
check 'a device stays when it cannot be written' '
	mknod full.html c 1 7 && [ -r full.html ] && head -c 1 full.html > out || skip "needs to make a device"
	for option in --html --flamegraph --folded; do
		fails_with 1 $PERF report -i x.data $option=full.html 2> err
		says "cannot write full.html: No space left on device" err
		test -c full.html
	done'
check_if CHROMIUM 'the page in a browser: zooms by click and keys, counts matches, turns, keeps the address' '
	$PERF report -i x.data --flamegraph=x.html
	in_browser x.html "
		const c = document.querySelector(\"canvas\"), s = document.querySelector(\"input\"), d = document.body.dataset;
		const key = k => dispatchEvent(new KeyboardEvent(\"keydown\", { key: k }));
		const pixels = new Set(c.getContext(\"2d\").getImageData(0, 0, c.width, c.height).data);
		say(\"colors \" + (pixels.size > 10));
		await drawn();
		say(d.zoomed + \" \" + d.drawn);
		const box = c.getBoundingClientRect();
		c.dispatchEvent(new MouseEvent(\"click\", { clientX: box.right - 60, clientY: box.bottom - 18 * 3 - 9 }));
		await drawn();
		say(d.zoomed + \" \" + d.drawn + \" \" + location.hash);
		say(document.querySelector(\"#status\").textContent);
		key(\"Backspace\");
		await drawn();
		say(d.zoomed);
		key(\"0\");
		s.value = \"^wo.k\";
		s.dispatchEvent(new Event(\"input\"));
		await drawn();
		say(document.querySelector(\"#found\").textContent + \" \" + d.matches);
		key(\"v\");
		await drawn();
		say(document.querySelector(\"#found\").textContent + \" \" + d.drawn);
		key(\"i\");
		say(location.hash);" > out
	expect browser out
	in_browser "x.html#node=3&search=main&inverted=1" "say(document.body.dataset.zoomed + document.body.dataset.matches)" > out
	test -s out'
check_if CHROMIUM 'a stack that is deep and rare makes no empty picture; a high picture begins with its root' '
	{ echo "event cycles type=hardware config=0 sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2"
	  chains
	  awk "BEGIN { for (i = 0; i < 100; i++) c = c \",0x400110\"
		printf \"sample tid=7 time=20 period=%d ip=0x400110 chain=-512%s\\n\", RARE, c }" RARE=0; } > deep.txt
	sed "s/period=0/period=6000/; s/period=\([2-4]\)0 /period=\1000000 /" deep.txt | mkdata rare.data
	sed "s/period=0/period=5000/" deep.txt | mkdata deep.data
	for name in rare deep; do
		$PERF report -i $name.data --flamegraph=$name.html
		in_browser $name.html "
			if (document.readyState != \"complete\")
				await new Promise(done => addEventListener(\"load\", done));
			await new Promise(done => setTimeout(done, 100));
			await drawn();
			const low = canvas.getBoundingClientRect().bottom;
			say(rows + \" \" + (low > 60 && low <= innerHeight) + \" \" + (scrollY > 0));
			zoom(tree.depth.indexOf(Math.max(...tree.depth)));
			say(rows);"
	done > out
	same - out <<-END
	5 true false
	102
	102 true true
	102
	END
'
check_if CHROMIUM 'languages are colors, as far as names tell them' '
	in_browser "x.html#color=language" "
		say(coloring + \": \" + colorings.language(2));
		for (const name of [\"std::vector<int>::at(int)\", \"operator new(unsigned long)\", \"core::ptr::drop_in_place\",
				    \"<T as core::fmt::Debug>::fmt\", \"a::run::{{closure}}\", \"runtime.mallocgc\", \"main.main\",
				    \"x.org/y/z.(*T).Do\", \"Ljava/lang/String;::hashCode\", \"LazyCompile:*f /a.js:1\", \"py::f:/a.py\",
				    \"main\", \"memcpy@plt\", \"f.part.0 (inlined)\", \"[libc.so.6]\"])
			say(name + \" \" + languageOf(name, \"x\", 0));
		say(languageOf(\"std::f\", \"x\", 1) + languageOf(\"comm\", \"\", 0));" > out
	expect languages out
'
check 'a report as a page: its name, what it excludes' '
	$PERF report -i x.data --html=page.html > out
	test ! -s out
	says "<title>perf report</title>" page.html
	grep -q "^\[\"stacks\",\"{.*complete.*: 0,.*depth-limit" page.html
	$PERF report -i x.data --html
	cmp page.html report.html
	grep -q "\"total\":\[100," report.html
	fails_with 129 $PERF report -i x.data --html=y.html --json 2> err
	says "exclude" err'
check_if CHROMIUM 'its table of functions is sorted, and shows callers and callees' '
	$PERF report -i x.data --html=page.html
	in_browser page.html "
		const cells = () => [...document.querySelectorAll(\"#functions tbody tr\")].map(r =>
			[...r.cells].map(c => c.textContent).join(\" \")).join(\"; \");
		const click = text => [...document.querySelectorAll(\"#functions button\")].find(b => b.textContent == text).click();
		say(cells());
		click(\"Total\");
		say(cells());
		click(\"Function\");
		say(cells());
		click(\"work\");
		await drawn();
		say(document.querySelector(\"#around\").textContent);
		say(document.querySelector(\"#found\").textContent);
		const f = document.querySelector(\"#functions input\");
		f.value = \"wait\";
		f.dispatchEvent(new Event(\"input\"));
		say(document.body.dataset.functions);
		say(document.querySelector(\"th[aria-sort]\").textContent);" > out
	expect page out'
check_if CHROMIUM 'names from the data do nothing in the page' '
	in_browser page.html "say(document.querySelectorAll(\"it\").length);" > out
	echo 0 | same - out'
check_if CHROMIUM 'names of thousands of characters leave room for the rest of the page' '
	mkdir -p long/tmp
	sed "s/ work$/&$(printf "%03000d" 0)/" fs/tmp/perf-7.map > long/tmp/perf-7.map
	PERF_FS_ROOT=$PWD/long $PERF report -i x.data --html=long.html
	in_browser long.html "
		const rows = [...document.querySelectorAll(\"#functions tbody tr\")];
		const long = rows.find(r => r.textContent.includes(\"work0\"));
		const name = long.querySelector(\"button\");
		say(name.textContent.length + \" of \" + name.title.length);
		say(long.offsetHeight < 100 && long.cells[3].offsetWidth >= 90);
		select([...Array(tree.nr).keys()].find(i => nameOf(i).startsWith(\"work0\")));
		say(status.offsetHeight < 120 && /^[0-9.]* % of all/.test(status.textContent));
		showAround(frameKey(selected));
		say(around.getBoundingClientRect().top >= document.querySelector(\"header\").getBoundingClientRect().bottom);
		search.value = \"^wait\";
		find();
		say(count.textContent);" > out
	cat <<-END | same - out
	162 of 3004
	true
	true
	true
	40.00 % in 1 frame
	END
'
check_if EVENTS 'perf script record flamegraph, as the script of others is called, records call chains' '
	$PERF script record flamegraph -q -e cpu-clock:u -o rec.data -- $PERF test -w noploop 0.2
	$PERF script report flamegraph -i rec.data --flamegraph=rec.html
	says noploop rec.html
	$PERF evlist -v -i rec.data > out
	says CALLCHAIN out
'
check_if EVENTS 'perf script flamegraph records a command and writes the picture, without a file between' '
	$PERF script flamegraph -q -e cpu-clock:u -- sh -c "echo hello; $PERF test -w noploop 0.2" > out 2> err
	says hello err		# a recorder that writes to a pipe leaves it to that
	says noploop flamegraph.html
	rm flamegraph.html
	fails_with 129 $PERF script flamegraph -e no-such-event true > out 2> err
	says "event '"'no-such-event'"' not found" err
	not test -e flamegraph.html -o -e perf.data
'
