#!/bin/sh
# perf record --wall --span: calls of functions that others jump back to, that call themselves, and that are
# left by longjmp.
. "$(dirname "$0")/lib.sh"
need GCC ROOT TRACEFS UPROBES

prog=calls$$
cat > $prog.c <<'END'
#include <setjmp.h>
#include <time.h>
static jmp_buf out;
static void nap(void)
{
	struct timespec ms = { 0, 1000000 };
	nanosleep(&ms, 0);
}
int ping(int n);
__attribute__((noinline)) int pong(int n) { nap(); return ping(n); }
__attribute__((noinline)) int ping(int n) { nap(); return n ? pong(n - 1) : 1; }
__attribute__((noinline)) int nested(int n) { nap(); n = n ? nested(n - 1) + 1 : 0; nap(); return n; }
__attribute__((noinline)) int left(int n) { nap(); if (n & 1) longjmp(out, 1); return n + 1; }
int main(void)
{
	volatile int i, sum = 0;

	for (i = 0; i < 5; i++)
		sum += ping(3) + nested(3);
	for (i = 0; i < 10; i++)
		if (!setjmp(out))
			sum += left(i);
	return sum == 0;
}
END
gcc -O2 -g -o $prog $prog.c || exit 1

spans() { # FUNCTION
	$PERF record -q --wall --span $1 -e cpu-clock -o s.data ./$prog 2> err || skip "$(sed -n "s/^Error: //p" err)"
	$PERF report --span $1 -i s.data --stdio -g none 2> err > out
	median=$($PERF report --span $1 -i s.data --json 2> err | sed -n 's/.*"span-median-ns": \([0-9]*\).*/\1/p')
}
check 'functions that jump to each other return once' '
	case $(uname -m) in x86_64) ;; *) skip "return addresses are in a register" ;; esac
	spans ping
	says "# Calls of ping: 5; 15 more inside of them (recursion)" out
	test "$median" -ge 7000000'
check 'a function that calls itself' '
	spans nested
	says "# Calls of nested: 5; 15 more inside of them (recursion)" out
	test "$median" -ge 8000000'
check 'calls that are left by longjmp are told' '
	spans left
	says "# Calls of left: 5; 5 left out, without a return" out'
