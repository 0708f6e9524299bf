#!/bin/sh
# perf script and report: inlined callers of frames that come again, and of chains that turn out damaged.
. "$(dirname "$0")/lib.sh"
need GCC

cat > w.c <<-END
	static inline __attribute__((always_inline)) long work(long n) { volatile long s = 0; while (n--) s += n; return s; }
	static inline __attribute__((always_inline)) long twice(long n) { return work(n) + 1; }
	__attribute__((noinline)) long outer(long n) { return twice(n); }
	long copy(long n) __asm__("twice");
	__attribute__((noinline)) long copy(long n) { return twice(n); }
	__attribute__((noinline)) long around(long n)
	{
		__attribute__((noinline)) long inner(long k) { return twice(k) + n; }
		return inner(n) + inner(n + 1);
	}
	int main(int argc, char **argv) { return outer(argc + argv[0][0]) + copy(argc) + around(argc); }
END
gcc -g -O2 -nostartfiles -static -Wl,-Ttext=0x401000 -Wl,-eouter w.c -o w 2> err || { cat err; exit 1; }
# at: an address inside outer; copy: inside the function whose symbol is that of what is inlined into it
at=$(readelf -sW w | awk '$8 == "outer" { print $2 }')
copy=$(readelf -sW w | awk '$8 == "twice" { print $2 }')
off=$(readelf -SW w | awk '{ sub(/^ *\[ *[0-9]+\]/, "") } $1 == ".text" { print "0x" $4; exit }')

cat > top.mk <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|period|callchain flags=sample_id_all|mmap2|comm
	comm tid=100 comm="w" time=1
	mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=$off prot=5 filename="$PWD/w" time=2
END

check 'the second time a frame is shown as the first time' '
	{ cat top.mk; echo "repeat 20000"
	echo "sample tid=100 ip=0x$at+20 time=1000+\$i chain=-512,0x$at+20,0x$copy+20 period=1"; echo end; } | mkdata two.data
	"$PERF" script -i two.data -F ip,sym > got
	nr=$(($(wc -l < got) / 20000))
	head -n $nr got > first
	tail -n $nr got > second
	grep -q "work (inlined)" first
	grep -q "twice (inlined)" first
	test "$(grep -c "twice$" first)" = 2
	diff first second	# they are far apart: frames of one batch wait together'
check 'a damaged chain keeps the frames before the damage, and is counted once' '
	{ cat top.mk
	echo "sample tid=100 ip=0x$at+20 time=1000 chain=0x$at+20,-16,0x$at+20 period=1"
	echo "sample tid=100 ip=0x$at+20 time=1001 chain=-512,0x$at+20 period=1"; } | mkdata bad.data
	"$PERF" script -i bad.data -F ip,sym > got 2> err
	grep -q "1 call chains are damaged" err	# although the record was looked at twice
	test "$(grep -c "outer" got)" = 2'
check 'report: names of inlined functions are whole, though columns are no wider than the other names' '
	{ cat top.mk; echo "sample tid=100 ip=0x$at+20 time=1000 chain=-512,0x$at+20 period=1"; } | mkdata one.data
	"$PERF" report --stdio --children -g none -i one.data > got
	grep -q "^# .*  \.\.\.\.\.\.\.\.\.$" got
	grep -q "w  *\[\.\] twice (inlined)$" got
	"$PERF" report --stdio --children -g none -w 0,0,0,0,12 -i one.data | grep -q "w  *\[\.\] twice (i*$"'
check 'a function inside a function, as lambdas and methods of local classes are' '
	inner=$(readelf -sW w | awk "\$8 ~ /^inner/ { print \$2 }")
	{ cat top.mk; echo "sample tid=100 ip=0x$inner+20 time=1000 chain=-512,0x$inner+20 period=1"; } | mkdata inner.data
	"$PERF" script -i inner.data -F ip,sym > got
	grep -q "twice (inlined)" got'
check 'packed debug information says the same, with lines and without' '
	{ cat top.mk; echo "sample tid=100 ip=0x$at+20 time=1000 chain=-512,0x$at+20,0x$copy+20 period=1"; } | mkdata packed.data
	for how in "report --stdio -g caller" "script -F ip,sym,srcline"; do
		"$PERF" $how -i packed.data > plain
		objcopy --compress-debug-sections=zlib w z
		cp w keep; cp z w
		"$PERF" $how -i packed.data > packed
		cp keep w
		same plain packed
		grep -q "(inlined)" packed
	done
	grep -q "w\.c:2 (inlined)" packed'
