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
for by in tracepoints switches; do
	check_if ROOT,TRACEFS 'the tasks of a group, by '$by '
		have_GROUP
		$PERF record --wall=$by -e cpu-clock -a -G $GROUP -o g.data sh group.sh $UNIFIED/$GROUP 2> err
		$PERF script --wall=all -f -i g.data -G -F comm,trace 2> err | sed -E \
			"s/^ *([^ ]*) +state=([^ ]*) wait=([^ ]*) ns=([0-9]*) waker=([^:]*).*/\1 \2 \3 \4 \5/" > slices
		# nobody else is there, and only the time before it entered the group is unknown
		awk "\$2 != \"unknown\" { print \$1 }" slices | sort -u > who
		printf "sh\nsleep\n" | same - who
		test "$(awk "\$1 == \"sleep\" && \$2 == \"blocked\" { s += \$4 } END { print s + 0 }" slices)" -ge 190000000
		test $by = switches || grep "^sleep blocked timer [0-9]* interrupt" slices
		test $by = switches || grep "^sh blocked child [0-9]* sleep" slices
		awk "\$2 != \"unknown\" { known += \$4 } END { exit known < 380000000 }" slices'
done
[ ! -d "$UNIFIED/$GROUP" ] || rmdir "$UNIFIED/$GROUP"
