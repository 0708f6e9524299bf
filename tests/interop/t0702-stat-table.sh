#!/bin/sh
# The table to the byte: upstream's and ours over the same scripted counters. Not compared are times, what is
# derived from them, and the notes below the table, which are ours alone; and the width of the column of
# control groups, which newer ones align.
. "$(dirname "$0")/../cli/lib.sh"
need GCC PEER61

gcc -O1 -shared -fPIC -o double.so "$SRC/tests/interop/count-double.c" -ldl || exit 1

export COUNT_DOUBLE='0:0=3000000000 0:1=4500000000 0:4=900000000/1000000000/500000000 0:5=9000000 0:7=600000000 0:8=300000000
0:3=1000/1000/0 1:1=1000000000 1:0=1000000000 1:3=1234 1:4=56 1:2=78901 0:6=-2 1:5=12 1:6=0/0/0 4:1a2=77'
COUNT_DOUBLE=$(echo $COUNT_DOUBLE)

mask() {
	sed -e '/^ [a-z].*/d' -e 's/#  *[0-9.]* CPUs utilized *$/#    X CPUs utilized/' \
		-e 's/^  *[0-9.]* seconds \(user\|sys\)/ T \1/' -e 's/^  *[0-9.]* seconds time/ T time/' \
		-e 's/^  *[0-9.]* +- [0-9.]* seconds time elapsed.*/ T/' -e 's/^ *[0-9]*\.[0-9]\{9\} / I /' \
		-e 's| / *| / |' | cat -s
}
# same ARGS: both print the same table
same() {
	for tool in "$PEER" "$PERF"; do
		opts=
		[ "$tool" = "$PEER" ] || opts=--no-big-num
		# upstream may miss the only interval of a command that is over at once
		for again in 1 2 3; do
			LD_PRELOAD=$PWD/double.so "$tool" stat $opts "$@" 2> err > /dev/null || { cat err; return 1; }
			[ ! -s err ] || break
		done
		mask < err > "out-$(basename "$(dirname "$tool")")"
	done
	diff "out-$(basename "$(dirname "$PEER")")" "out-$(basename "$(dirname "$PERF")")"
}

check 'a command, with its rates and shares' '
	same true
	same -e instructions,cycles,branches,branch-misses,task-clock true
	same -e cycles:u,instructions:k,cs true
	same -e "{cycles,instructions},cs" true
	same -e minor-faults,cpu-clock,r1a2 true
'
check 'multiplexed, never on a counter, not supported, never enabled' '
	same -e branches,cache-misses,bus-cycles,major-faults true
	same -a -e branches,cs true
	same --no-scale -e branches true
'
check 'by CPU, core, die, socket, node' '
	for how in -A --per-core --per-die --per-socket --per-node; do
		same -a $how -e cycles,instructions,cs,task-clock true
	done
'
check 'in intervals' '
	# one, however long it takes
	same -I 100000 -e cycles,instructions,cs true
	for how in -A --per-core --per-die --per-socket --per-node; do
		same -a $how -I 100000 -e cycles,cs true
	done
'
check 'repeated, delayed, by cgroup' '
	same -r 2 -e cycles,instructions,cs true
	same -r 2 -a --per-core -e cycles,cs true
	same -D 1 -e cs sleep 0.3
	same -a --for-each-cgroup / -e cs,cycles true
'
