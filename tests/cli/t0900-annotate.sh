#!/bin/sh
# perf annotate: instructions, source lines and shares of a small program.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/x86-code-lib.sh"
need X86_CODE

x86_code > prog.s
link_x86_code -g

profile() {
	off=$(readelf -lW prog | awk '$1 == "LOAD" && $7 ~ /E/ { print $2; exit }')
	cat <<-END
	event cpu-clock config=cpu-clock period=100 ids=1 sample=identifier|ip|tid|time|period flags=sample_id_all|mmap2
	event task-clock config=task-clock period=100 ids=2 sample=identifier|ip|tid|time|period flags=sample_id_all
	mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=${off:-0x1000} prot=5 flags=2 filename="$PWD/prog" time=1
	sample ip=0x401002 tid=100 time=10 period=100 id=1
	sample ip=0x401004 tid=100 time=11 period=300 id=1
	sample ip=0x401004 tid=100 time=12 period=300 id=1
	sample ip=0x40100f tid=100 time=13 period=300 id=1
	sample ip=0x401002 tid=100 time=14 period=50 id=2
	$1
	END
}
profile | mkdata x.data

check 'instructions have the shares of their function, and source lines' '
	$PERF annotate -i x.data -s _start > out
	expect stdio out
'
check 'source files that are not found are named once, with the remedy' '
	mkdir -p moved
	mv prog.s moved
	$PERF annotate -i x.data > out 2> err
	says "Warning: source file $PWD/prog.s: No such file or directory" err
	says "Hint: --prefix DIR [--prefix-strip N] puts DIR before" err
	test "$(grep -c Warning err)" = 1
	silent_about "xor %eax, %eax" out
	n=$(echo "$PWD" | tr -cd / | wc -c)
	$PERF annotate -i x.data --prefix "$PWD/moved" --prefix-strip $n > out 2> err
	says "xor %eax, %eax" out
	test ! -s err
	$PERF annotate -i x.data --no-source > out 2> err
	test ! -s err
	mv moved/prog.s .
'
check 'a symbol can be an argument; functions come with the largest period first' '
	$PERF annotate -i x.data leaf > leaf
	says "leaf>:" leaf
	silent_about "_start>:" leaf
	$PERF annotate -i x.data --no-source > all
	grep ">:" all > names
	printf "%s\n" _start leaf _start > want
	sed "s/.*<//; s/>.*//" names | same want -
'
check 'compact text marks where jumps go' '
	$PERF annotate -i x.data --stdio2 -s _start | sed "s,() .*/,() ," > out
	expect stdio2 out
'
check 'samples, periods and other shares' '
	$PERF annotate -i x.data -n -s _start --no-source > nr
	says "       2 :   401004:" nr
	$PERF annotate -i x.data --show-total-period -s _start --no-source > period
	says "         600 :   401004:" period
	$PERF annotate -i x.data --percent-type global-hits -s _start --no-source > hits
	says "   50.00 :   401004:" hits
	says "percent: global hits" hits
	$PERF annotate -i x.data --percent-type global-period -s _start --no-source > all
	says "   60.00 :   401004:" all
	fails_with 129 $PERF annotate -i x.data --percent-type all 2> err
	says "takes local-period, local-hits" err
'
check 'small functions are left out by --percent-limit' '
	$PERF annotate -i x.data --percent-limit 40 --no-source > out
	test "$(grep -c ">:" out)" = 2
	silent_about "leaf>:" out
'
check 'bytes, the syntax of Intel, a summary of source lines' '
	$PERF annotate -i x.data -s _start --asm-raw --no-source > raw
	says "401004:   83 f8 0a                cmpl" raw
	$PERF annotate -i x.data -s _start -M intel --no-source > intel
	says "cmp    eax,0xa" intel
	$PERF annotate -i x.data -l -s _start > lines
	says "   85.71 prog.s:5" lines
	fails_with 129 $PERF annotate -i x.data -M arm 2> err
'
check 'events of a group are columns side by side' '
	profile "feature group_desc u32:1 str:\"\" u32:0,2" | mkdata group.data
	$PERF annotate -i group.data --group -s _start --no-source > out
	says "for cpu-clock, task-clock" out
	says "   14.29  100.00 :   401002:" out
'
check 'JSON has instructions, targets and hits' '
	$PERF annotate -i x.data -s _start --json > out
	python3 -c "
