#!/bin/sh
# perf kwork -b: times of work that BPF programs add up.
. "$(dirname "$0")/lib.sh"

check 'options that need a recording' '
	fails_with 129 $PERF kwork timehist -b 2> err
	says "timehist shows each work, and -b only sums" err
	fails_with 129 $PERF kwork report -b --time 1,2 true 2> err
	says "--time has no meaning with -b" err
	fails_with 129 $PERF kwork report true 2> err
	says "unexpected argument" err'

have_COUNTING() {
	$PERF kwork report -b true > /dev/null 2> counting.log || { sed -n "s/^Error: //p" counting.log; return 1; }
}
check_if ROOT,BPF,TRACEFS,COUNTING 'softirqs that ran: the sum is not less than the largest' '
	$PERF kwork report -b -k softirq -x, $PERF test -w thloop 0.3 4 > out 2> err
	grep "^(s)TIMER:1," out || grep "^(s)" out
	silent_about "(w)" out
	$PERF kwork report -b -k softirq --json $PERF test -w thloop 0.3 4 > out
	grep "\"count\": [1-9]" out'
check_if ROOT,BPF,TRACEFS,COUNTING 'how long softirqs waited, and totals' '
	$PERF kwork latency -b -k softirq $PERF test -w thloop 0.3 4 > out 2> err
	grep "(s)" out
	$PERF kwork report -b -S $PERF test -w thloop 0.3 4 > out 2> err
	grep "Total time span (msec) : [1-9]" out'
check_if ROOT,BPF,TRACEFS,COUNTING 'CPU time of a task that loops' '
	$PERF kwork top -b -n perf --json $PERF test -w noploop 0.5 > out
	grep -E "\"runtime\": [0-9]{8,}" out'
check_if ROOT,BPF,TRACEFS,COUNTING 'other users of a tracepoint have all of its events' '
	$PERF kwork top -b $PERF stat -x, -e sched:sched_switch -o switches sleep 0.1 > out
	grep "^[1-9][0-9]*,,sched:sched_switch" switches'
check_if ROOT,BPF,COUNTING 'a command that cannot be started' '
	fails_with 255 $PERF kwork report -b ./no-such-program 2> err
	says "no-such-program" err'
