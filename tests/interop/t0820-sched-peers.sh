#!/bin/sh
# perf sched: the same numbers as from upstream. Kernels that do not record all switches give times that
# upstream makes up and perf leaves out, so rows are compared where no switch is missing.
. "$(dirname "$0")/../cli/lib.sh"
need ROOT EVENTS TRACEFS

# record_on_one_cpu PERF FILE: a workload that stays on CPU 0
record_on_one_cpu() {
	taskset -c 0 "$1" sched record -C 0 -o "$2" -- $PERF test -w context_switch_loop 200 > /dev/null 2> err ||
		skip "cannot record: $(tail -n 1 err)"
}
# rows FILE: tasks with their run times and longest delays, without titles, bars and the kernel's own threads,
# whose names differ. Upstream also counts delays of 0, so counts and averages are left out. A delay of
# upstream that began at 0 has a wakeup that it did not see
rows() {
	tr "|" " " < "$1" | tr -s " " | sed -E "s/ ms [0-9]+ avg: *[0-9.]+ ms/ ms avg:/" | sed "s/start: */start: /; s/end: */end: /; s/ *$//; s/^ .*:\([0-9][0-9]* [0-9.]* ms\)/\1/" | grep " avg: " | grep -v -e kworker |
		grep -v "start: 0.000000" | sort
}
# doubtful_tids FILE: of the tasks for which events are missing, and one that is not there
doubtful_tids() {
	$PERF sched waits --tasks-only -l 0 -i "$1" -x"|" > all
	awk -F "|" "!/^#/ && NF > 5 && \$NF > 0 { sub(/.*:/, \"\", \$1); print \$1 }" all > doubtful.tids
	echo "no such task" >> doubtful.tids
}
# same_latency FILE PEER: rows but those that missing events make doubtful
same_latency() {
	doubtful_tids "$1"
	sed "s/.*/^& /" doubtful.tids > doubtful
	"$2" sched latency -p -i "$1" > theirs
	# upstream has not understood who these are
	grep -o "^ *:[0-9]*:" theirs | tr -d " :" | sed "s/.*/^& /" >> doubtful
	$PERF sched latency -p -i "$1" > ours
	rows theirs | grep -vf doubtful > theirs.rows
	rows ours | grep -vf doubtful > ours.rows
	# all delays of a thread may be doubtful
	cut -d" " -f1 ours.rows | sed "s/.*/^& /" > tids
	grep -f tids theirs.rows > known.rows
	test "$(wc -l < known.rows)" -gt "$(($(wc -l < theirs.rows) / 2))"
	same known.rows ours.rows
}
check_if NEWEST 'latency: a file of the newest upstream' '
	record_on_one_cpu "$NEWEST" theirs.data
	same_latency theirs.data "$NEWEST"'
check_if NEWEST 'latency: a file of ours' '
	record_on_one_cpu $PERF ours.data
	same_latency ours.data "$NEWEST"'
# of its own files 6.1 does not count all delays on kernels of today, so the newest reads them
check_if NEWEST,PEER61 'latency: a file of perf 6.1' '
	record_on_one_cpu "$PEER" old.data
	same_latency old.data "$NEWEST"'
# rows_of FILE: of the tasks that are not doubtful, without the last three of each, for which upstream may
# have forgotten the task that exits
rows_of() {
	# who migrates may have a name that only one of both knows
	tr -s " " < "$1" | sed -E "1,3d; s/ *$//; s/migrated: (:|.*\[)([0-9]+)\]? cpu/migrated: \2 cpu/" | grep -v -e "kworker" -e ":[0-9]*\[" | grep -vf doubtful | tac |
		awk "{ sub(/.*\[/, \"[\", \$3) } seen[\$3]++ >= 3"
}
# shorter_by_one OURS THEIRS: of a task that exits upstream may know one row less: then the last one of ours
# is left out, too. The last rows come first
shorter_by_one() {
	awk "NR == FNR { theirs[\$3]++; next } FNR == 1 { while ((getline line < ours) > 0) { split(line, f, \" \"); nr[f[3]]++ } }
		!(nr[\$3] - theirs[\$3] == 1 && !dropped[\$3]++)" ours="$1" "$2" "$1"
}
same_timehist() {
	doubtful_tids "$1"
	sed "s/.*/[[]&[]\/]/" doubtful.tids > doubtful
	"$2" sched timehist --state --show-prio -P -M -i "$1" > theirs 2> err
	$PERF sched timehist --state --show-prio -P -M -i "$1" > ours
	rows_of theirs > theirs.rows
	rows_of ours > ours.rows
	test "$(wc -l < theirs.rows)" -gt 100
	shorter_by_one ours.rows theirs.rows > ours.kept
	same theirs.rows ours.kept
}
check_if NEWEST 'timehist: a file of the newest upstream' '
	test -e theirs.data || record_on_one_cpu "$NEWEST" theirs.data
	same_timehist theirs.data "$NEWEST"'
check_if NEWEST 'timehist: a file of ours' '
	test -e ours.data || record_on_one_cpu $PERF ours.data
	same_timehist ours.data "$NEWEST"'
# same_map FILE PEER OPTION: without the names, which differ for the threads of the kernel
same_map() {
	"$2" sched map $3 -i "$1" > theirs 2> err
	$PERF sched map $3 -i "$1" > ours
	sed "s/ secs.*//" theirs > theirs.rows
	sed "s/ secs.*//" ours > ours.rows
	test "$(wc -l < theirs.rows)" -gt 100
	same theirs.rows ours.rows
}
check_if NEWEST 'map: files of both, of all CPUs' '
	"$NEWEST" sched record -o all.data -- $PERF test -w context_switch_loop 100 > /dev/null 2> err || skip "$(tail -n 1 err)"
	same_map all.data "$NEWEST"
	same_map all.data "$NEWEST" --compact
	$PERF sched record -q -o own.data -- $PERF test -w context_switch_loop 100 > /dev/null
	same_map own.data "$NEWEST"'
check_if NEWEST 'stats: upstream reads our file, and prints the same numbers' '
	mkdir -p root/proc
	for v in 15 16 17; do
		awk -v v=$v -v m=10 -f "$SRC/tests/cli/schedstat.awk" > root/proc/schedstat
		awk -v v=$v -v m=17 -f "$SRC/tests/cli/schedstat.awk" > next
		PERF_FS_ROOT=$PWD/root $PERF sched stats record -o stats.data -- cp next root/proc/schedstat
		"$NEWEST" sched stats report -i stats.data > theirs
		$PERF sched stats report -i stats.data -x"|" > ours
		grep " : " theirs | grep -v -e "^\*" -e "^Time" | tr -d ":(%\$)" | tr -s " " | sed "s/ *$//" | tr " " "|" > theirs.rows
		grep -v -e "^#" -e "|\*" ours | grep . | cut -d"|" -f3- | tr -s "|" | sed "s/|$//" > ours.rows
		test "$(wc -l < ours.rows)" -gt 100
		same theirs.rows ours.rows
	done'
