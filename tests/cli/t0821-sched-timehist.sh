#!/bin/sh
# perf sched timehist: rows and sums of runs, from assembled files.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/sched-lib.sh"
PID_6=5

# "a" sleeps, is preempted by b and moved to CPU 1, and exits there; b is a thread of process 5
samples() {
	echo 'comm pid=5 tid=5 comm="a" time=1'
	echo 'comm pid=5 tid=6 comm="b" time=2'
	switch 0 0 5:a 1 $IDLE0
	wakes 0 100 $IDLE0 5:a
	switch 0 120 $IDLE0 0 5:a		# off 120, waited 20
	wakes 0 150 5:a 6:b
	switch 0 200 5:a 0 6:b			# ran 80
	switch 1 250 7:x 2 $IDLE1
	moves 1 260 $IDLE1 5:a 0 1
	switch 1 300 $IDLE1 0 5:a		# off 100, waited 100
	switch 0 400 6:b 2 $IDLE0		# ran 200
	switch 1 450 5:a 32 $IDLE1		# ran 150
}
sched_formats
{ sched_events; samples; } | mkdata x.data || exit 1
CHAIN='-128,0xffffffff81000010,0xffffffff81000110,0xffffffff81000210'
{
	sched_events "identifier|ip|tid|time|cpu|raw|period|callchain"
	echo 'mmap pid=-1 tid=-1 addr=0xffffffff81000000 len=0x1000000 filename="[kernel.kallsyms]_text" pgoff=0xffffffff81000000 misc=kernel'
	samples
} | mkdata chains.data || exit 1
CHAIN=
printf "%s t %s\n" ffffffff81000000 __schedule ffffffff81000100 inner ffffffff81000200 outer ffffffff81000300 _end > syms

check 'rows, and all that can be beside them' '
	$PERF sched timehist -i x.data > out
	expect rows out
	$PERF sched timehist -i x.data -V -w -M -n --state --show-prio -P > out
	expect all-columns out'
# the end of a wakeup is recorded on the CPU of the task; b falls asleep between both
check 'a wakeup with a beginning and an end is one row' '
	{
		sched_events
		switch 0 0 5:a 1 $IDLE0
		wakes 1 100 7:x 5:a
		wakes 0 105 $IDLE0 5:a 7
		switch 0 120 $IDLE0 0 6:b
		wakes 1 190 7:x 6:b
		switch 0 200 6:b 1 $IDLE0
		wakes 0 205 $IDLE0 6:b 7
		switch 0 220 $IDLE0 0 6:b	# waited 15
		switch 0 250 6:b 1 $IDLE0
		wakes 0 260 $IDLE0 6:b 7	# its beginning was lost
		switch 0 290 $IDLE0 0 6:b	# waited 30
		switch 0 300 6:b 1 $IDLE0
	} | mkdata twice.data
	$PERF sched timehist -w -i twice.data > out
	expect wakeups out'
check 'sums per thread; of waits; idle times' '
	$PERF sched timehist -s -i x.data > out
	expect summary out
	$PERF sched timehist -s --state -i x.data > out
	expect waits out
	$PERF sched timehist -S -i x.data > out
	says "Runtime summary" out
	says "1.000450 [0001]  a[5] " out
	$PERF sched timehist -s -I -i x.data -x, > out
	says "a[5],-1,1,0.120," out
	says "CPU  0 idle for 0.170 msec" out
	$PERF sched timehist -I -i x.data > out
	test "$(grep -c "<idle>" out)" = 2
	test "$(wc -l < out)" = 5'
check 'call chains without the scheduler itself' '
	$PERF sched timehist -i chains.data --kallsyms syms > out
	says "inner <- outer" out
	silent_about "__schedule" out
	$PERF sched timehist -i chains.data --kallsyms syms --max-stack 1 > out
	says "inner <- outer" out
	$PERF sched timehist -i chains.data --kallsyms syms --max-stack 0 > out
	grep -q "inner$" out
	silent_about "outer" out
	$PERF sched timehist -i chains.data --kallsyms syms --no-call-graph > out
	silent_about "inner" out
	$PERF sched timehist -s -I -i chains.data --kallsyms syms > out
	grep -q "^ *0  *0.120  *1  inner <- outer" out'
# row_times ARGS...: the last digits of the times of rows
row_times() {
	$PERF sched timehist -i x.data "$@" > rows.out || return
	sed 1,3d rows.out | sed "s/ \[.*//; s/.*1.000//" | tr "\n" " "
}
check 'filters' '
	test "$(row_times)" = "000 120 200 250 300 400 450 "
	test "$(row_times -C 1)" = "250 300 450 "
	test "$(row_times -p 5)" = "000 200 400 450 "
	test "$(row_times -t 6)" = "400 "
	test "$(row_times --comm b)" = "400 "
	test "$(row_times --prio 0-99)" = ""
	test "$(row_times --prio 120 --comm b)" = "400 "
	test "$(row_times --time 1.000200,1.000300)" = "200 250 300 "
	$PERF sched timehist -i x.data --time 1.000180, > out
	grep "1.000200" out | finds " 0.020$"'
check 'separated values and lines of JSON' '
	$PERF sched timehist -i x.data -x, -w -M > out
	says "1000200000,0,run,a,5,5,120,120000,20000,80000,0,R,b,6,5,,," out
	says "1000260000,1,migration,swapper,0,0,,,,,,,a,5,5,0,1," out
	awk -F, "NF != 18 { exit 1 }" out
	$PERF sched timehist -i x.data --json > out
	says "{\"type\": \"run\", \"time\": 1000200000, \"cpu\": 0, \"comm\": \"a\", \"tid\": 5, \"pid\": 5, \"prio\": 120, \"wait\": 120000, \"delay\": 20000, \"run\": 80000, \"pre-migration\": 0, \"state\": \"R\", \"next\": {\"comm\": \"b\", \"tid\": 6, \"pid\": 5}}" out
	test "$(wc -l < out)" = 7
	$PERF sched timehist -s -i x.data --json > out
	says "{\"comm\": \"a[5]\", \"parent\": \"-1\", \"sched-in\": 3, \"run-time\": 0.23, " out
	fails_with 129 $PERF sched timehist -S --json -i x.data 2> err'
check 'no time is longer than the recording where switches are missing' '
	{
		sched_events
		switch 1 0 5:a 1 $IDLE1
		wakes 0 1000 7:x 5:a
		switch 1 1100 5:a 1 $IDLE1	# began at its wakeup at the earliest
		switch 1 1300 5:a 1 $IDLE1	# and again, unseen
	} | mkdata holes.data
	$PERF sched timehist -i holes.data > out
	grep "1.001100" out | finds " 1.000 *0.000 *0.100$"
	grep "1.001300" out | finds " 0.000 *0.000 *0.200$"'
