#!/bin/sh
# perf sched timehist, map, waits --timeline: what CPUs and threads did, as pictures, from assembled files;
# the page in a browser.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/sched-lib.sh"

printf "ffffffff810000%s\n" "00 t __schedule" "10 t nanosleep" "20 t _end" > syms
samples() {
	echo 'mmap pid=-1 tid=-1 addr=0xffffffff81000000 len=0x1000000 filename="[kernel.kallsyms]_text" pgoff=0xffffffff81000000 misc=kernel'
	echo 'comm pid=5 tid=5 comm="a" time=1'
	echo 'comm pid=5 tid=6 comm="b" time=2'
	CHAIN=-128,0xffffffff81000008,0xffffffff81000018
	switch 0 0 6:b 1 7:c			# b sleeps
	switch 1 100 5:a 2 $IDLE1		# a is blocked
	CHAIN=
	wakes 0 300 7:c 6:b
	switch 0 500 7:c 0 6:b			# c is preempted
	wakes 0 600 6:b 5:a
	switch 1 650 $IDLE1 0 5:a
	switch 1 900 5:a 32 $IDLE1
	switch 0 1000 6:b 1 7:c
	switch 0 1200 7:c 1 $IDLE0
}
sched_formats
{ sched_events "identifier|ip|tid|time|cpu|raw|period|callchain"; samples; } | mkdata x.data || exit 1

# slices FILE: "TRACK NAME FROM DURATION BY" of each slice of a trace, in microseconds since the first event
slices() {
	python3 -c "
import json, sys
events = json.load(open(sys.argv[1]))['traceEvents']
names = {}
for e in events:
    if e['ph'] == 'M' and e['name'] == 'thread_name':
        names[e['pid'], e['tid']] = e['args']['name']
first = min(e['ts'] for e in events if e['ph'] == 'X')
for e in sorted((e for e in events if e['ph'] == 'X'), key = lambda e: (names[e['pid'], e['tid']], e['ts'])):
    print(names[e['pid'], e['tid']], e['name'], round(e['ts'] - first, 3), round(e['dur'], 3), e['args'].get('label', ''), e['args'].get('by', ''))" "$1"
}
have_PYTHON() {
	echo "import json" | python3 2> /dev/null || { echo "no python3 with its json module"; return 1; }
}
check_if PYTHON 'states of threads, what CPUs ran, who woke them, where they slept' '
	$PERF sched timehist -i x.data --kallsyms syms --timeline x.json > out
	test ! -s out
	slices x.json | sed "s/ *$//" > slices
	expect slices slices'
check_if PYTHON 'the same from the other words, from a pipe and of the other byte order' '
	$PERF sched timehist -i x.data --kallsyms syms --timeline x.json
	slices x.json > want.slices
	$PERF sched map -i x.data --timeline map.svg
	$PERF sched waits -i x.data --kallsyms syms --timeline waits.svg
	$PERF sched timehist -i x.data --kallsyms syms --timeline x.svg
	cmp waits.svg x.svg
	grep -q "<svg" map.svg
	cat x.data | $PERF sched timehist -i - --kallsyms syms --timeline pipe.svg
	cmp pipe.svg x.svg
	{ echo order big; ENDIAN=1 sched_events "identifier|ip|tid|time|cpu|raw|period|callchain"; samples; } | mkdata big.data
	$PERF sched timehist -i big.data --kallsyms syms --timeline big.json
	slices big.json | same want.slices -'
check_if PYTHON 'filters of threads, CPUs and times' '
	$PERF sched timehist -i x.data --tid 5 --timeline a.json
	slices a.json > a
	silent_about "b:6 " a
	says "CPU 1 a 550.0 250.0" a
	$PERF sched timehist -i x.data --cpu 1 --timeline c.json
	slices c.json > c
	silent_about "CPU 0" c
	says "CPU 1" c
	$PERF sched timehist -i x.data --time 1.0003,1.0005 --timeline t.json
	slices t.json > t
	says "b:6 Waiting for a CPU 0.0 200.0" t
	says "CPU 0 c 0.0 200.0" t
	silent_about "CPU 0 b" t
	fails_with 1 $PERF sched timehist -i x.data --comm nobody --timeline n.svg 2> err
	says "no events to draw, or filters keep none" err
	test ! -e n.svg'
check 'one word at a time: wrong names of files, other outputs' '
	fails_with 1 $PERF sched timehist -i x.data --timeline x.png 2> err
	says "does not say what kind of picture" err
	fails_with 129 $PERF sched timehist -i x.data --json --timeline x.svg 2> err
	says "exclude each other" err
	fails_with 129 $PERF sched map -i x.data -x, --timeline x.svg 2> err'
check 'many events: the picture stays small and says what was merged' '
	{ sched_events; echo "repeat 200000"
	  for t in "0 6:b 7:c" "1000 7:c 6:b"; do
		set -- $t
		echo "sample id=1 cpu=0 time=1000000000+\$i*2000+$1 tid=${2%%:*} pid=${2%%:*} u16:11 u8:0,0 u32:${2%%:*} $(comm ${2#*:}) u32:${2%%:*},120 u64:1 $(comm ${3#*:}) u32:${3%%:*},120"
	  done
	  echo end; } | mkdata many.data
	$PERF sched timehist -i many.data --timeline many.html
	grep -q "spans that together are shorter than [0-9.]* [mu]s are shown as one" many.html
	test "$(wc -c < many.html)" -lt 6000000'
check_if CHROMIUM 'the page in a browser: draws, finds a thread, needs nothing' '
	$PERF sched timehist -i x.data --kallsyms syms --timeline x.html
	in_browser x.html "
		const c = document.querySelector(\"canvas\"), s = document.querySelector(\"input\");
		const pixels = new Set(c.getContext(\"2d\").getImageData(0, 0, c.width, c.height).data);
		say(\"colors \" + (pixels.size > 10));
		say(document.body.dataset.from + \"-\" + document.body.dataset.to);
		s.value = \"^b:6\";
		s.dispatchEvent(new Event(\"input\"));
		await drawn();
		dispatchEvent(new KeyboardEvent(\"keydown\", { key: \"n\" }));
		say(document.querySelector(\"#status\").textContent);" > out
	expect browser out'
