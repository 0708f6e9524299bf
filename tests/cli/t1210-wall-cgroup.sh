#!/bin/sh
# perf record --wall -G: elapsed time of the tasks of a control group, which others wake, and which enter it
# while they run.
# serial: waits are longer than they should be beside other tests
. "$(dirname "$0")/lib.sh"

UNIFIED=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
GROUP=perf-wall-$$
# where perf_event has a hierarchy of its own, groups of the other one are not for events
have_GROUP() {
	[ -n "$UNIFIED" ] && not grep "cgroup .*perf_event" /proc/mounts > /dev/null &&
		mkdir -p "$UNIFIED/$GROUP" 2> /dev/null || skip "no control groups for perf events"
}
cat > group.sh <<'END'
echo $$ > "$1/cgroup.procs"
sh -c 'sleep 0.2; :'
END

check 'what it cannot be combined with' '
	fails_with 1 $PERF record --wall -a -G one,two true 2> err
	says "--wall records one control group, not a list (-G)" err
	fails_with 1 $PERF record --wall=bpf -a -G one true 2> err
	says "BPF programs do not know -G" err'
# a is in the group, and leaves its CPU to b, which is not; names, beginnings and ends are of all threads
check 'others are not shown, whose names are recorded' '
	mkdata made.data <<-END
	event cpu-clock type=software config=cpu-clock period=1000 sample=identifier|ip|tid|time|cpu|period ids=1 flags=sample_id_all|context_switch
	event wall type=software config=dummy sample=identifier|ip|tid|time|cpu|period ids=2 flags=sample_id_all
	feature event_desc
	comm pid=5 tid=5 comm="a" time=0
	comm pid=6 tid=6 comm="b" time=0
	switch_cpu_wide pid=5 tid=5 cpu=0 time=1000000 next_prev_pid=6 next_prev_tid=6
	switch_cpu_wide pid=5 tid=5 cpu=0 time=2000000 next_prev_pid=6 next_prev_tid=6 misc=0x2000
	fork pid=7 tid=7 ppid=6 ptid=6 time=2500000 cpu=0
	comm pid=6 tid=6 comm="c" time=2600000 cpu=0 misc=0x2000
	exit pid=6 tid=6 time=2700000 cpu=0
	switch_cpu_wide pid=5 tid=5 cpu=0 time=3000000 next_prev_pid=9 next_prev_tid=9
	fork pid=8 tid=8 ppid=5 ptid=5 time=3500000 cpu=0
	switch_cpu_wide pid=5 tid=5 cpu=0 time=4000000 next_prev_pid=9 next_prev_tid=9 misc=0x2000
	switch_cpu_wide pid=8 tid=8 cpu=0 time=5000000 next_prev_pid=9 next_prev_tid=9
	switch_cpu_wide pid=8 tid=8 cpu=0 time=6000000 next_prev_pid=5 next_prev_tid=5 misc=0x6000
	switch_cpu_wide pid=5 tid=5 cpu=0 time=6000000 next_prev_pid=8 next_prev_tid=8
	END
	$PERF script --wall=all -i made.data -G -F tid,trace | sed "s/waker.*//" | sort > out
	sort > want <<-END
	5 state=on wait=- ns=2000000
	5 state=blocked wait=other ns=1000000
	5 state=blocked wait=other ns=2000000
	8 state=run wait=- ns=1500000
	8 state=on wait=- ns=1000000
	END
	sed "s/^ *//; s/ *\$//" out | same want -'
for by in tracepoints switches; do
	check_live_if ROOT,TRACEFS 'the tasks of a group, by '$by '
		have_GROUP
		$PERF record --wall=$by -e cpu-clock -a -G $GROUP -o g.data sh group.sh $UNIFIED/$GROUP 2> err
		$PERF script --wall=all -f -i g.data -G -F comm,trace 2> err | sed -E \
			"s/^ *([^ ]*) +state=([^ ]*) wait=([^ ]*) ns=([0-9]*) waker=([^:]*).*/\1 \2 \3 \4 \5/" > slices
		# nobody else is there, and only the time before it entered the group is unknown
		awk "\$2 != \"unknown\" { print \$1 }" slices | sort -u > who
		printf "sh\nsleep\n" | same - who
		test "$(awk "\$1 == \"sleep\" && \$2 == \"blocked\" { s += \$4 } END { print s + 0 }" slices)" -ge 190000000
		# kernels do not always tell who woke a thread of an idle CPU
		test $by = switches || grep "^sleep blocked timer [0-9]* *\(interrupt\|target=-\)" slices
		test $by = switches || grep "^sh blocked child [0-9]* *\(sleep\|target=-\)" slices
		awk "\$2 != \"unknown\" { known += \$4 } END { exit known < 380000000 }" slices'
done
[ ! -d "$UNIFIED/$GROUP" ] || rmdir "$UNIFIED/$GROUP"
