#!/bin/sh
# Call chains that end in garbage, as those of programs without frame pointers do: every command keeps the
# frames before it.
. "$(dirname "$0")/lib.sh"

cat > top.mk <<-END
	event cpu-clock type=software config=cpu-clock sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
	comm tid=100 comm="w" time=1
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/nowhere/w" time=2
	mmap2 tid=100 addr=0x8000 len=0x1000 prot=5 flags=2 filename="/nowhere/lib" time=2
END
# garbage VALUE: x.data, a chain with that value in its middle
garbage() {
	{ cat top.mk; echo "sample tid=100 ip=0x1010 time=1000 period=1 chain=-512,0x1010,0x1020,$1,0x8010"; } | mkdata x.data
}

check 'in user space nothing is said of it' '
	for value in -1 -16 0xb7ace770fe30acff 0x2f736b636174732d 0 4095; do
		garbage $value
		"$PERF" script -i x.data -F ip > got 2> err
		test "$(tr -s "\n\t " " " < got)" = " 1010 1020 "
		not grep -q "call chain" err
		"$PERF" report -i x.data --no-children -g folded,address -s comm 2> err | grep -v "^#" | tr -s "\n " " " > got
		grep -q "100.00% 0x1010;0x1020 " got
		not grep -q "call chain" err
	done'
check 'addresses before the first marker are looked for on both sides, in script as in report' '
	{ cat top.mk; echo "sample tid=100 ip=0x1010 time=1000 period=1 misc=kernel chain=0x1010,0x8010"; } | mkdata x.data
	"$PERF" script -i x.data -F ip,dso 2> err | grep -c nowhere > nr
	test "$(cat nr)" = 2'
check 'a file that only a call chain recorded later leads to counts as hit' '
	id=cc02030405060708090a0b0c0d0e0f1011121314
	{ sed "1s/mmap2$/mmap2|defer_callchain|defer_output/" top.mk
	echo "sample tid=100 ip=0xffffffff81000100 misc=kernel time=1000 chain=-128,0xffffffff81000100,-640,77"
	echo "callchain_deferred tid=100 time=1002 cookie=77 chain=-512,0x8010"
	echo "build_id misc=0x8002 pid=-1 id_size=20 id=$id filename=/nowhere/lib"; } | mkdata x.data
	"$PERF" buildid-list -H -i x.data | finds "^$id /nowhere/lib$"'
check 'a chain of the full depth that left mapped code does not count as cut by that depth' '
	{ cat top.mk; echo "sample tid=100 ip=0x1010 time=1000 period=1 chain=-512,0x1010$(printf ",0x5550%02d" $(seq 10 99))$(printf ",0x6660%02d" $(seq 10 99))"; } | mkdata x.data
	"$PERF" report -i x.data --stdio -s stack_end -g none > got
	says "no-frame-pointer (w)" got'
# many CHAIN: x.data, with that chain in forty samples
many() {
	{ cat top.mk; printf "repeat 40\nsample tid=100 ip=0x1010 time=1000+\$i period=1 chain=$1\nend\n"; } | mkdata x.data
}
# says_so ARGS...: whether the command names the program that has no frame pointers, once
says_so() {
	"$PERF" "$@" -i x.data 2> err > got
	grep -q w got || exit 1
	test "$(grep -c "most call chains of w have only one or two frames.*--call-graph dwarf" err)" = 1
}

check 'a program whose chains are short was built without frame pointers' '
	for chain in -512,0x1010 -128,0xffffffff81000100,-512,0x1010,0x1020 -512,0x1010,0x1020,0x77777777,0x1030; do
		many $chain
		says_so script
		says_so script -j 8
		says_so report -j 1
		says_so report --no-children -g caller
	done'
check 'not where chains are long, cut, or not of frame pointers; nor for a few samples' '
	many -512,0x1010,0x1020,0x8030
	not says_so script
	not says_so report
	many -512,0x1010,0x1020
	not says_so script --max-stack 2
	not says_so report --max-stack 2
	not says_so script -G
	sed -i "1s/callchain/callchain|regs_user|stack_user/; 1s/$/ regs_user=0/" top.mk
	many -512,0x1010,0x1020
	not says_so script
	not says_so report
	garbage -1
	not says_so report'
