#!/bin/sh
# perf record --wall beside workloads that know where their time went: by their own clocks, and the time for
# which the kernel says that they waited for a CPU.
# serial: waits are longer than they should be beside other tests
. "$(dirname "$0")/lib.sh"

# recorded WORKLOAD [ARG...]: its lines "NAME ELAPSED ON RUN" are in the file truth, sums of slices in sums.
# Some kernels do not tell each switch: the time after it is unknown, and it is recorded again
recorded() {
	for try in 1 2 3; do
		record_once "$@" || return 1
		awk "NR == FNR { if (\$2 == \"unknown\") unknown[\$1] = \$4; next }
			unknown[\$1] > \$2 * 0.2 { bad = 1 } END { exit bad }" sums truth && return
	done
	skip "the kernel left out switches"
}
record_once() {
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
		}
		END { exit bad }' sums truth || { cat truth sums; return 1; }
}

# leads COMM...: the threads of the critical path, in the order of time, as a pattern
leads() {
	$PERF script --critical-path -i w.data -G -F comm 2> script.err > parts
	awk '{ print $1 }' parts | uniq | tr "\n" " " > path
	grep -E "^$1 \$" path || { cat path; return 1; }
}

check_live_if ROOT,TRACEFS 'one sleep' '
	recorded $PERF test -w nap 0.5
	agrees "blocked timer"
	leads "perf nap"'
check_live_if ROOT,TRACEFS 'a process that waits for its child' '
	recorded $PERF test -w child_wait 0.1
	test "$(awk "{ print \$1 }" truth | tr "\n" " ")" = "child parent "
	# what each waits for
	grep "^parent " truth > of.parent
	grep "^child " truth > of.child
	cp of.child truth && agrees ""
	cp of.parent truth && agrees "blocked child"
	leads "perf parent child parent"'
check_live_if ROOT,TRACEFS 'two threads that share a CPU' '
	recorded $PERF test -w spinners 0.1
	test "$(grep -c "^spin[12] " truth)" = 2
	agrees ""
	leads "perf spin[12] perf"'
check_live_if ROOT,TRACEFS 'reads past the page cache wait for the disk' '
	recorded $PERF test -w direct_reader 300 || skip "this folder cannot be read past the page cache"
	agrees "blocked disk"
	leads "perf reader end"'
check_live_if ROOT,TRACEFS 'page faults that wait for the disk' '
	recorded $PERF test -w fault_storm 1000 || skip "this folder is not on a disk"
	agrees "blocked page-fault"
	leads "perf faults end"'
check_live_if ROOT,TRACEFS 'threads that wait for work are idle' '
	recorded $PERF test -w epoll_pool 30
	test "$(grep -c "^pool[12] " truth)" = 2
	agrees "idle epoll"
	leads "perf( pool[12] perf)*"'

check_live_if ROOT,BPF,TRACEFS 'a process whose quota is used up is throttled, which is not waiting for a CPU' '
	recorded $PERF test -w quota 0.03 || skip "no control group with a quota"
	grep "^quota " truth
	agrees "blocked throttled"
	# 30 ms of a tenth of a CPU
	awk "/^quota blocked throttled/ && \$4 > 50000000 { nr++ } END { exit !nr }" sums
	# the timer of the quota ends it
	$PERF script --wall=blocked -i w.data -G -F comm,trace 2> script.err > waits
	grep "^ *quota .* wait=throttled .* waker=interrupt " waits
	leads "perf quota perf"
	test ! -e /sys/fs/cgroup/cpu/perf-quota-*
	test ! -e /sys/fs/cgroup/perf-quota-*'
