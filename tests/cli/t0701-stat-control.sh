#!/bin/sh
# What ends a run, and what switches it on and off.
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS

check 'starts disabled, is switched by a fifo, and answers' '
	mkfifo ctl ack
	# kept open: what perf answers last is there after its end, too
	exec 3<> ack
	timeout 100 $PERF stat -D -1 --control fifo:ctl,ack -e page-faults sleep 90 2> err &
	pid=$!
	for cmd in ping enable disable evlist stop; do
		echo $cmd > ctl
		read -r answer <&3
		test "$answer" = ack
	done
	wait $pid
	grep -q "^Events disabled$" err
	grep -q "^Events enabled$" err
	grep -Eq "^page-faults(:u)?$" err
	grep -q "Performance counter stats" err
'
check 'words that are no commands, and events that are not there, are named' '
	mkfifo other
	timeout 100 $PERF stat -D -1 --control fifo:other -e page-faults sleep 90 2> err &
	pid=$!
	printf "fly\\nsnapshot\\nenable nothing-such\\nstop\\n" > other
	wait $pid
	grep -q "control: .fly. is not a command" err
	grep -q "control: .snapshot. is not a command of this subcommand" err
	grep -q "no event is called .nothing-such." err
	not grep -q "Events enabled" err
'
check 'never switched on: nothing is counted, and that is said' '
	$PERF stat -D -1 -e page-faults true 2> err
	grep -q "<not counted>  *page-faults" err
	grep -q "did not run while counting was on: page-faults" err
'
check 'a signal shows what was counted, and the shell learns of it' '
	$PERF stat -e page-faults sh -c "echo > started; exec sleep 60" 2> err &
	pid=$!
	until_true test -e started
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
	not grep -q run out
	grep -q "status 7" err
'
check 'what was counted is shown, and the status of the command passed on, whatever fails behind it' '
	rc=0; $PERF stat --post "exit 7" -e page-faults sh -c "exit 3" 2> err || rc=$?
	test $rc = 3
	grep -q "[1-9][0-9]*  *page-faults" err
	grep -q "^Error: --post .exit 7. ended with status 7$" err
	rc=0; $PERF stat -o /dev/full -e page-faults sh -c "exit 3" 2> err || rc=$?
	test $rc = 3
	grep -q "^Error: cannot write the counts: No space left" err
'
check 'a signal while a command before or after runs ends the run there' '
	for when in pre post; do
		$PERF stat -r 9 --$when "echo x > here; until [ -e sent ]; do sleep 0.1; done" -e page-faults echo run > out 2> err &
		pid=$!
		until_true test -e here
		kill -INT $pid
		: > sent
		rc=0; wait $pid || rc=$?
		test $rc = 130
		case $when in
		pre) test ! -s out; test ! -s err ;;
		post) test "$(wc -l < out)" = 1; grep -q "[1-9][0-9]*  *page-faults" err ;;
		esac
		rm here sent
	done
'
check 'a run that was interrupted is no part of the mean' '
	$PERF stat -r 3 -e page-faults sh -c "[ -e once ] && { echo > twice; exec sleep 30; }; echo > once" 2> err &
	pid=$!
	until_true test -e twice
	kill -INT $pid
	rc=0; wait $pid || rc=$?
	test $rc = 130
	grep -q "the last run was interrupted: it is not part of these numbers" err
	not grep -q "runs):" err
'
check 'a command that does not heed signals is killed by the second one' '
	$PERF stat -e page-faults sh -c "trap : TERM; echo > up; for i in \$(seq 200); do sleep 0.1; done" 2> err &
	pid=$!
	until_true test -e up
	kill -INT $pid
	until_true grep -q "Ctrl-C kills it" err
	kill -INT $pid
	rc=0; wait $pid || rc=$?
	test $rc = 130
	grep -q "[1-9][0-9]*  *page-faults" err
'
check 'what cannot give commands is said at once' '
	rc=0; $PERF stat --control fifo:/etc/passwd -e page-faults true 2> err || rc=$?
	test $rc = 1
	test "$(cat err)" = "Error: --control: /etc/passwd is not a fifo (mkfifo makes one)"
	rc=0; $PERF stat --control fd:0 -e page-faults true < /etc/passwd 2> err || rc=$?
	test $rc = 1
	grep -q "descriptor 0 is a file" err
'
check 'runs without end until a signal' '
	rm -f err
	$PERF stat -r 0 -e page-faults sleep 0.02 2> err &
	pid=$!
	until_true has_lines "Performance counter stats" err 2
	kill -INT $pid
	wait $pid || true
	test "$(grep -c "Performance counter stats" err)" -ge 2
'
check_if ROOT 'events for each of several control groups' '
	grep -qE "cgroup2| cgroup .*perf_event" /proc/mounts || skip "no control groups for perf events"
	$PERF stat -a --for-each-cgroup / -e page-faults,cs true 2> err
	grep -q "page-faults  */ " err
	rc=0; $PERF stat -a --for-each-cgroup no-such-group -e cs true 2> err || rc=$?
	test $rc = 1
	grep -q "there is no control group .no-such-group." err
	rc=0; $PERF stat --for-each-cgroup / -e cs true 2> err || rc=$?
	test $rc = 1
	grep -q "use them with -a or -C" err
'
