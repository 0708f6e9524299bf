#!/bin/sh
# perf kwork: the same rows as from upstream, of files of both. What differs on purpose: names are not cut;
# works that ran on another CPU than the one that queued them have a delay; works that moved to another CPU
# while they ran, which upstream loses, are left out; top takes time of an interrupt
# inside of a softirq from a task once, and names a task as it was called last.
. "$(dirname "$0")/../cli/lib.sh"
need ROOT EVENTS TRACEFS

# rows FILE: of tables with bars, and lines of timehist, without blanks
rows() {
	grep -e "|.*|.*|" -e "^ .*\[0" "$1" | tr -d " " | sed "s/^\((w)[a-z0-9_]\{20\}\)[^|]*|/\1|/" | grep -v -F -f moved | sort
}
# moved_works FILE: beginnings of the rows of works that ended on another CPU than they began on
moved_works() {
	$PERF script -i "$1" -F cpu,event,trace 2> err | awk '
		/workqueue_execute_start:/ { cpu[$5] = $1; name[$5] = $NF }
		/workqueue_execute_end:/ && $5 in cpu && cpu[$5] != $1 { print "(w)" substr(name[$5], 1, 20) }'
}
# same_rows PEER FILE ARGS...; may_differ: number of rows that need not be the same
may_differ=0
same_rows() {
	peer=$1 file=$2
	shift 2
	"$peer" kwork "$@" -i "$file" > theirs 2> err || skip "upstream cannot read $file: $(tail -n 1 err)"
	$PERF kwork "$@" -i "$file" > ours
	rows theirs > theirs.rows
	rows ours > ours.rows
	test "$(wc -l < theirs.rows)" -gt 2
	same theirs.rows ours.rows > difference && return
	test "$(grep -c "^+[^+]" difference)" -le $may_differ || { cat difference; echo "differs with: $*"; return 1; }
}
# all_same PEER FILE
all_same() {
	moved_works "$2" > moved
	same_rows "$1" "$2" report
	same_rows "$1" "$2" -k softirq,irq report -s count,max
	same_rows "$1" "$2" -k softirq report -C 0
	# of two raises before one run, upstream keeps the first one for a later run whose raise was not seen
	may_differ=1
	same_rows "$1" "$2" -k softirq latency
	same_rows "$1" "$2" -k softirq latency -s max
	same_rows "$1" "$2" -k softirq,irq timehist
	may_differ=0
}
record_of() { # PERF FILE OPTIONS...
	perf=$1 file=$2
	shift 2
	"$perf" kwork "$@" record -o "$file" -- sh -c "dd if=/dev/zero of=$TMP/zeros bs=64k count=100 conv=fsync; ls -lR /usr/share/doc" > rec.out 2>&1 ||
		skip "cannot record: $(tail -n 1 rec.out)"
}
check_if NEWEST 'a file of the newest upstream' '
	record_of "$NEWEST" theirs.data
	all_same "$NEWEST" theirs.data'
check_if NEWEST 'a file of ours, by the newest upstream' '
	record_of $PERF ours.data
	all_same "$NEWEST" ours.data'
check_if PEER61 'a file of ours, by 6.1' '
	record_of $PERF ours.data
	all_same "$PEER" ours.data'
check_if NEWEST 'top: CPU time of tasks within a hundredth' '
	record_of $PERF top.data -k sched,irq,softirq
	"$NEWEST" kwork top -i top.data > theirs 2> err
	$PERF kwork top -i top.data > ours
	# what is left of threads that run softirqs depends on how much of them each takes away
	for f in theirs ours; do
		awk "/ ms / && !/ksoftirqd/ { print \$1, \$3 }" $f | grep "^[1-9]" | sort > $f.rows
	done
	test "$(wc -l < theirs.rows)" -gt 2
	join theirs.rows ours.rows | awk "{ d = \$2 - \$3; if (d < 0) d = -d; if (d > 0.01 * \$2 + 0.2) { print; bad = 1 } } END { exit bad }"
	join theirs.rows ours.rows | wc -l > joined
	wc -l < theirs.rows | same - joined'
