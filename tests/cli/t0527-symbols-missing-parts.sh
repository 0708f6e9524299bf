#!/bin/sh
# What is said of parts of debug information and of generated code that are missing or not certain: once, with
# what to do.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/jitdump-lib.sh"

# note FILE CMD...: the warnings of a command, with what belongs to them, that mention FILE
note() {
	about=$1
	shift
	"$@" 2>&1 > /dev/null | grep -F "$about" || :
}

check_if GCC 'split debug information that was moved away' '
	echo "volatile long n;
		static inline __attribute__((always_inline)) void inner(long i) { n += i * n; }
		__attribute__((noinline)) long work(long i) { inner(i); return n; }
		long other(long i) { return i * 5; }" > split.c
	gcc -O1 -g -gsplit-dwarf -shared -fPIC -nostdlib -o split.so split.c
	dwo=$(ls ./*.dwo)
	at=0x$(nm split.so | awk "\$3 == \"work\" { print \$1 }")
	mkdata x.data <<-END
		event cpu-clock config=cpu-clock sample=ip|tid|time|callchain flags=sample_id_all|comm|mmap2
		mmap2 tid=100 addr=0x10000000 len=0x10000 prot=5 flags=2 filename="$PWD/split.so" time=2
		sample tid=100 ip=0x10000000+$at chain=-512,0x10000000+$at time=1000
		sample tid=100 ip=0x10000000+$at+2 chain=-512,0x10000000+$at+2 time=1001
	END
	note "split.so" $PERF report -i x.data | same /dev/null -
	mkdir -p moved
	mv "$dwo" moved
	for cmd in "report -g" "script" "annotate work"; do
		note "split.so" $PERF $cmd -i x.data > out
		test "$(wc -l < out)" = 1
		says "$PWD/split.so: 1 file with its debug information is not there ($PWD/${dwo#./}): " out
		says "put the .dwo files back, or a package of them, $PWD/split.so.dwp" out
	done
	note "split.so" $PERF report --no-inline -i x.data | same /dev/null -
'
check_if GCC 'a source file that script was to show' '
	echo "long work(long i) { return i * 5; }" > code.c
	gcc -O1 -g -shared -fPIC -nostdlib -o code.so code.c
	at=0x$(nm code.so | awk "\$3 == \"work\" { print \$1 }")
	mkdata x.data <<-END
		event cpu-clock config=cpu-clock sample=ip|tid|time flags=sample_id_all|comm|mmap2
		mmap2 tid=100 addr=0x10000000 len=0x10000 prot=5 flags=2 filename="$PWD/code.so" time=2
		sample tid=100 ip=0x10000000+$at time=1000
		sample tid=100 ip=0x10000000+$at time=1001
	END
	note code.c $PERF script -i x.data -F ip,sym,srccode | same /dev/null -
	mv code.c moved.c
	note code.c $PERF script -i x.data -F ip,sym,srccode > out
	echo "Warning: source file $PWD/code.c: No such file or directory" | same - out
	note code.c $PERF report -i x.data --html x.html > out
	echo "Warning: source file $PWD/code.c: No such file or directory" | same - out
	note code.c $PERF script -i x.data -F ip,sym | same /dev/null -
'
check 'generated code whose place was used again, without the clock of its jitdump file' '
	{ jit_header 100
	jit_load 100 10 0x20000000 1 first "aaaaaaaa"
	jit_load 100 20 0x20000100 2 apart "aaaaaaaa"; } > jit-100.dump
	cp jit-100.dump short.dump
	jit_load 100 2000 0x20000000 3 second "aaaaaaaa" >> jit-100.dump
	for clock in "" "clockid=1"; do
		mkdata x$clock.data <<-END
			event cpu-clock config=cpu-clock sample=ip|tid|time flags=sample_id_all|comm|mmap2${clock:+|use_clockid $clock}
			mmap2 tid=100 addr=0x10000000 len=0x1000 prot=5 flags=2 filename="$PWD/jit-100.dump" time=2
			sample tid=100 ip=0x20000000 time=1000
		END
	done
	$PERF script -i x.data -F ip,sym > out 2> err
	grep -q second out
	says "so 1 function of generated code whose place was used again may have the name of a later one: record with -k mono" err
	$PERF script -i xclockid=1.data -F ip,sym > out 2> err
	grep -q first out
	same /dev/null err
	mv short.dump jit-100.dump
	$PERF script -i x.data -F ip,sym > out 2> err
	grep -q first out
	same /dev/null err
'
