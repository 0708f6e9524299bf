#!/bin/sh
# perf sched: what all its words share, and sched latency, from assembled files; recording, where the kernel
# lets it.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/sched-lib.sh"

# two threads: "a" is woken once and preempted once, "b" is made by a
samples() {
	echo 'comm pid=5 tid=5 comm="a" time=1'
	echo 'comm pid=6 tid=6 comm="b" time=1'
	switch 0 0 7:x 1 $IDLE0
	wakes 0 100 $IDLE0 5:a
	switch 0 110 $IDLE0 0 5:a		# waited 10
	forks 0 120 5:a 6:a
	wakes 0 125 5:a 6:a 4
	ran 0 190 5:a 80000
	switch 0 200 5:a 0 6:b		# b waited 75; a is preempted
	switch 0 300 6:b 1 5:a		# a waited 100
	ran 0 350 5:a 50000
	wakes 1 360 $IDLE1 6:b
	switch 1 400 $IDLE1 0 6:b		# 40
	switch 1 500 6:b 32 $IDLE1
	switch 0 600 5:a 2 $IDLE0
}
sched_formats
{ sched_events; samples; } | mkdata x.data || exit 1

check 'runtime, number of delays, average, maximum and when it was' '
	$PERF sched latency -i x.data > out
	expect latency out
	$PERF sched -i x.data lat > out
	expect latency out'
check 'the same from a pipe, and of the other byte order' '
	cat x.data | $PERF sched latency -i - > out
	expect latency out
	{ echo order big; ENDIAN=1 sched_events; samples; } | mkdata big.data
	$PERF sched latency -i big.data > out
	expect latency out'
# rows ARGS...: task, count, average and maximum in ns
rows() {
	$PERF sched latency -i x.data -x, "$@" > rows.out || return
	grep -v "^#" rows.out | grep . | cut -d, -f1,3,4,5 | tr "\n" " "
}
check 'rows by thread or name, in the order of keys; filters' '
	test "$(rows)" = "b:6,2,57500,75000 a:5,2,55000,100000 "
	test "$(rows -s max)" = "a:5,2,55000,100000 b:6,2,57500,75000 "
	test "$(rows -s runtime,avg)" = "a:5,2,55000,100000 b:6,2,57500,75000 "
	test "$(rows -C 1)" = "b:6,1,40000,40000 "
	test "$(rows --tid 5)" = "a:5,2,55000,100000 "
	test "$(rows --comm b --pid 6)" = "b:6,2,57500,75000 "
	test "$(rows --time 1.000250,1.000450)" = "a:5,1,100000,100000 b:6,1,40000,40000 "
	fails_with 129 $PERF sched latency -i x.data -s nonsense 2> err
	says "nonsense" err'
check 'threads of one name are one row, unless -p asks for each' '
	{
		sched_events
		samples
		switch 0 700 $IDLE0 0 8:b
		switch 0 710 8:b 0 $IDLE0
		switch 0 740 $IDLE0 0 8:b
		switch 0 750 8:b 1 $IDLE0
	} | mkdata two.data
	$PERF sched latency -i two.data -x, -s max > out
	grep -q "^b:(2),0,3,48333,75000," out
	$PERF sched latency -p -i two.data -x, > out
	grep -q "^b:8,0,1,30000," out'
check 'a histogram of all delays' '
	$PERF sched latency -i x.data -H > out
	expect histogram out
	$PERF sched latency -i x.data --hist-mode linear -x, > out
	grep -q "^100000,105000,1,25.00%" out
	fails_with 129 $PERF sched latency -i x.data --hist-mode round 2> err
	says "log or linear" err'
check 'typed values as JSON' '
	$PERF sched latency -i x.data --json > out
	says "\"perf\": \"sched\"" out
	says "{\"task\": \"b:6\", \"runtime\": 0, \"switch\": 2, \"avg\": 57500, \"max\": 75000, \"max-start\": 1000125000, \"max-end\": 1000200000, \"missing\": 0}" out
	fails_with 129 $PERF sched latency -i x.data --json -x, 2> err
	says "exclude each other" err'
check 'runs come from switches where sched_stat_runtime was not recorded' '
	{ sched_events; samples; } | grep -v "id=2 " | mkdata switches.data
	$PERF sched latency -i switches.data -x, > out
	grep -q "^a:5,390000,2," out
	grep -q "^b:6,200000,2," out'
