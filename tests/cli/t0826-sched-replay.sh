#!/bin/sh
# perf sched replay: threads that run, sleep and wake each other as recorded, from an assembled file.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/sched-lib.sh"

{
	sched_formats
	sched_events
	switch 0 0 9:x 1 5:a
	wakes 0 1000 5:a 6:b		# after 1 ms, a wakes b
	switch 1 1010 $IDLE1 0 6:b
	switch 0 3000 5:a 1 $IDLE0	# and runs 2 ms more
	wakes 1 4010 6:b 5:a		# b ran 3 ms, and wakes a
	switch 1 4020 6:b 1 $IDLE1
	switch 0 4030 $IDLE0 0 5:a
	switch 0 5030 5:a 1 $IDLE0	# 1 ms
	wakes 0 9030 $IDLE0 5:a		# a timer
	switch 0 9040 $IDLE0 0 5:a
	switch 0 9540 5:a 32 $IDLE0
} | mkdata x.data || exit 1

check 'what will be done, and the repetitions' '
	$PERF sched replay -r 2 -i x.data > out
	sed "/^#[0-9]/d" out > plan
	expect plan plan
	test "$(grep -c "^#[12]  : [0-9.]*, ravg: [0-9.]*, cpu: [0-9.]* / [0-9.]*$" out)" = 2'
# a runs 4.5 ms and b 3.01 ms of CPU time; b begins after 1 ms of a, and a sleeps 4 ms at the end
check 'a replay takes the time that the threads ran, and that they slept' '
	$PERF sched replay -r 1 -i x.data -x, > out
	awk -F, "/^1,/ { found = \$2 >= 9.5 && \$3 >= 7.5 } END { exit !found }" out
	$PERF sched replay -r 1 -i x.data --json > out
	says "{\"type\": \"repetition\", \"number\": 1, \"elapsed-us\": " out'
check 'filters choose threads; a waker that is left out is a sleep' '
	$PERF sched replay -r 1 -i x.data --tid 6 > out
	says "nr_wakeup_events: 0" out
	says "b:6" out
	silent_about "a:5" out
	$PERF sched replay -r 1 -i x.data --comm nobody > out
	says "nr_run_events:    0" out'
check 'too many threads are refused' '
	{
		sched_events
		i=0
		while [ $i -lt 520 ]; do
			i=$((i + 1))
			switch 0 $((i * 10)) $((i + 99)):t 0 $((i + 100)):t
		done
	} | mkdata many.data
	fails_with 1 $PERF sched replay -i many.data > out 2> err
	says "at most 512" err
	says "choose some with --comm" err'
