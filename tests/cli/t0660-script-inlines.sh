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
	"$PERF" report --stdio --children -g none -w 0,0,0,0,12 -i one.data | finds "w  *\[\.\] twice (i*$"'
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
# a program of three units
for unit in one two three; do
	printf 'static inline __attribute__((always_inline)) long in_%s(long n) { volatile long s = 0; while (n--) s += n; return s; }
		__attribute__((noinline)) long %s(long n) { return in_%s(n); }\n' $unit $unit $unit > $unit.c
	gcc -g -O2 -c $unit.c
done
gcc -nostartfiles -static -Wl,-Ttext=0x401000 -Wl,-eone one.o two.o three.o -o units 2> err || { cat err; exit 1; }
address_of() { readelf -sW units | awk -v f="$1" '$8 == f { print "0x" $2 }'; }
check 'of packed debug information of several units, those are read that have addresses' '
	off=$(readelf -SW units | awk "{ sub(/^ *\[ *[0-9]+\]/, \"\") } \$1 == \".text\" { print \"0x\" \$4; exit }")
	sed "s/\"w\"/\"units\"/; s,/w\",/units\",; s/pgoff=[^ ]*/pgoff=$off/" top.mk > units.mk
	for of in "one" "two" "three" "one three"; do
		{ cat units.mk; for f in $of; do
			a=$(address_of $f)
			echo "sample tid=100 ip=$a+8 time=1000 chain=-512,$a+8 period=1"; done; } | mkdata units.data
		cp units keep
		"$PERF" report --stdio -g caller -i units.data > plain
		test "$(grep -c "in_.*(inlined)" plain)" -ge "$(echo "$of" | wc -w)"
		objcopy --compress-debug-sections=zlib units
		"$PERF" report --stdio -g caller -i units.data > packed
		objcopy --remove-section .debug_aranges units
		"$PERF" report --stdio -g caller -i units.data > without
		cp keep units
		same plain packed
		same plain without
	done'

cat > call.c <<-END
	static inline __attribute__((always_inline)) long work(long n) { volatile long s = 0; while (n--) s += n; return s; }
	__attribute__((noinline, noclone)) long leaf(long n) { return work(n) * 3; }
	__attribute__((noinline, noclone, noreturn)) void stop(long n) { for (;;) leaf(n); }
	__attribute__((noinline, noclone)) long middle(long n)
	{
		long r = leaf(n);
		return r + work(r);
	}
	__attribute__((noinline, noclone)) void last(long n) { stop(n + 1); }
	__attribute__((noinline, noclone)) long after(long n) { return leaf(n) + n; }
	long start(long n) { long r = middle(n) + after(n); last(n); return r; }
END
gcc -g -O2 -fno-align-functions -fno-reorder-functions -fno-toplevel-reorder -fno-asynchronous-unwind-tables \
	-nostartfiles -static -Wl,-Ttext=0x401000 -Wl,-estart call.c -o call 2> err || { cat err; exit 1; }
off=$(readelf -SW call | awk '{ sub(/^ *\[ *[0-9]+\]/, "") } $1 == ".text" { print "0x" $4; exit }')
sed "s/\"w\"/\"call\"/; s,/w\",/call\",; s/pgoff=[^ ]*/pgoff=$off/" top.mk > call.mk
# address FUNCTION
address() { readelf -sW call | awk -v f="$1" '$8 == f { sub(/^0+/, "", $2); print "0x" $2 }'; }
# returns FUNCTION CALLEE: the address to which the call returns
returns() {
	objdump -d call | awk -v f="<$1>:" -v callee="<$2>" '
		/>:$/ { inside = $2 == f }
		inside && called { sub(/:/, "", $1); print "0x" $1; exit }
		inside && $NF == callee { called = 1 }'
}
have_OBJDUMP() { command -v objdump > found || { echo 'no objdump'; return 1; }; }
check_if OBJDUMP 'callers: line and inlined functions of the call, the address to which it returns' '
	leaf=$(address leaf) ret=$(returns middle leaf)
	{ cat call.mk
	echo "sample tid=100 ip=$leaf time=1000 chain=-512,$leaf,$ret period=1"
	echo "sample tid=100 ip=$ret time=1001 chain=-512,$ret period=3"; } | mkdata call.data
	"$PERF" script -i call.data -F ip,sym,srcline > got
	awk "!NF && NR > 1 { exit } { print }" got | tail -n 2 > caller
	grep -q "^[[:space:]]*${ret#0x} middle$" caller
	grep -q "^  call.c:6$" caller
	awk "!NF { n++ } n > 1" got > sampled	# the same address is in another line
	grep -q "call.c:1 (inlined)$" sampled
	"$PERF" report -i call.data --no-children -s comm -g folded,srcline > out
	grep -q "leaf.*;middle call.c:6$" out
	"$PERF" report -i call.data --children -s sym,srcline -g none > out
	grep -q "^ *25.00%  *0.00%  .*middle  *call.c:6$" out'
check_if OBJDUMP 'callers: a function that ends in a call which does not return' '
	stop=$(address stop) after=$(address after)
	{ cat call.mk
	echo "sample tid=100 ip=$stop time=1000 chain=-512,$stop,$after period=1"; } | mkdata last.data
	"$PERF" script -i last.data -F ip,sym > got
	grep -q "^[[:space:]]*${after#0x} last$" got
	"$PERF" report -i last.data --no-children -s sym -g folded > out
	grep -q "stop;last$" out
	"$PERF" pack -o packed.data last.data
	mv call moved
	"$PERF" script -i packed.data -F ip,sym > packed
	mv moved call
	same got packed'
