#!/bin/sh
# What ends a run, and what switches it on and off.
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS

check 'starts disabled, is switched by a fifo, and answers' '
	mkfifo ctl ack
	timeout 20 $PERF stat -D -1 --control fifo:ctl,ack -e page-faults sleep 10 2> err &
	pid=$!
	for cmd in ping enable disable evlist stop; do
		echo $cmd > ctl
		read -r answer < ack
		test "$answer" = ack
	done
	wait $pid
	grep -q "^Events disabled$" err
	grep -q "^Events enabled$" err
	grep -q "^page-faults$" err
	grep -q "Performance counter stats" err
'
check 'words that are no commands, and events that are not there, are named' '
	mkfifo other
	timeout 20 $PERF stat -D -1 --control fifo:other -e page-faults sleep 10 2> err &
	pid=$!
	printf "fly\\nsnapshot\\nenable nothing-such\\nstop\\n" > other
	wait $pid
	grep -q "control: .fly. is not a command" err
	grep -q "control: .snapshot. is not a command of this one" err
	grep -q "no event is called .nothing-such." err
'
check 'never switched on: nothing is counted, and that is said' '
	$PERF stat -D -1 -e page-faults true 2> err
	grep -q "<not counted>  *page-faults" err
	grep -q "did not run while counting was on: page-faults" err
'
check 'a signal shows what was counted, and the shell learns of it' '
	$PERF stat -e page-faults sleep 30 2> err &
	pid=$!
	sleep 0.3
	kill -INT $pid
	rc=0; wait $pid || rc=$?
	test $rc = 130
	grep -q "[1-9][0-9]*  *page-faults" err
'
check 'the end of a command that a signal killed is passed on' '
	rc=0; $PERF stat -e page-faults sh -c "kill -9 \$\$" 2> err || rc=$?
	test $rc = 137
	grep -q "^sh: Killed$" err
'
check 'commands before and after, and one that fails' '
	$PERF stat -r 2 --pre "echo pre" --post "echo post" -e page-faults echo run > out 2> err
	test "$(tr "\n" " " < out)" = "pre run post pre run post "
	rc=0; $PERF stat --pre "exit 7" -e page-faults echo run > out 2> err || rc=$?
	test $rc = 1
	! grep -q run out
	grep -q "status 7" err
'
check 'runs without end until a signal' '
	$PERF stat -r 0 -e page-faults sleep 0.02 2> err &
	pid=$!
	sleep 0.5
	kill -INT $pid
	wait $pid || true
	test "$(grep -c "Performance counter stats" err)" -ge 2
'
check_if ROOT 'events for each of several control groups' '
	grep -qE "cgroup2| cgroup .*perf_event" /proc/mounts || exit 0
	$PERF stat -a --for-each-cgroup / -e page-faults,cs true 2> err
	grep -q "page-faults  */ " err
	rc=0; $PERF stat -a --for-each-cgroup no-such-group -e cs true 2> err || rc=$?
	test $rc = 1
	grep -q "there is no control group .no-such-group." err
	rc=0; $PERF stat --for-each-cgroup / -e cs true 2> err || rc=$?
	test $rc = 1
	grep -q "use them with -a or -C" err
'