import json
d = json.load(open(\"out\"))
f = d[\"functions\"][0]
assert d[\"version\"] == 1 and f[\"symbol\"] == \"_start\" and len(d[\"functions\"]) == 2
insn = [l for l in f[\"lines\"] if \"address\" in l]
assert [i[\"address\"] for i in insn] == [0x401000, 0x401002, 0x401004, 0x401007, 0x401009, 0x40100e], insn
assert insn[2][\"hits\"][0][\"samples\"] == 2 and insn[2][\"srcline\"] == \"prog.s:5\"
assert insn[3][\"target\"] == 0x401002
"
'
check 'a function without code is named with the reason; --skip-missing leaves it out' '
	profile | sed "s|$PWD/prog|$PWD/gone|" | mkdata gone.data
	$PERF annotate -i gone.data 2> err
	says "no sample is in a function" err
	says "/gone was not found; --symfs DIR" err
	echo "event cycles type=hardware config=0 sample=ip|tid|time" | mkdata empty.data
	$PERF annotate -i empty.data 2> err
	says "empty.data has no samples" err
	$PERF annotate -i x.data --skip-missing > out
	says "_start>:" out
'
have_DEMANGLE() { "$PERF" check -q feature libiberty || { echo "built without libiberty"; return 1; }; }
check_if DEMANGLE 'a C++ function is given as shown, as in its file, or without parameters' '
	printf "%s\n" ".globl _start" "_start: nop" ".type _ZN4shop5orderEi, @function" "_ZN4shop5orderEi: nop" ".size _ZN4shop5orderEi, 1" \
		".type _ZN4shop5orderEd, @function" "_ZN4shop5orderEd: nop" ".size _ZN4shop5orderEd, 1" > cxx.s
	gcc -nostdlib -static -Wl,-Ttext=0x401000 -Wl,--build-id=none -o cxx cxx.s
	profile | sed "s|$PWD/prog|$PWD/cxx|; s/0x40100[f4]/0x401001/" | mkdata cxx.data
	for name in "shop::order(int)" _ZN4shop5orderEi; do
		$PERF annotate -i cxx.data "$name" > out
		says "<shop::order(int)>:" out
		not grep -q "order(double)" out
	done
	$PERF annotate -i cxx.data shop::ord 2> err
	says "(there are samples in '\''shop::order(" err
	$PERF annotate -i cxx.data order > out
	says "<shop::order(int)>:" out
	says "<shop::order(double)>:" out
	$PERF annotate -i cxx.data shop 2> err
	$PERF annotate -i cxx.data shop::order > out
	says "<shop::order(double)>:" out'
check 'notes name inlined code: innermost and outermost function' '
	cat > in.c <<-"EOF"
	static volatile int x;
	static inline __attribute__((always_inline)) void inner(void)
	{
		x = 1;
	}
	static inline __attribute__((always_inline)) void middle(void)
	{
		inner();
	}
	static inline __attribute__((always_inline)) void outer(void)
	{
		middle();
		x = 2;
	}
	void _start(void)
	{
		x = 3;
		outer();
		x = 4;
	}
	EOF
	gcc -O1 -g -nostdlib -static -Wl,-Ttext=0x401000 -Wl,--build-id=none -o in in.c
	profile | sed "s|$PWD/prog|$PWD/in|; s/0x40100[f4]/0x401000/" | mkdata in.data
	profile | sed "s|$PWD/prog|$PWD/in|; s/0x40100[f4]/0x40100a/" | mkdata copy.data
	$PERF annotate -i in.data -s _start > out
	sed -n "s/.*:  *\\((.*)\\)$/\\1/p; s/.*, *\\(.*(%rip)\\).*/insn/p" out | grep -v "^(%" > got
	printf "%s\n" insn "(inlined inner in 1 more in outer)" insn "(inlined outer)" insn "(not inlined)" insn > want
	head -n 7 got | same want -
	$PERF annotate -i in.data -s _start --no-source > out
	silent_about inlined out
	$PERF annotate -i in.data -s _start --json > out
	says "\"note\": \"inlined outer\"" out
	# it has no samples of its own
	$PERF annotate -i copy.data inner 2> err
	says "no sample is in a function '\''inner'\'': it was inlined into '\''_start'\''" err
	says "annotate what it was inlined into" err'
check 'a function without samples is told, wrong arguments are errors' '
	for how in --stdio --stdio2; do
		$PERF annotate -i x.data $how nothing > out 2> err
		says "Warning: no sample is in a function '\''nothing'\''" err
		test ! -s out
	done
	$PERF annotate -i x.data --json nothing > out 2> err
	tr -d "\n" < out > flat
	says "\"functions\": []}" flat
	fails_with 129 $PERF annotate -i x.data a b 2> err
	for o in "--stdio --json" "--tui --stdio2" "--stdio2 --json" "--tui --stdio"; do
		fails_with 129 $PERF annotate -i x.data $o 2> err
		says "${o% *} and ${o#* } exclude each other" err
	done
'
check 'the same text with any number of threads' '
	$PERF annotate -i x.data -j 1 > one
	$PERF annotate -i x.data -j 8 > eight
	same one eight
'
check_if TUI 'in the terminal: the hottest function first; jumps, calls and back, hot lines, search, numbers' '
	cat > steps <<-END
	size 20 80
	wait _start  $PWD
	selected cmp
	key s
	gone .Lagain
	screen
	key END UP UP
	selected jne
	key ENTER
	selected inc
	key TAB
	selected cmp
	key UNTAB
	key /
	wait Search: _
	type call
	key ENTER
	selected call
	key ENTER
	wait leaf  $PWD
	key h
	wait Keys of code
	key q
	gone Keys of code
	key t
	wait Period
	key t
	wait Samples  
	key o
	wait 40100f:
	key q
	wait _start  $PWD
	key P
	wait _start.annotation
	key ENTER
	wait written to _start.annotation
	key q
	wait Functions with samples
	key d
	wait Shared Object is
	key DOWN ENTER
	wait Actions
	key ENTER
	wait Shared Object is
	key CTRL-C
	ends 0
	clean
	END
	tui $PERF annotate -i x.data < steps > out
	sed "s#$PWD#DIR#" out > tui
	expect tui tui
	says "cmp" _start.annotation
'
check_if TUI 'in the terminal: bytes are a column, shares say what they are of, 20 columns show code' '
	cat > steps <<-END
	size 20 80
	wait _start  $PWD
	key o
	wait 75 f9                   jne
	key p
	wait percent: global period
	key t b
	wait percent: global hits (t shows them)
	key o
	size 20 20
	selected cm>
	key q q
	ends 0
	END
	tui $PERF annotate -i x.data < steps
'
check_if TUI 'random keys end nothing in code either' '
	printf "wait _start\nfuzz ${FUZZ_KEYS-2000} 5\n" > steps
	tui $PERF annotate -i x.data < steps
'
