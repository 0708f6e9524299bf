#!/bin/sh
# --filter: our reading of filters agrees with the kernel's, and what is wrong is said with a caret.
. "$(dirname "$0")/lib.sh"
need ROOT TRACEFS

check 'the kernel takes what we take and refuses what we refuse' '
	dir=/sys/kernel/tracing/instances/perf-test-$$
	mkdir $dir || skip "no instances of tracefs can be made"
	trap "rmdir $dir" EXIT
	while read -r filter; do
		test -n "$filter" || continue
		ours=yes kernels=yes
		$PERF record -q -o x.data -e sched:sched_switch --filter "$filter" true > out 2>&1 || ours=no
		echo "$filter" 2> /dev/null > $dir/events/sched/sched_switch/filter || kernels=no
		echo 0 > $dir/events/sched/sched_switch/filter
		test $ours = $kernels || { echo "$filter: ours $ours, the kernel $kernels"; cat out; exit 1; }
	done <<-\END
	prev_pid => 1
	prev_pid > 1
	nope > 1
	prev_comm == foo
	prev_comm == "foo"
	prev_comm ~ "f*"
	prev_comm > 3
	prev_pid == "a"
	prev_pid ~ "a"
	prev_pid & 1
	prev_pid == 1 && (next_pid == 2 || !(next_prio > 5))
	!prev_pid == 1
	prev_pid == -1
	prev_pid == 0x10
	prev_pid=1
	prev_pid == 1 and next_pid == 2
	common_pid != 5
	CPU == 0
	comm == "x"
	COMM ~ "*x"
	(prev_pid == 1
	prev_pid == 1)
	prev_pid
	prev_pid == 1 next_pid == 2
	prev_pid == 99999999999999999999999
	prev_pid == 1 & next_pid==1
	not (prev_pid == 1)
	prev_pid==1||next_pid==2
	1 == 1
	prev_state & (1)
	prev_comm & 1
	prev_pid == 1k
	prev_pid == +1
	prev_pid==1&&!next_pid==2
	!!(prev_pid==1)
	prev_pid == 08
	prev_comm != "a\"b"
	prev_prio < 0x1g
	comm ~ foo*
	END'
check 'a caret, the fields with their types' '
	not $PERF record -o x.data -e sched:sched_switch --filter "prev_pid => 1" true 2> err
	grep -q "did you mean .>=.?" err
	grep -q "^ *\^~$" err
	not $PERF record -o x.data -e sched:sched_switch --filter "prev_pdi > 1" true 2> err
	grep -q "no field .prev_pdi. (did you mean .prev_pid." err
	grep -q "char prev_comm\[16\]; pid_t prev_pid" err'
check 'the same event twice with other filters keeps order and filters' '
	$PERF record -q -o x.data -e sched:sched_switch --filter "prev_pid == 1" -e cs -e sched:sched_switch \
		--filter "next_pid & 1" --filter "next_prio < 100" -a true
	$PERF evlist -i x.data > out
	test "$(grep -c sched:sched_switch out)" = 2
	test "$(sed -n 2p out)" = cs'
