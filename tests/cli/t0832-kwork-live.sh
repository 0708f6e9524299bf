#!/bin/sh
# perf kwork --live: work that runs now, from the events in ring buffers.
. "$(dirname "$0")/lib.sh"

check 'options that need a recording' '
	fails_with 129 $PERF kwork timehist --live 2> err
	says "timehist shows each work of a recording" err
	fails_with 129 $PERF kwork report --live --time 1,2 true 2> err
	says "--time has no meaning with --live" err
	fails_with 129 $PERF kwork top --live -b true 2> err
	says "exclude each other" err'
check_if ROOT,EVENTS,TRACEFS 'CPU time of a task that loops, and only of that' '
	$PERF kwork top --live --comm perf-noploop -x, $PERF test -w noploop 0.5 > out
	grep -E "^[0-9]+,[0-9.]+%,[0-9]{8,},perf-noploop$" out
	silent_about ",swapper/0" out'
check_if ROOT,EVENTS,TRACEFS 'softirqs that ran and waited' '
	test -d /sys/kernel/tracing/events/irq/softirq_entry || skip "the kernel has no events of softirqs"
	$PERF kwork report --live -k softirq --json $PERF test -w thloop 0.3 4 > out
	grep "\"count\": [1-9]" out
	$PERF kwork latency --live -k softirq $PERF test -w thloop 0.3 4 > out
	grep "(s)" out'
