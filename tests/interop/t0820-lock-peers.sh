#!/bin/sh
# perf lock: the same rows as from upstream, of files of both. What differs on purpose: a wait whose end is
# missing is not counted (upstream by thread counts it), idle tasks are told apart by CPU, tasks that never
# called exec have the name of their parent, locks without a class are named by variable or address, a
# variable names only what is in it, waits of a caller for two kinds of locks are two rows, and waits
# with equal kernel frames are one row, wherever their programs were.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST ROOT EVENTS TRACEFS

# same_rows FILE ARGS...: numbers and names. Upstream prints to standard error, and rounds halves of text in
# single precision, so separated values are compared
same_rows() {
	file=$1
	shift
	"$NEWEST" lock contention -i "$file" -x, "$@" > theirs 2>&1
	$PERF lock contention -i "$file" -x, "$@" > ours
	for f in theirs ours; do
		grep "^# output" $f > $f.rows
		grep "^[0-9]" $f | add_up | sort >> $f.rows
	done
	# there may be no wait of one kind
	case $* in *-Y* | *-S*) least=1 ;; *) least=3 ;; esac
	test "$(wc -l < theirs.rows)" -ge $least
	same theirs.rows ours.rows || { echo "differs with: $*"; return 1; }
}
# rows with equal names become one: upstream has a row for each chain, in which it counts frames of programs
add_up() {
	awk -F ", " '{
		# a caller that takes two kinds of locks is one row there; the name of a variable can be far away
		name = NF == 7 ? ", " $5 ", " $7 : ", " $NF
		nr[name] += $1; total[name] += $2
		if ($3 > max[name])
			max[name] = $3
	} END { for (name in nr) print nr[name] ", " total[name] ", " max[name] name }'
}
all_same() {
	same_rows "$1"
	same_rows "$1" -l
	same_rows "$1" -Y spinlock -k wait_max
	same_rows "$1" --stack-skip 2
	same_rows "$1" --stack-skip 0 --max-stack 5
	same_rows "$1" -S unix
	# text: the same words, in the same places of a line
	"$NEWEST" lock contention -i "$1" 2>&1 | grep " contended " | tr -s " " > theirs
	$PERF lock contention -i "$1" | grep " contended " | tr -s " " | same theirs -
}
check 'a file of upstream' '
	"$NEWEST" lock record -o theirs.data -- $(command -v sh) -c "for i in 1 2 3; do $NEWEST bench sched messaging -g 2 -l 50 > /dev/null & done; wait" > rec.out 2>&1 ||
		skip "upstream cannot record: $(tail -n 1 rec.out)"
	"$NEWEST" lock contention -i theirs.data > theirs 2>&1
	grep -q unix theirs || skip "nothing waited in a socket"
	all_same theirs.data'
check 'a file of ours' '
	$PERF lock record -q -o ours.data -- sh -c "for i in 1 2 3; do $NEWEST bench sched messaging -g 2 -l 50 > /dev/null & done; wait" > rec.out 2>&1
	$PERF lock contention -i ours.data > ours
	grep -q unix ours || skip "nothing waited in a socket"
	all_same ours.data'

# lockdep events and all kinds of locks, assembled
trace_format lock_acquire 11 8:lockdep_addr 4:flags text:name > f1
for e in 2:lock_acquired 3:lock_contended 4:lock_release; do
	trace_format ${e#*:} 1${e%:*} 8:lockdep_addr text:name > f${e%:*}
done
dep() {
	for e in 1:lock_acquire 2:lock_acquired 3:lock_contended 4:lock_release; do
		echo "event lock:${e#*:} type=tracepoint config=1${e%:*} sample=identifier|ip|tid|time|cpu|raw|period ids=${e%:*}"
	done
	echo 'feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,0,8 u32:4096'
	echo 'feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0'
	echo 'feature tracing_data u32:1 text:"lock" u8:0 u32:4'
	for e in 1 2 3 4; do
		echo "feature tracing_data u64:$(wc -c < f$e) file:f$e"
	done
	echo 'feature tracing_data u32:0,0 u64:0'
	echo 'feature event_desc'
	echo 'comm pid=5 tid=5 comm="five"'
	acquire 1000 0x100 0; ev 2 1100 0x100; ev 4 1500 0x100
	acquire 2000 0x100 0; ev 3 2100 0x100; ev 2 2600 0x100; ev 4 3000 0x100
	acquire 4000 0x100 1; ev 4 4100 0x100
	acquire 5000 0x100 2; ev 2 5100 0x100; ev 4 5500 0x100
	acquire 6000 0x200 0; ev 2 6100 0x200; ev 4 6200 0x200
	N=lockbbb T=6
	acquire 8000 0x300 0; ev 3 8100 0x300; ev 2 8500 0x300; ev 4 8600 0x300
	N= T=
}
acquire() {
	echo "sample id=1 pid=${T:-5} tid=${T:-5} cpu=0 time=$1 u16:11 u8:0,0 u32:5 u64:$2,$3 u32:$((32 + (8 << 16))),0 text:\"${N:-lockaaa}\" u8:0"
}
ev() {
	echo "sample id=$1 pid=${T:-5} tid=${T:-5} cpu=0 time=$2 u16:1$1 u8:0,0 u32:5 u64:$3 u32:$((24 + (8 << 16))),0 text:\"${N:-lockaaa}\" u8:0"
}
# reports PEER: of an assembled file
reports() {
	for args in "" -c -t "-k wait_max -F acquired"; do
		"$1" lock report -i dep.data $args > theirs 2>&1
		$PERF lock report -i dep.data $args > ours
		for f in theirs ours; do
			tr -s " " < $f | grep "^ [a-z:0-9]*.* ns" | sed "s/ $//" | sort > $f.rows
		done
		test -s theirs.rows
		same theirs.rows ours.rows || { echo "differs with: $args"; return 1; }
	done
}
check 'reports of lockdep events' '
	dep | mkdata dep.data
	reports "$NEWEST"'
check_if PEER61 'reports of lockdep events, 6.1' '
	dep | mkdata dep.data
	reports "$PEER"'
