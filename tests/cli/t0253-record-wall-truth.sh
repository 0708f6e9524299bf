#!/bin/sh
# perf record --wall beside workloads that know where their time went: by their own clocks, and the time for
# which the kernel says that they waited for a CPU.
# serial: waits are longer than they should be beside other tests
. "$(dirname "$0")/lib.sh"

# recorded WORKLOAD [ARG...]: its lines "NAME ELAPSED ON RUN" are in the file truth, sums of slices in sums
recorded() {
	$PERF record -q --wall -e cpu-clock -o w.data "$@" > truth 2> err || { cat err; return 1; }
	not grep -- " -1$" truth > /dev/null || skip "the kernel does not count how long threads wait for a CPU"
	$PERF script --wall=all -i w.data -G -F comm,trace 2> script.err | sed -E \
		's/^ *([^ ]*) +state=([^ ]*) wait=([^ ]*) ns=([0-9]*) .*/\1 \2 \3 \4/' |
		awk '{ s[$1 " " $2 " " $3] += $4; nr[$1 " " $2 " " $3]++ }
			END { for (k in s) print k, s[k], nr[k] }' > sums
}
# each thread of the truth was on a CPU, waited for one, and for this otherwise ("blocked disk"; "":
# nothing), within 5 % of its time; time that the kernel has not told about is unknown. The kernel counts
# waiting for a CPU from when the thread is in the queue of that CPU to when its switch begins, we from when
# it is woken to the tracepoint: that is some us more per wait, in virtual machines under load up to 15
agrees() {
	test -s truth
	awk -v wait="$1" '
		NR == FNR { sum[$1 " " $2 " " $3] = $4; nr[$1 " " $2 " " $3] = $5; next }
		function check(what, got, want) {
			if (got - want > room || want - got > room) {
				printf "%s %s: %d ns instead of %d\n", $1, what, got, want
				bad = 1
			}
		}
		{
			room = $2 * 0.05 + sum[$1 " unknown -"]
			room += nr[$1 " " wait] * 15000
			check("on", sum[$1 " on -"], $3)
			check("run", sum[$1 " run -"], $4)
			check(wait, sum[$1 " " wait], $2 - $3 - $4)
			if (sum[$1 " unknown -"] > $2 * 0.2) {
				print $1 ": too much is unknown"
				bad = 1
			}
		}
		END { exit bad }' sums truth || { cat truth sums; return 1; }
}

check_if ROOT,TRACEFS 'two threads that share a CPU' '
	recorded $PERF test -w spinners 0.1
	test "$(grep -c "^spin[12] " truth)" = 2
	agrees ""'
check_if ROOT,TRACEFS 'reads past the page cache wait for the disk' '
	recorded $PERF test -w direct_reader 300 || skip "this folder cannot be read past the page cache"
	agrees "blocked disk"'
check_if ROOT,TRACEFS 'page faults that wait for the disk' '
	recorded $PERF test -w fault_storm 1000 || skip "this folder is not on a disk"
	agrees "blocked page-fault"'
check_if ROOT,TRACEFS 'threads that wait for work are idle' '
	recorded $PERF test -w epoll_pool 30
	test "$(grep -c "^pool[12] " truth)" = 2
	agrees "idle epoll"'

# a control group that may use a tenth of a CPU
quota_group() {
	group=/sys/fs/cgroup/cpu/perf-test-$$
	if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
		group=/sys/fs/cgroup/perf-test-$$
		mkdir $group && echo "5000 50000" > $group/cpu.max
	else
		mkdir $group && echo 50000 > $group/cpu.cfs_period_us && echo 5000 > $group/cpu.cfs_quota_us
	fi
}
check_if ROOT,TRACEFS 'threads whose quota is used up wait for a CPU' '
	quota_group 2> /dev/null || { rmdir $group 2> /dev/null; skip "no control group with a quota"; }
	recorded sh -c "echo \$\$ > $group/cgroup.procs; exec $PERF test -w spinners 0.02"
	throttled=$(awk "/^nr_throttled/ { print \$2 }" $group/cpu.stat)
	rmdir $group
	test "$throttled" -gt 0
	agrees ""
	# 20 ms of a tenth of a CPU, and each thread waits for the other one, too
	awk "/^spin[12] run/ && \$4 < 150000000 { bad = 1 } END { exit bad }" sums'
