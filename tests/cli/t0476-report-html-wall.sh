#!/bin/sh
# perf report --html of elapsed time: a lane for each thread, its slices, the critical path; what is chosen.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/sched-lib.sh"

wall_symbols
samples() {
	wall_samples 'a</script>'
}
{
	sched_formats
	sched_events 'identifier|ip|tid|time|cpu|raw|period|callchain'
	samples
} | mkdata made.data || exit 1
page() {
	$PERF report -i made.data --kallsyms syms --html=p.html "$@"
}

check 'slices of a thread follow each other to its end, and add up; any number of threads gives the same page' '
	page --wall
	says "\"tick\":1,\"ticks\":1000000,\"grain\":0" p.html
	says "\"spans\":[6,3]" p.html
	says "\"spanGap\":[0,0,0,0,0,0,0,0,0]" p.html
	says "\"spanLength\":[100000,500000,100000,100000,100000,100000,600000,350000,50000]" p.html
	says "\"spanState\":[0,2,1,0,2,0,0,3,0]" p.html
	says "\"spanBusy\":[]" p.html
	cp p.html one.html
	page --wall -j 3
	cmp one.html p.html'
check 'samples tell where CPU time was spent, and slices still do not overlap' '
	# a is sampled once, after waits that interrupted its CPU time
	{
		echo "event cpu-clock type=software config=cpu-clock period=1000 sample=identifier|ip|tid|time|cpu|raw|period ids=9 flags=sample_id_all"
		sched_formats
		sched_events
		samples | sed "s/chain=[^ ]*//; \$d"
		echo "sample id=9 pid=5 tid=5 cpu=1 ip=0xffffffff81000608 misc=kernel time=1000980000 period=1000"
		switch 1 1000 5:a 32 $IDLE1
	} | mkdata sampled.data
	$PERF report --wall -i sampled.data --kallsyms syms --html=s.html
	says "\"spanGap\":[0,0,0,0,0,0,0,0,0,0]" s.html
	sed -n "s/.*\"spanLength\":\[\(.*\)\].*/\1/p" s.html | tr , "\n" | awk "{ n += \$1 } END { print n }" > sum
	echo 2000000 | same - sum'
