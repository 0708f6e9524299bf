#!/bin/sh
# Files of counts, both ways: what we record is shown by upstream with the same numbers, what upstream records
# by us. The newest release refuses its own plain files (of one feature that it writes empty), so it is asked
# for streams.
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS ROOT
have_NEWEST > /dev/null || need PEER61
have_NEWEST > /dev/null || NEWEST=
have_PEER61 > /dev/null || PEER=

# shown WHO FILE ARGS...: time or place, count and event of each line, blanks and thousands evened out
shown() {
	who=$1 file=$2
	shift 2
	"$who" stat report -i "$file" "$@" 2>&1 | sed -n "s/ *#  .*//; s/[0-9],\([0-9]\)/&/; /task-clock\|dummy\|faults\|cycles\|duration/p" |
		sed "s/\([0-9]\),\([0-9]\)/\1\2/g; s/ ns / /; s/  */ /g; s/^ //; s/ *$//"
}
# same_shown FILE WHO ARGS...: ours shows what WHO does
same_shown() {
	f=$1 w=$2
	shift 2
	shown "$w" "$f" "$@" > theirs
	shown "$PERF" "$f" "$@" > ours
	test -s theirs
	same theirs ours || { echo "$w $f $*"; return 1; }
}
same_script() {
	"$2" script -i "$1" > theirs 2> /dev/null
	$PERF script -i "$1" > ours
	test -s theirs
	same theirs ours || { echo "$2 $1"; return 1; }
}
EV='-e task-clock,dummy,page-faults,duration_time'

check_if PEER61 'ours, read by the packaged one' '
	$PERF stat record -o x.data $EV true 2> /dev/null
	same_shown x.data "$PEER"
	same_script x.data "$PEER"
	$PERF stat record -o x.data -a $EV true 2> /dev/null
	same_shown x.data "$PEER"
	same_script x.data "$PEER"
	for m in -A --per-socket --per-die --per-core --per-node; do
		shown "$PEER" x.data $m | grep -v duration > theirs
		shown "$PERF" x.data $m | grep -v duration > ours
		same theirs ours
	done
	$PERF stat record -o x.data -e cycles:u,dummy true 2> /dev/null
	same_shown x.data "$PEER"
'
check_if PEER61 'our intervals and streams, read by the packaged one' '
	$PERF stat record -o x.data -I 20 -a -e task-clock,dummy,page-faults sleep 0.4 2> /dev/null
	same_shown x.data "$PEER"
	same_shown x.data "$PEER" -A
	same_script x.data "$PEER"
	$PERF stat record -o - -a -e task-clock,dummy true > pipe.data 2> /dev/null
	"$PEER" stat report -i - < pipe.data 2>&1 | grep -c "task-clock\|dummy" | finds -x 2
'
check_if PEER61 'our control groups and times do not stop the packaged one' '
	grep -qE "cgroup2| cgroup .*perf_event" /proc/mounts || skip "no control groups for perf events"
	$PERF stat record -o x.data -a --for-each-cgroup / -e dummy,page-faults true 2> /dev/null
	same_script x.data "$PEER"
	"$PEER" stat report -i x.data 2> err
	test "$(grep -c "dummy  \|page-faults  " err)" = 2
	not grep -qi "unknown\|invalid\|fail" err
'
check_if PEER61 'threads of ours, read by the packaged one' '
	sleep 600 &
	pid=$!
	$PERF stat record -o x.data --per-thread -p $pid,$$ -e dummy,page-faults true 2> /dev/null
	same_script x.data "$PEER"
	kill $pid
'
check_if PEER61 'files of the packaged one, read by us' '
	for o in "true" "-a true" "-a -A true" "-a --per-socket true" "-a --per-core true" "-a --per-node true" "-I 20 -a sleep 0.4" \
			"-a --per-die true"; do
		"$PEER" stat record -o x.data -e task-clock,dummy,page-faults $o 2> /dev/null
		same_shown x.data "$PEER"
		same_script x.data "$PEER"
	done
	"$PEER" stat record -o - -a -e task-clock,dummy true 2> /dev/null > pipe.data
	$PERF stat report -i - < pipe.data 2>&1 | grep -c "task-clock\|dummy" | finds -x 2
'
check_if NEWEST 'ours, read by the newest' '
	for o in "true" "-a true" "-a -A true" "-a --per-socket true" "-a --per-core true" "-a --per-node true" "-a --per-die true"; do
		$PERF stat record -o x.data $EV $o 2> /dev/null
		same_shown x.data "$NEWEST"
		same_script x.data "$NEWEST"
	done
	$PERF stat record -o x.data -a -e dummy,page-faults true 2> /dev/null
	for m in -A --per-socket --per-die --per-core --per-node; do
		same_shown x.data "$NEWEST" $m
	done
	if [ -e /sys/devices/system/cpu/cpu0/cache/index0/id ]; then
		same_shown x.data "$NEWEST" --per-cache
	fi
'
check_if NEWEST 'streams of the newest, read by us' '
	for o in "true" "-a true" "-a -A true"; do
		"$NEWEST" stat record -o - -e task-clock,dummy,page-faults $o 2> /dev/null > pipe.data
		"$NEWEST" stat report -i - < pipe.data 2>&1 | grep -o "[0-9.]* *\(msec\)* *\(task-clock\|dummy\|page-faults\)" > theirs
		$PERF stat report -i - < pipe.data 2>&1 | sed "s/\([0-9]\),\([0-9]\)/\1\2/g" |
			grep -o "[0-9.]* *\(msec\)* *\(task-clock\|dummy\|page-faults\)" > ours
		test -s theirs
		same theirs ours
	done
'
check_if NEWEST 'files of the newest, read by us' '
	counts() { sed "s/\([0-9]\),\([0-9]\)/\1\2/g" | grep -o "CPU[01] *[0-9.]* *\(msec\)* *\(task-clock\|dummy\|page-faults\)" | sed "s/  */ /g"; }
	"$NEWEST" stat record -o x.data -a -A -e task-clock,dummy,page-faults true 2> live
	counts < live > theirs
	$PERF stat report -i x.data 2>&1 | counts > ours
	test -s theirs
	same theirs ours
'
