#!/bin/sh
# Event strings on record's command line: what is recorded, what is refused and how it is said.
. "$(dirname "$0")/lib.sh"
need EVENTS

# refuses STRING TEXT: exit 129, the message has TEXT, nothing is written
refuses() {
	rm -f x.data
	rc=0; $PERF record -o x.data -e "$1" true > out 2>&1 || rc=$?
	test $rc = 129 || { cat out; return 1; }
	grep -qF -- "$2" out || { cat out; return 1; }
	test ! -e x.data
}

check 'a mistyped event is pointed at, with the nearest names' '
	refuses cpu-clock,page-fualts "event '\''page-fualts'\'' not found (did you mean '\''page-faults'\''?)"
	grep -qF "  cpu-clock,page-fualts" out
	grep -qE "^ *            \^~~~~~~~~~~$" out
'
check 'other mistakes are one sentence each' '
	refuses "" "an event is missing"
	refuses cpu-clock:z "unknown modifier '\''z'\''"
	refuses "{cpu-clock" "no closing brace"
	refuses "cycles:{k,u}" "write the event twice"
	refuses cpu-clock/period=x/ "term '\''period'\'' needs a number"
	refuses mem: "an address is expected"
	refuses nosuchpmu/event=1/ "there is no PMU or event '\''nosuchpmu'\''"
'
check 'the order of -e is kept, the same event may come twice' '
	$PERF record -q -o x.data -e page-faults -e cpu-clock:u,page-faults -e "{cs,cpu-clock}" true
	$PERF evlist -i x.data > out
	test "$(grep -v "^#" out | sed "s/:u$//" | tr "\n" " ")" = "page-faults cpu-clock page-faults cs cpu-clock "
	test "$(sed -n 2p out)" = cpu-clock:u
'
check 'terms of one event leave the others alone' '
	$PERF record -q -o x.data -e cs/name=switches,period=7/,cpu-clock true
	$PERF evlist -v -i x.data > out
	grep -Eq "^switches(:u)?: .* [{] sample_period, sample_freq }: 7, " out
	# a busy kernel allows less
	freq=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
	[ "$freq" -lt 4000 ] || freq=4000
	grep -Eq "^cpu-clock(:u)?: .* [{] sample_period, sample_freq [}]: $freq, .* freq: 1" out
'
check_if ROOT,TRACEFS 'tracepoints match globs, in groups as well' '
	$PERF record -q -o x.data -e "{sched:sched_wakeup*}" -e "sched:sched_process_e[xy]*" true
	$PERF evlist -i x.data > out
	grep -q "^sched:sched_wakeup$" out
	grep -q "^sched:sched_wakeup_new$" out
	grep -q "^sched:sched_process_exit$" out
	grep -q "^sched:sched_process_exec$" out
	refuses sched:sched_swich "did you mean '\''sched_switch'\''"
'
check_if ROOT,TRACEFS 'a filter that the kernel refuses is explained before anything runs' '
	rc=0; $PERF record -o x.data -e sched:sched_switch --filter "prev_pdi > 1" touch ran > out 2>&1 || rc=$?
	test $rc != 0
	grep -q "has no field .prev_pdi." out
	grep -q "prev_pid" out
	test ! -e ran
	$PERF record -q -o x.data -e sched:sched_switch --filter "prev_pid > 1 && prev_comm ~ \"*\"" true
'
check 'the default falls back to a clock where there is no PMU' '
	$PERF record -o x.data true 2> err
	test "$($PERF evlist -i x.data | wc -l)" = 1
	$PERF evlist -i x.data | finds -E "^(cycles|cpu-clock)" || $PERF evlist -i x.data | finds "cycles/"
	! grep -q cpu-clock err || test "$(grep -c "using cpu-clock" err)" = 1
'
check_if NONROOT 'ordinary users get user space, and are told once' '
	test "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 || skip "needs kernel.perf_event_paranoid 2"
	mkdir -m 777 open
	as_nobody $PERF_COPY record -o open/x.data -e cpu-clock,page-faults true > out 2>&1
	test "$(grep -c "only user space is measured" out)" = 1
	as_nobody $PERF_COPY evlist -i open/x.data > names
	test "$(tr "\n" " " < names)" = "cpu-clock:u page-faults:u "
'
check_if NONROOT 'ordinary users are told why they may not, and what works' '
	test "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 || skip "needs kernel.perf_event_paranoid 2"
	rc=0; as_nobody $PERF_COPY record -o open/y.data -e cpu-clock -a true > out 2>&1 || rc=$?
	test $rc != 0
	grep -q "needs CAP_PERFMON, because kernel.perf_event_paranoid is 2" out
	grep -q "works now: .*cpu-clock:u without -a" out
	rc=0; as_nobody $PERF_COPY record -o open/y.data -e cpu-clock:k true > out 2>&1 || rc=$?
	grep -q "works now: -e cpu-clock:u" out
	rc=0; as_nobody $PERF_COPY record -o open/y.data -p 1 -e cpu-clock:u true > out 2>&1 || rc=$?
	grep -q "process 1 belongs to another user" out
'
check 'the limit of open files is raised by itself' '
	e=cpu-clock
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do e=$e,page-faults:u; done
	(ulimit -Sn 24; $PERF record -q -o x.data -e $e true)
	test "$($PERF evlist -i x.data | wc -l)" = 21
'
check 'dead processes and CPUs that are not there are named' '
	rc=0; $PERF record -o x.data -p 999999999 > out 2>&1 || rc=$?
	test $rc != 0
	grep -q "process 999999999 does not exist" out
	rc=0; $PERF record -o x.data -C 60000 true > out 2>&1 || rc=$?
	test $rc != 0
	grep -q "CPU 60000 is not online" out
'
