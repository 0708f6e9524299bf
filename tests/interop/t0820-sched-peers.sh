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
# rows FILE: tasks with their numbers, without titles, bars and the kernel's own threads, whose names have
# more in other files rows of upstream whose delay began at 0 are those of a wakeup that it did not see
rows() {
	tr "|" " " < "$1" | tr -s " " | sed "s/start: */start: /; s/end: */end: /; s/ *$//; s/^ [^:]*:\([0-9]* [0-9.]* ms\)/\1/" | grep " avg: " | grep -v -e kworker |
		grep -v "start: 0.000000" | sort
}
# same_latency FILE PEER: rows but those that missing events make doubtful
same_latency() {
	$PERF sched latency -p -i "$1" -x"|" > all
	awk -F "|" "!/^#/ && \$NF > 0 { sub(/.*:/, \"\", \$1); print \"^\" \$1 \" \" }" all > doubtful
	echo "no such task" >> doubtful
	"$2" sched latency -p -i "$1" > theirs
	$PERF sched latency -p -i "$1" > ours
	rows theirs | grep -vf doubtful > theirs.rows
	rows ours | grep -vf doubtful > ours.rows
	test "$(wc -l < theirs.rows)" -gt 1
	same theirs.rows ours.rows
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
	tr -s " " < "$1" | sed "1,3d; s/ *$//" | grep -v -e "kworker" -e ":[0-9]*\[" | grep -vFf doubtful | tac |
		awk "{ sub(/.*\[/, \"[\", \$3) } seen[\$3]++ >= 3"
}
same_timehist() {
	$PERF sched latency -p -i "$1" -x"|" > all
	awk -F "|" "!/^#/ && \$NF > 0 { sub(/:[0-9]*\$/, \"\", \$1); print \$1 \"[\" }" all > doubtful
	echo "no such task" >> doubtful
	"$2" sched timehist --state --show-prio -P -M -i "$1" > theirs 2> err
	$PERF sched timehist --state --show-prio -P -M -i "$1" > ours
	rows_of theirs > theirs.rows
	rows_of ours > ours.rows
	test "$(wc -l < theirs.rows)" -gt 100
	same theirs.rows ours.rows
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
