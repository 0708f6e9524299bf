#!/bin/sh
# perf report and script --stitch-lbr: call chains longer than the processor's LBR are put together.
. "$(dirname "$0")/lib.sh"

# calls FROM TO: "branch=" of a stack of these calls; call N is made at 0x1N00 and leads to 0x2N00 (N in hex)
calls() {
	out=
	for n in $(seq "$1" -1 "$2"); do
		out="$out${out:+,}$(printf '0x1%02x0:0x2%02x0:2' "$n" "$n")"
	done
	echo "branch=$out"
}
# stack TIME DEPTH [hw_idx=N] [tid=N]: a sample at that depth; the processor has room for 8 calls
stack() {
	time=$1 depth=$2
	shift 2
	echo "sample tid=100 ip=0x3000 time=$time period=1 chain=-512,0x3000 $(calls "$depth" $((depth > 8 ? depth - 7 : 1)))" "$@"
}
head_of() { # BRANCH-SAMPLE-TYPE
	cat <<-END
	feature cpu_pmu_caps u32:1 str:"branches" str:"8"
	event cycles config=0 period=1 sample=ip|tid|time|period|callchain|branch_stack branch=$1 flags=sample_id_all|comm|mmap2
	comm tid=100 comm="w" time=1
	mmap2 tid=100 addr=0x1000 len=0x4000 prot=5 flags=2 filename="/nowhere/w" time=2
	END
}
# frames ARGS...: of each sample, the number of its frames and where it ended
frames() {
	"$PERF" script -i x.data -F time,stack_end,ip "$@" 2> err |
		awk '/stack|complete|limit/ { why = $2 } /^\t/ { n++ } !NF { printf "%s%d %s", sep, n, why; n = 0; sep = "," } END { print "" }'
}
# last_chain ARGS...: the addresses of the last sample
last_chain() {
	"$PERF" script -i x.data -F ip "$@" 2> err | awk 'BEGIN { RS = "" } { last = $0 } END { gsub(/[ \t\n]+/, " ", last); print last }'
}

check 'without it, chains end where the processor had no room' '
	{ head_of 0x20801; stack 100 6 hw_idx=6; stack 200 12 hw_idx=4; stack 300 16 hw_idx=0; } | mkdata x.data
	test "$(frames)" = "7 complete,9 depth-limit,9 depth-limit"'
check 'with it, they go on where the sample before had the same calls' '
	test "$(frames --stitch-lbr)" = "7 complete,13 complete,17 complete"
	test "$(last_chain --stitch-lbr)" = " 3000 1100 10f0 10e0 10d0 10c0 10b0 10a0 1090 1080 1070 1060 1050 1040 1030 1020 1010"
	"$PERF" report --stitch-lbr -i x.data --no-children -g folded,address -s comm > out 2> err
	test "$(grep -c ";0x1020;0x1010$" out)" = 3'
check 'a sample that has no call in common with the one before begins anew' '
	{ head_of 0x20801; stack 100 6 hw_idx=6; stack 200 20 hw_idx=4; stack 300 22 hw_idx=6; } | mkdata x.data
	test "$(frames --stitch-lbr)" = "7 complete,9 depth-limit,11 depth-limit"'
check 'calls in other registers of the processor are others' '
	{ head_of 0x20801; stack 100 6 hw_idx=6; stack 200 12 hw_idx=5; } | mkdata x.data
	test "$(frames --stitch-lbr)" = "7 complete,9 depth-limit"'
check 'threads have nothing to do with each other, and one that is older joins nothing' '
	{
		head_of 0x20801
		echo "fork tid=200 pid=200 ppid=100 time=3"
		stack 100 6 hw_idx=6
		stack 200 12 hw_idx=4 | sed "s/tid=100/pid=200 tid=200/"
		stack 300 12 hw_idx=4
	} | mkdata x.data
	test "$(frames --stitch-lbr)" = "7 complete,9 depth-limit,13 complete"'
# the same call again and again: it could have been made any number of times
recursive() {
	echo "sample tid=100 ip=0x3000 time=$1 period=1 chain=-512,0x3000 branch=$(for i in 1 2 3 4 5 6 7; do printf 0x1500:0x2500:2,; done)0x1$2:0x2500:2"
}
check 'without numbers of registers, calls must fit at one place alone' '
	{ head_of 0x801; stack 100 6; stack 200 12; } | mkdata x.data
	test "$(frames --stitch-lbr)" = "7 complete,13 complete"
	{ head_of 0x801; recursive 100 400; recursive 200 500; recursive 300 500; } | mkdata x.data
	test "$(frames --stitch-lbr)" = "9 depth-limit,9 depth-limit,9 depth-limit"'
check 'any number of threads gives the same report' '
	{ head_of 0x20801; for i in $(seq 10 10 400); do stack ${i}0 6 hw_idx=6; stack ${i}5 12 hw_idx=4; done; } | mkdata x.data
	"$PERF" report --stitch-lbr -j 1 -i x.data --no-children -g folded,address -s comm > one 2> err
	"$PERF" report --stitch-lbr -j 8 -i x.data --no-children -g folded,address -s comm > many 2> err
	cmp one many
	grep -q "w" one'
check_if NEWEST 'the newest upstream stitches the same chains' '
	{ head_of 0x20801; stack 100 6 hw_idx=6; stack 200 12 hw_idx=4; stack 300 16 hw_idx=0; } | mkdata x.data
	"$NEWEST" script --stitch-lbr -i x.data -F ip 2> err | tr -s " \t\n" " " > theirs
	"$PERF" script --stitch-lbr -i x.data -F ip 2> err | tr -s " \t\n" " " > ours
	cmp theirs ours'
