#!/bin/sh
# perf lock contention of what runs now: by BPF programs (-b), by rings (--live), and of programs (--user).
. "$(dirname "$0")/lib.sh"

check 'options that need another source of events' '
	fails_with 129 $PERF lock contention -o 2> err
	says "-o needs -b" err
	fails_with 129 $PERF lock contention -J 1ms@ffff1000 2> err
	says "-J needs -b" err
	fails_with 129 $PERF lock contention -b --user true 2> err
	says "--user has no meaning with -b" err
	fails_with 129 $PERF lock contention -b -i x.data 2> err
	says "-i has no meaning with -b" err
	fails_with 129 $PERF lock contention --live --time 1,2 true 2> err
	says "--time has no meaning with what runs now" err
	fails_with 129 $PERF lock contention -b -o -l true 2> err
	says "--lock-addr and -o exclude each other" err
	fails_with 129 $PERF lock report -b 2> err
	says "-b or --live has no meaning here" err'

have_CONTENTION() {
	[ -d /sys/kernel/tracing/events/lock/contention_begin ] || { echo "kernel without events of locks"; return 1; }
}
have_COUNTING() {
	$PERF lock contention -b true > /dev/null 2> counting.log || { sed -n "s/^Error: //p" counting.log; return 1; }
}
# live ARG...: of a program whose two threads wait for each other
live() { $PERF lock contention "$@" -Y mutex -x, $PERF test -w shared_file 30 > out; }
# waits NAME: the number of waits in the rows of that name
waits() { awk -F", " -v name="$1" '$NF == name { n += $1 } END { print n + 0 }' out; }

check_live_if ROOT,TRACEFS,CONTENTION 'waits of a command, by rings' '
	live --live -t
	test "$(waits first)" -gt 0
	test "$(waits second)" -gt 0'
check_live_if ROOT,BPF,TRACEFS,CONTENTION,COUNTING 'waits of a command, counted by BPF programs' '
	live -b -t
	grep "^# output: contended, total wait, max wait, avg wait, pid, comm$" out
	test "$(waits first)" -gt 0
	test "$(waits second)" -gt 0
	live -b -k contended -E 1
	grep "mutex, .*+0x[0-9a-f]*$" out
	live -b -l -F contended
	address=$(sed -n "s/^[0-9]*, .*, \(ffff[0-9a-f]*\), .*/\1/p" out | head -n 1)
	test -n "$address"
	# rows by lock are not those by caller that -S keeps
	live -b -S no_such_function
	test $(wc -l < out) = 1
	live -b -S read,lseek,fdget
	test $(wc -l < out) -gt 1'
check_live_if ROOT,BPF,TRACEFS,CONTENTION,COUNTING 'numbers of a row fit together' '
	live -b -F contended,wait_total,wait_max,wait_min,avg_wait
	awk -F", " "NR > 1 && !(\$4 <= \$5 && \$5 <= \$3 && \$3 <= \$2 && \$2 >= \$1 * \$4) { print; bad = 1 } END { exit bad || NR < 2 }" out'
check_live_if ROOT,BPF,TRACEFS,CONTENTION,COUNTING 'owners of locks' '
	$PERF lock contention -b -o true > /dev/null 2> err || { grep -q "owners of locks are not known\\|types of the kernel" err && skip "$(cat err)"; }
	live -b -o
	test "$(waits first)" -gt 0
	test "$(waits second)" -gt 0'
check_live_if ROOT,BPF,TRACEFS,CONTENTION,COUNTING 'filters of the kernel: kinds, CPUs, locks, tables that are full' '
	$PERF lock contention -b -a -Y rwlock:R,rwlock:W -x, $PERF test -w shared_file 10 > out
	silent_about mutex out
	$PERF lock contention -b -L ffff000000000000 -x, $PERF test -w shared_file 10 > out
	test $(wc -l < out) = 1
	$PERF lock contention -b -l -M 1 $PERF test -w shared_file 10 > out
	fails_with 1 $PERF lock contention -b --max-stack 100 true 2> err
	says "BPF programs keep at most" err
	fails_with 1 $PERF lock contention -b -G no/such/group true 2> err
	says "-G: " err'
check_live_if ROOT,BPF,TRACEFS,CONTENTION,COUNTING '-J delays the owners of a lock' '
	$PERF lock contention -b -J 1ms@ffff000000000000 -x, $PERF test -w shared_file 10 > out 2> err || {
		says "Linux 6.9" err; skip "$(cat err)"; }
	grep mutex out
	fails_with 1 $PERF lock contention -b -J 11ms@ffff000000000000 true 2> err
	says "at most 10ms" err
	fails_with 1 $PERF lock contention -b -J 1ms true 2> err
	says "is not a time" err'
has_threads() { test $(ls "/proc/$1/task" | wc -l) = 3; }
check_live_if ROOT,BPF,TRACEFS,CONTENTION,COUNTING 'a process that runs already, and none of its neighbours' '
	$PERF test -w shared_file 2000 &
	other=$!
	$PERF test -w shared_file 2000 &
	wanted=$!
	until_true has_threads $wanted
	$PERF lock contention -b -t -p $wanted -Y mutex --json sleep 0.5 > out || touch failed
	kill $other $wanted
	not test -e failed
	grep -q "\"comm\": \"first\"" out
	test "$(grep -o "\"comm\": \"first\"" out | wc -l)" = 1'

ns() { sed -n "s/^$1 //p" own; }
near() { test $((${1} - ${2})) -le $(($2 / 20 + 500000)) && test $((${2} - ${1})) -le $(($2 / 20 + 500000)); }
convoy_fits() {
	$PERF lock contention --user --output out -x: $PERF test -w convoy 0.2 > own 2> err
	grep ": first-[0-9]* -> second-[0-9]* -> third-[0-9]*$" out
	first=$(sed -n "s/^1: \([0-9]*\): .*: first-[0-9]*: second-[0-9]*: convoy_[a-z_]*+0x[0-9a-f]*: convoy_.*/\1/p" out)
	second=$(sed -n "s/^1: \([0-9]*\): .*: second-[0-9]*: third-[0-9]*: convoy_[a-z_]*+0x[0-9a-f]*: convoy_.*/\1/p" out)
	near "$first" "$(ns first)" && near "$second" "$(ns second)"
}
check_live_if ROOT,TRACEFS 'a convoy of three threads, as it timed itself' '
	test -d /sys/kernel/tracing/events/syscalls/sys_enter_futex || skip "the kernel has no events of system calls"
	# on a busy machine a thread may be interrupted between the end of its wait and its look at the clock
	fits=
	for try in $(seq 10); do ! convoy_fits || { fits=1; break; }; done
	test "$fits"'