# missing: a switch to b on CPU 0 is not there; b wakes up and never gets a delay
check 'missing switches, missing wakeups and lost events are counted, and make no delay' '
	{
		sched_events
		switch 0 0 7:x 1 $IDLE0
		wakes 0 100 $IDLE0 5:a
		switch 0 400 5:a 1 6:b		# nobody saw a begin
		switch 0 500 6:b 1 $IDLE0
		switch 0 600 $IDLE0 0 6:b	# nobody saw b woken
		switch 0 700 6:b 1 $IDLE0
		echo "lost id=1 lost=9 time=1000800000"
	} | mkdata holes.data
	$PERF sched latency -i holes.data > out
	says "Switches that were not recorded: 1 " out
	says "Wakeups that were not recorded: 1 " out
	says "Events lost while recording: 9" out
	# the loss is told at 1.0008 s
	$PERF sched latency -i holes.data --time 1.0007,1.0009 > out
	says "Events lost while recording: 9" out
	$PERF sched latency -i holes.data --time ,1.0007 > out
	silent_about "Events lost" out
	grep -q "^  a:5 .* 0  *-  *-  *-  *-$" out
	$PERF sched latency -i x.data > out
	silent_about "not recorded" out'
check 'without wakeups the table shows who ran, and says what is missing; a nameless thread is its tid' '
	{
		sched_events
		switch 0 0 7:x 1 5:a
		switch 0 100 5:a 0 9:
		switch 0 150 9: 1 5:a		# a waited 50
		switch 0 400 5:a 1 $IDLE0
	} | mkdata alone.data
	$PERF sched latency -i alone.data > out
	expect without-wakeups out
	$PERF sched latency -i alone.data -x, > out
	grep -q "^:9,50000,0,,,,,0" out
	$PERF sched latency -i alone.data --json > out
	says "\"avg\": null, \"avg-reason\": \"no wait was measured\"" out
	says "\"wakeups\": 0" out
	$PERF sched timehist -s -i alone.data > out
	says "Wakeups: 0 (none was recorded" out'
check 'a file without switches has no answer' '
	mv f1 f1.kept
	sed "s/^name: sched_switch/name: sched_swap/" f1.kept > f1
	{ sched_events; wakes 0 50 6:b 5:a; } | mkdata none.data
	mv f1.kept f1
	for word in latency timehist map waits; do
		fails_with 1 $PERF sched $word -i none.data 2> err
		says "none.data has no event sched:sched_switch" err
		says "perf sched record" err
	done'
check 'what a file lacks is one message' '
	{ sched_events "identifier|ip|tid|raw"; } | mkdata notime.data
	fails_with 1 $PERF sched latency -i notime.data 2> err
	says "recorded without times and CPUs" err
	echo "event cycles" | mkdata other.data
	fails_with 1 $PERF sched latency -i other.data 2> err
	says "other.data has none of the events sched:sched_switch, " err
	says "perf sched record" err
	fails_with 129 $PERF sched 2> err
	fails_with 129 $PERF sched nonsense 2> err
	says "nonsense" err'
check 'absurd CPUs and times that run backwards do no harm' '
	{
		sched_events
		samples
		switch 4294967295 650 5:a 0 6:b
		switch 0 10 5:a 0 6:b
	} | mkdata odd.data
	$PERF sched latency -i odd.data > out 2> err
	says "Events of impossible CPUs: 1" out'
check 'script prints the same file; -D prints records' '
	$PERF sched script -i x.data -F comm,tid,time,event > out
	$PERF script -i x.data -F comm,tid,time,event | same - out
	test "$(wc -l < out)" = 13
	$PERF sched -i x.data script -F tid > out
	test "$(wc -l < out)" = 13
	$PERF sched latency -D -i x.data > out
	says "PERF_RECORD_SAMPLE" out'
check_if ROOT,EVENTS,TRACEFS 'records what the others read, with options of record' '
	$PERF sched record -q -o live.data -- $PERF test -w context_switch_loop 100 > ls.out 2>&1
	$PERF evlist -i live.data > events
	for e in switch wakeup_new migrate_task process_fork; do
		grep -qx "sched:sched_$e" events
	done
	$PERF sched latency -i live.data > out
	grep -q "^Context switches: [1-9]" out'
check 'options before record and script that these would not see are refused' '
	fails_with 129 $PERF sched --json script -i x.data 2> err
	says "options of perf script follow its name" err
	fails_with 129 $PERF sched stats report --time 1,2 2> err'
