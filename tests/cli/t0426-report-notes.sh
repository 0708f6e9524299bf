#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

# What report says of files whose functions have no names.

# file NAME IP...: a file with one map of NAME, whose offsets are its addresses, and a sample at each
file() {
	echo 'event cpu-clock config=cpu-clock sample=ip|tid|time flags=sample_id_all|mmap2'
	echo 'comm tid=4194000 comm="x" time=1'
	echo "mmap2 tid=4194000 addr=0x10000000 len=0x100000 prot=5 flags=2 filename=\"$1\" time=2"
	shift
	for ip; do echo "sample tid=4194000 ip=0x10000000+$ip time=5"; done
}
# notes FILE ARGS...: what it says on stderr
notes() {
	in=$1
	shift
	$PERF report --stdio -i "$in" "$@" 2>&1 > /dev/null
}
# at FUNCTION: its address in whole.so
at() {
	echo "0x$(nm whole.so | awk -v f="$1" '$3 == f { print $1 }')"
}

check_if GCC 'a stripped program, where a function is missing that it does not export' '
	echo "static __attribute__((noinline)) long inner(volatile long n) { return n; }
		long outer(long n) { return inner(n) + 1; }" > lib.c
	# file offsets and addresses are one here
	gcc -O1 -shared -fPIC -nostdlib -o whole.so lib.c
	strip -o lib.so whole.so
	file "$PWD/lib.so" "$(at outer)" | $MKDATA -o exported.data
	file "$PWD/lib.so" "$(at outer)" "$(at inner)" | $MKDATA -o inner.data
	$PERF report --stdio -i inner.data -s sym 2> err > out
	grep -q "outer" out
	grep -q "\[lib.so+$(printf 0x%x "$(at inner)")\]" out
	same - err <<-END
	Warning: $PWD/lib.so is stripped: build without -s or strip to see all functions; [FILE+0xOFFSET] is a function that was guessed from unwind information
	END
	notes exported.data -s sym | same /dev/null -
	notes inner.data -s dso | same /dev/null -
	file "$PWD/whole.so" "$(at outer)" "$(at inner)" | $MKDATA -o whole.data
	notes whole.data -s sym | same /dev/null -
'
check_if GCC 'samples of a guessed function are one row, which annotate shows; of many files one note' '
	for i in 1 2 3 4; do cp lib.so lib$i.so; done
	in=$(at inner)
	{ file "$PWD/lib1.so" "$in" "$in+1"
	for i in 2 3 4; do
		echo "mmap2 tid=4194000 addr=0x2${i}000000 len=0x100000 prot=5 flags=2 filename=\"$PWD/lib$i.so\" time=2"
		echo "sample tid=4194000 ip=0x2${i}000000+$in time=5"
	done; } | $MKDATA -o many.data
	name="[lib1.so+$(printf 0x%x "$in")]"
	$PERF report --stdio -i many.data -s sym -n 2> err | grep -F "$name" > out
	grep -q "^ *[0-9.]*% *2 " out
	same - err <<-END
	Warning: 4 files are stripped (lib1.so, lib2.so, lib3.so and 1 more): build without -s or strip to see all functions; [FILE+0xOFFSET] is a function that was guessed from unwind information
	END
	$PERF report --stdio -i many.data --symbols "$name" -s sym -n > out 2> err
	grep -qF "$name" out
	$PERF script -i many.data -F ip,sym,symoff > out
	grep -qF " $name+0x1" out
	$PERF annotate --stdio -i many.data -s "$name" > out 2> err
	grep -qF "<$name>:" out
	$PERF pack -i many.data -o packed.data 2> err
	$PERF pack --redact -i many.data -o redacted.data 2> err
	$PERF script -i redacted.data -F ip,sym > out
	test -s out
	silent_about lib1 out
	rm lib1.so
	$PERF script -i packed.data -F ip,sym,symoff > out
	grep -qF " $name+0x1" out
'
check_if GCC 'the share of samples in code that a linker made one of several functions' '
	echo "long left(long n) { return n * 3; }
		long right(long n) __attribute__((alias(\"left\")));
		long alone(long n) { return n * 5; }" > icf.c
	gcc -O1 -shared -fPIC -nostdlib -o icf.so icf.c
	left=0x$(nm icf.so | awk "\$3 == \"left\" { print \$1 }")
	alone=0x$(nm icf.so | awk "\$3 == \"alone\" { print \$1 }")
	file "$PWD/icf.so" "$left" "$alone" "$alone" "$alone" |
		sed "s/ip|tid|time /ip|tid|time|period /; s/^sample .*/& period=1000/" | $MKDATA -o icf.data
	notes icf.data -s sym > out
	same - out <<-END
	Warning: 25.0% of the samples are in code that several functions share, because the linker folded equal ones (ICF): where right is shown, another may have run; its callers (-g) tell
	END
	notes icf.data -s dso | same /dev/null -
	file "$PWD/icf.so" "$alone" | $MKDATA -o alone.data
	notes alone.data -s sym | same /dev/null -
'
check 'a deleted program is named; memory is not looked for in a folder' '
	file "$PWD/gone (deleted)" 0x123 | $MKDATA -o gone.data
	notes gone.data > out
	grep -q "^Warning: $PWD/gone was not found; it was deleted while it ran: start it again and record that, or use --symfs DIR " out
	file "/memfd:jit (deleted)" 0x123 | $MKDATA -o mem.data
	notes mem.data > out
	grep -q "^Warning: /memfd:jit is memory, not a file" out
	not grep -q symfs out
'
check_if GCC 'the old file below --symfs is taken for what was deleted, as the note says' '
	mkdir -p old/gone
	cp whole.so old/gone/lib.so
	file "/gone/lib.so (deleted)" "$(at inner)" | $MKDATA -o old.data
	$PERF report --stdio -i old.data --symfs old > out 2> err
	grep -q "inner" out
	same /dev/null err
'
check 'samples of a guest that nothing is known about are counted and shown' '
	{ file /gone 0x123; for mode in guest_user guest_kernel; do
		echo "sample tid=4194000 ip=0x10000456 misc=$mode time=6"
	done; } | $MKDATA -o guest.data
	$PERF report --stdio -i guest.data -s dso,sym 2> err | sed -n "s/^ *[0-9.]*%  //p" | sort > out
	same - out <<-END
	[unknown]         [g] 0x0000000010000456
	[unknown]         [u] 0x0000000010000456
	gone              [.] 0x0000000000000123
	END
'
