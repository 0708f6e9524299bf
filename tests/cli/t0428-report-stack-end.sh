#!/bin/sh
# Why call chains end: perf report -s stack_end, its summary, perf script -F stack_end.
. "$(dirname "$0")/lib.sh"

# three maps: code of a program whose file is not here, its data, code that is there later
cat > fp.mk <<-END
	event cpu-clock type=software config=cpu-clock period=1 sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
	comm tid=100 comm="w" time=1
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/nowhere/w" time=2
	default tid=100 ip=0x1010 period=1
	repeat 60
	sample time=100+\$i chain=-128,0xffffffff81000000,-512,0x1010,0x1020
	end
	repeat 20
	sample time=200+\$i chain=-512,0x1010
	end
	repeat 10
	sample time=300+\$i chain=-512,0x1010,0x1020,0xb7ace770fe30acff
	end
	repeat 10
	sample time=400+\$i chain=-512,0x1010,0x1020,0x5000
	end
	repeat 5
	sample time=500+\$i chain=-128,0xffffffff81000000
	end
END
rows() { "$PERF" report -i x.data -g none --no-children "$@" 2> err | sed '/^#/d; /^$/d; s/^ *//; s/ *$//'; }

check 'chains of frame pointers: without a caller, through garbage, to an address of no code' '
	mkdata x.data < fp.mk
	rows -s stack_end > got
	printf "57.14%%  complete\n38.10%%  no-frame-pointer (w)\n4.76%%  none\n" | diff - got'
check 'the summary counts chains with a user part' '
	mkdata x.data < fp.mk
	"$PERF" report -i x.data -g none > out 2> err
	says "# stacks: 60.0% complete, 40.0% ended in code without frame pointers in w" out
	"$PERF" report --json -i x.data -g none > out 2> err
	says "\"complete\": 60," out
	says "\"no-frame-pointer\": 40," out'
check 'no summary where all is complete, or of a few stacks' '
	sed "/repeat 20/,\$d" fp.mk | mkdata x.data
	"$PERF" report -i x.data -g none > out
	says "Total Lost" out
	silent_about "stacks:" out
	sed "s/repeat [0-9]*/repeat 2/" fp.mk | mkdata x.data
	"$PERF" report -i x.data -g none > out
	says "Total Lost" out
	silent_about "stacks:" out'
check 'script shows it in front of the chain, and as a cell' '
	mkdata x.data < fp.mk
	"$PERF" script -i x.data -F comm,stack_end,ip > out 2> err
	test "$(grep -c "^w  complete" out)" = 60
	test "$(grep -c "no-frame-pointer (w)" out)" = 40
	"$PERF" script --json -i x.data -F comm,stack_end > out 2> err
	test "$(grep -c "\"stack_end\": \"complete\"" out)" = 60
	test "$(grep -c "\"stack_end-reason\": \"no user part of a call chain\"" out)" = 5'
check 'a chain as long as the kernel records is cut by that limit' '
	many=$(for i in $(seq 126); do printf ",0x1020"; done)
	sed "s/0x1010,0x1020$/0x1010$many/" fp.mk | mkdata x.data
	rows -s stack_end > got
	grep -q "^57.14%  depth-limit" got'
check 'folded stacks that were cut have a root that says so, not that of another stack' '
	mkdata x.data < fp.mk
	"$PERF" report -i x.data --folded -s comm > out 2> err
	says "w;[stack no-frame-pointer];[w] 20" out
	says "w;[stack no-frame-pointer];[w];[w] 20" out
	silent_about "stack complete" out'
check 'outermost callers where nothing is mapped are no frames' '
	{ cat fp.mk; echo "repeat 7"
	echo "sample time=600+\$i chain=-512,0x1010,0x5000,0x6000+\$i"; echo end
	echo "repeat 3"; echo "sample time=700+\$i chain=-512,0x5000,0x1020,0x6000"; echo end; } | mkdata x.data
	"$PERF" report -i x.data --folded -s comm > out 2> err
	says "w;[stack no-frame-pointer];[w] 27" out
	says "w;[stack no-frame-pointer];[w];[unknown] 3" out
	rows -s stack_end > got
	printf "52.17%%  complete\n43.48%%  no-frame-pointer (w)\n4.35%%  none\n" | diff - got
	"$PERF" script -i x.data -F ip | grep -c " 6000\$" > got
	test "$(cat got)" = 4'
check 'dumps of stacks: code without rules names its file' '
	mkdata x.data <<-END
	feature arch str:"x86_64"
	event cpu-clock config=cpu-clock sample=ip|tid|time|period|callchain|regs_user|stack_user regs_user=0x1c0 stack_user=16
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/nowhere/w" time=2
	sample tid=100 ip=0x1010 time=10 period=1 chain=-512 regs_user=2,0x7000,0x7000,0x1010 stack="0123456789abcdef0123456789abcdef"
	sample tid=100 ip=0x1010 time=11 period=1 chain=-512 regs_user=2,0,0x7000,0x1010 stack="0123456789abcdef0123456789abcdef"
	sample tid=100 ip=0x1010 time=12 period=1 chain=-512 regs_user=0
	END
	"$PERF" script -i x.data -F stack_end > got 2> err
	printf " no-unwind-info (w)\n complete\n none\n" | diff - got'
check_if GCC,EVENTS 'the dump that would have been enough is named, and is' '
	printf "%s\n" "volatile unsigned sink;" "__attribute__((noinline)) static unsigned leaf(unsigned n)" "{" \
		"	for (int i = 0; i < 2000; i++)" "		n = n * 1664525 + i;" "	return n;" "}" \
		"__attribute__((noinline)) static unsigned deep(unsigned n)" "{" "	volatile char room[1000];" "	room[n] = n;" \
		"	return n ? deep(n - 1) + room[1] : leaf(n) + room[2];" "}" \
		"int main(void)" "{" "	for (int i = 0; i < 20000; i++)" "		sink += deep(20);" "	return 0;" "}" > deep.c
	gcc -O1 -o deep deep.c
	$PERF record -q -e cpu-clock:u -F 2000 --call-graph dwarf -o deep.data ./deep > log
	$PERF report --stdio -i deep.data > out 2> err
	size=$(sed -n "s/^# stacks:.*dump (--call-graph dwarf,\([0-9]*\) would have been enough).*/\1/p" out)
	test "$size" -ge 21000 -a "$size" -lt 65528
	$PERF record -q -e cpu-clock:u -F 2000 --call-graph dwarf,$size -o deep.data ./deep > log
	$PERF report --stdio -s stack_end -g none -i deep.data > out 2> err
	says "complete" out
	grep -v "^#" out > rows
	silent_about "cut" rows'