check_if CHROMIUM 'a lane for each thread, colored by state down to a pixel' '
	page --wall
	in_browser p.html "
		say([...document.querySelectorAll(\"#heat\")].map(h => h.getBoundingClientRect().height));
		say(laneOrder.map(l => l.name).join(\";\") + \" \" + document.body.dataset.lanesDrawn);
		drawLanes();
		const g = element(\"canvas\", { width: lanes.width, height: lanes.height }).getContext(\"2d\", { willReadFrequently: true });
		const nr = Math.floor(lanesWidth - SPAN_NAMES);
		const colors = tints.rows.map((r, i) => { g.fillStyle = spanColor(i); g.fillRect(0, 0, 1, 1); return [...g.getImageData(0, 0, 1, 1).data].join(); });
		const rowOf = (lane, up) => g.getImageData(SPAN_NAMES, laneTop(lane) + up, nr, 1).data;
		g.drawImage(lanes, 0, 0);
		for (const lane of laneOrder) {
			const row = rowOf(lane, 4), sums = tints.rows.map(() => 0);
			for (let x = 0; x < nr; x++) {
				const at = colors.indexOf([...row.slice(x * 4, x * 4 + 4)].join());
				if (at >= 0)
					sums[at]++;
			}
			/* pixels of each state, in thousandths of the whole time: as they last */
			say(lane.name.slice(0, 1) + \" \" + sums.map((n, i) => n ? tints.rows[i][0] + \" \" + Math.round(n / nr * 200) * 5 : \"\").filter(x => x).join(\"; \"));
		}
		say(document.querySelectorAll(\"it\").length);" > out
	expect lanes out'
check_if CHROMIUM 'a slice is chosen: what it was, and an arrow from its waker; keys go on from there' '
	in_browser p.html "
		const d = document.body.dataset, box = lanes.getBoundingClientRect(), lane = spans.list.find(l => l.tid == 5);
		const at = (time, y) => ({ clientX: box.left + spanX(time), clientY: box.top + y, pointerType: \"mouse\", bubbles: true });
		const click = (time, row) => ["\"pointerdown\"", "\"pointerup\""].forEach(type =>
			lanes.dispatchEvent(new PointerEvent(type, at(time, laneTop(row) + 5))));
		const key = k => lanes.dispatchEvent(new KeyboardEvent(\"keydown\", { key: k, bubbles: true }));
		click(300000, lane);
		drawLanes();
		say(d.span);
		say(d.arrow);
		say(laneText.textContent.split(\"\\n\")[1]);
		key(\"w\");
		drawLanes();
		say(d.span + \" \" + (d.arrow || \"no arrow\"));
		click(850000, lane);
		drawLanes();
		say(d.span + \" \" + (d.arrow || \"no arrow\"));
		key(\"n\");
		say(d.span);
		key(\"Escape\");
		say(d.span + laneText.textContent);" > out
	expect slice out'
check_if CHROMIUM 'a part of the time, a thread, the critical path, states: the flame graph and the table follow' '
	in_browser p.html "
		const d = document.body.dataset, box = lanes.getBoundingClientRect();
		const at = (x, y) => ({ clientX: box.left + x, clientY: box.top + y, pointerType: \"mouse\", bubbles: true });
		const press = (type, x, y) => lanes.dispatchEvent(new PointerEvent(type, at(x, y)));
		const cells = () => [...document.querySelectorAll(\"#functions tbody tr\")].map(r =>
			[...r.cells].slice(0, 3).map(c => c.textContent).join(\" \")).join(\"; \");
		const key = k => lanes.dispatchEvent(new KeyboardEvent(\"keydown\", { key: k, bubbles: true }));
		say(d.sum);
		press(\"pointerdown\", spanX(100000), 30);
		press(\"pointermove\", spanX(300000), 30);
		press(\"pointerup\", spanX(600000), 30);
		await drawn();
		say(d.sum + \" \" + laneText.textContent);
		press(\"pointerdown\", 20, laneTop(laneOrder[0]) + 5);
		press(\"pointerup\", 20, laneTop(laneOrder[0]) + 5);
		await drawn();
		say(d.lane.length + \" \" + d.sum + \" \" + cells());
		say(location.hash.replace(/%[0-9A-F]*/g, \"\"));
		key(\"Enter\");
		say(lookFrom + \" \" + lookTo);
		key(\"Escape\");
		say(d.part + d.sum);
		onlyPath.click();
		await drawn();
		say(d.lane + \" \" + d.sum + \" \" + graph.children[0].map(i => graph.texts[graph.name[i]][0] + graph.total[i]).sort().join(\" \"));
		onlyPath.click();
		stateButtons.children[0].click();
		stateButtons.children[3].click();
		await drawn();
		say(d.lane + d.sum + \" \" + graph.children[0].map(i => graph.texts[graph.name[i]][0] + graph.total[i]).sort().join(\" \"));
		say(location.hash);" > out
	expect chosen out
	in_browser "p.html#from=100000&to=600000&lane=critical+path" "say(document.body.dataset.sum);" > out
	in_browser "p.html#lane=b+6&without=none" "say(document.body.dataset.sum);" >> out
	in_browser "p.html#from=x&to=-1&lane=nobody&left=9&right=1&without=77" "say(document.body.dataset.sum);" >> out
	printf "500000\n1000000\n2000000\n" | same - out'
check_if CHROMIUM 'the critical path is marked in the lanes' '
	in_browser p.html "
		drawLanes();
		const g = element(\"canvas\", { width: lanes.width, height: lanes.height }).getContext(\"2d\", { willReadFrequently: true });
		const match = color(\"match\");
		g.drawImage(lanes, 0, 0);
		say(spans.mark.map(m => m.lane.name.slice(0, 1) + \" \" + m.from + \" \" + m.to).join(\"; \"));
		const pixel = (time, lane) => [...g.getImageData(Math.round(spanX(time)), laneTop(lane) + SPAN_ROW - 2, 1, 1).data].slice(0, 3)
			.map(v => v.toString(16).padStart(2, \"0\")).join(\"\");
		const a = spans.list.find(l => l.tid == 5), b = spans.list.find(l => l.tid == 6);
		say([[300000, b], [300000, a], [850000, a], [850000, b]].map(([time, lane]) => \"#\" + pixel(time, lane) == match));" > out
	printf "b 0 600000; a 600000 1000000\ntrue,false,true,false\n" | same - out'
check 'recordings of the scheduler by other programs: pages are of elapsed time, and say what is missing' '
	# without stacks; then without wake-ups, too; then with stacks
	{ sched_formats; sched_events; samples | sed "s/chain=[^ ]*//"; } > plain.txt
	mkdata plain.data < plain.txt
	$PERF report -i plain.data --html=plain.html
	says "\"spanLength\":[100000,500000,100000,100000,100000,100000,600000,350000,50000]" plain.html
	says "\"spanState\":[0,2,1,0,2,0,0,2,0]" plain.html
	says "Switches have no call chains (record -g)" plain.html
	grep -v "sample id=6" plain.txt | mkdata switches.data
	$PERF report -i switches.data --html=switches.html
	says "\"spanLength\":[100000,600000,100000,100000,100000,600000,350000,50000]" switches.html
	says "[\"wall-missing\",\"Wake-ups are not recorded (sched:sched_waking): waits include waiting for a CPU after them. " switches.html
	page
	says "\"spanState\":[0,2,1,0,2,0,0,3,0]" p.html
	silent_about "Switches have no call chains" p.html
	$PERF report --no-wall -i plain.data --html=samples.html
	silent_about "\"spanLength\":" samples.html
	says "\"slotPeriod\":" samples.html
	# other events are shown as they are
	{ echo "event cpu-clock type=software config=cpu-clock period=1000 sample=identifier|ip|tid|time|cpu|raw|period ids=9 flags=sample_id_all"
	  cat plain.txt; } | mkdata both.data
	$PERF report -i both.data --html=both.html
	silent_about "\"spanLength\":" both.html
	# text is as it was
	$PERF report -i plain.data --stdio > out
	silent_about "wall:slice" out'
check_if CHROMIUM 'pages of such recordings show slices without stacks, and the sentence' '
	in_browser switches.html "
		say(lanesMissing.hidden + \" \" + lanesMissing.textContent);
		pickSpan(spans.list[0].first + 1);
		say(document.body.dataset.span);
		say(laneText.textContent);" > out
	expect missing out'
check_if CHROMIUM 'states that were asked for are shown; a page without slices says nothing wrong' '
	page --wall=idle
	in_browser p.html "say(document.body.dataset.sum);" > out
	page --wall=unknown
	in_browser p.html "say(document.body.dataset.functions + \" \" + lanesBox.hidden + \" \" + partText.textContent);" >> out
	page --critical-path
	in_browser p.html "say(document.body.dataset.sum + \" \" + laneOrder.length);" >> out
	sort > want <<-END
	350000
	0 true There is no timeline: stacks of text have no times.
	1000000 2
	END
	sort out | same want -'
# many STEPS: 10 minutes of 1,000 threads on 8 CPUs, and of one on a CPU of its own, which wakes one of them
# in each step. That gets a CPU 40 us later, and waits again at the end of the step, at one of 5 places
many() {
	step=$((600000000000 / $1))
	echo "$kernel"
	echo 'comm pid=99 tid=99 comm="boss" time=1'
	echo 'repeat 1000'
	echo 'comm pid=100+$i/50*50 tid=100+$i comm="worker" time=1'
	echo end
	switch 8 0 0:swapper/8 0 99:boss
	echo "repeat $1"
	echo "sample id=6 cpu=8 time=1000000001+\$i*$step pid=99 tid=99 chain=-128,0xffffffff81000708" \
		"u16:16 u8:0,0 u32:99 $(comm worker) u32:100+\$i%1000,120,0"
	echo "sample id=1 cpu=\$i%8 time=1000040000+\$i*$step pid=0 tid=0 chain=-128,0xffffffff81000008" \
		"u16:11 u8:0,0 u32:0 $(comm swapper) u32:0,120 u64:0 $(comm worker) u32:100+\$i%1000,120"
	echo "sample id=1 cpu=\$i%8 time=1000000000+\$i*$step+$((step * 9 / 10)) pid=100+\$i%1000/50*50 tid=100+\$i%1000" \
		"chain=-128,0xffffffff81000008,0xffffffff81000108,0xffffffff81000208+\$i%5*256" \
		"u16:11 u8:0,0 u32:100+\$i%1000 $(comm worker) u32:100+\$i%1000,120 u64:1 $(comm swapper) u32:0,120"
	echo end
}
check 'ten minutes of 1,000 threads that switch 120,000 times are a page below 20 MB; no time is lost in it' '
	{
		sched_formats
		sched_events "identifier|ip|tid|time|cpu|raw|period|callchain"
		many 120000
	} | mkdata many.data
	$PERF report --wall -i many.data --kallsyms syms --html=many.html 2> err
	test "$(wc -c < many.html)" -lt 20000000
	sed -n "s/^\"spans\":\[\(.*\)\],/\1/p" many.html | tr , "\n" > lanes
	test "$(wc -l < lanes)" = 1001
	test "$(awk "{ n += \$1 } END { print n }" lanes)" -le 350000'
check_if CHROMIUM 'such a page shows, zooms and sums by looking at few slices' '
	in_browser many.html "
		const d = document.body.dataset, all = d.sum;
		say(laneOrder.length + \" \" + (d.lanesDrawn < 30));
		/* what is drawn again: the lanes in sight; a zoom adds the sum of all threads */
		drawLanes();
		say(d.laneWork < 20000);
		const before = d.laneWork;
		say(spans.at.length > 100000);
		pickPart([0, spans.ticks / 100]);
		say(d.sumWork < 30000);
		look(...spanPart);
		drawLanes();
		say(d.laneWork < 30000);
		pickPart(null);
		say(d.sum == all);
		pickLane(laneOrder[500].name);
		say(d.sumWork < 2000);
		/* those that have nothing to do are left out */
		say(Math.abs(d.sum * 800 / all - 1) < 0.1);
		/* the picture of short slices has all of the time of a thread, too */
		say(spans.cells.nr > 1000);
		look(0, spans.ticks);
		const pixel = pixelsOf(laneOrder[500], 1000), sums = tints.rows.map((r, i) => pixel.filter((_, at) => at % 5 == i).reduce((a, b) => a + b, 0));
		say(Math.abs(sums.reduce((a, b) => a + b, 0) / 1000 - 1) < 0.02);
		say(sums[2] > 900 && sums[0] > 5);" > out
	printf "1001 true\ntrue\ntrue\ntrue\ntrue\ntrue\ntrue\ntrue\ntrue\ntrue\ntrue\n" | same - out'
