#!/bin/sh
# perf probe --latency: how long calls of a function take; and probes that occur too often, or were left over.
. "$(dirname "$0")/lib.sh"
need GCC ROOT TRACEFS UPROBES

prog=lat$$
cat > $prog.c <<-EOF
	#include <setjmp.h>
	#include <stdlib.h>
	#include <string.h>
	#include <unistd.h>
	jmp_buf env;
	__attribute__((noipa)) long step(long n) { return n * 2; }
	__attribute__((noipa)) long nap(long ms) { usleep(ms * 1000); return ms; }
	__attribute__((noipa)) long deep(long n) { return n ? deep(n - 1) + 1 : 0; }
	__attribute__((noipa)) long tail(long n) { return step(n + 1); }
	long ping(long n);
	#define JUMPS __attribute__((noipa, optimize("optimize-sibling-calls")))
	JUMPS long pong(long n) { usleep(1000); return ping(n); }
	JUMPS long ping(long n) { return n ? pong(n - 1) : 1; }
	__attribute__((noipa)) void jump(int n) { if (n % 2) longjmp(env, 1); }
	__attribute__((noipa)) void caller_a(void) { for (int i = 0; i < 30; i++) step(i); }
	__attribute__((noipa)) void caller_b(void) { for (int i = 0; i < 10; i++) step(i); }
	__attribute__((noipa)) void leave(void) { _exit(0); }
	int main(int argc, char **argv)
	{
		caller_a();
		caller_b();
		tail(1);
		nap(20);
		deep(5);
		ping(4);
		for (volatile int i = 0; i < 10; i++)
			if (!setjmp(env))
				jump(i);
		if (argc > 1 && !strcmp(argv[1], "wait"))
			for (;;)
				nap(1);
		leave();
	}
EOF
gcc -O1 -o $prog $prog.c
none_left() { $PERF probe -l "probe_$prog*:*" > left; test ! -s left; }

check 'calls, percentiles, callers' '
	$PERF probe --latency step ./$prog > out
	grep -q "^ *probe_$prog:step  *41 .* ms .* us .* us " out
	grep -q "^ *caller_a ($prog) .*%  *30 " out
	grep -q "^ *caller_b ($prog) .*%  *10 " out
	grep -q "^ *tail ($prog) .*%  *1 " out
	says "Calls that began: 41" out
	grep -q "Cost of the probes: about [1-9][0-9]* ns per call" out
	none_left
'
check 'a call lasts at least as long as it sleeps' '
	$PERF probe -x ./$prog --latency nap --json ./$prog > out
	grep -q "\"name\": \"functions\"" out
	sed -n "s/.*\"calls\": 1, \"total\": \([0-9]*\),.*/\1/p" out | head -1 > total
	test "$(cat total)" -ge 20000000
	says "\"entries\": 1" out
	# a key that occurs twice hides the first value from most readers
	test "$(grep -c "^  \"notes\":" out)" = 1
	none_left
'
check 'recursion' '
	$PERF probe --latency deep ./$prog > out
	grep -q "^ *probe_$prog:deep  *6 " out
	says "Deepest recursion: 6 levels" out
	silent_about "without a return" out
'
check 'calls that do not return are told' '
	$PERF probe --latency jump ./$prog > out
	grep -q "^ *probe_$prog:jump  *5 " out
	says "Calls that began: 10" out
	grep "Calls left without a return: \|had not returned at the end: " out > left
	awk -F": " "{ sum += \$2 } END { exit sum != 5 }" left
	$PERF probe --latency leave ./$prog > out
	says "Calls that had not returned at the end: 1" out
'
check 'a function that is jumped to by a function that it jumped to returns once for each' '
	case $(uname -m) in x86_64) ;; *) skip "return addresses are in a register" ;; esac
	$PERF probe --latency ping ./$prog > out
	says "Calls that began: 5" out
	grep -q "^ *probe_$prog:ping  *5 " out
	silent_about "without a return" out
	silent_about "whose entry is not known" out
'
check 'several functions, each by itself' '
	$PERF probe --latency "caller_?" ./$prog > out
	grep -q "^ *probe_$prog:caller_a  *1 " out
	grep -q "^ *probe_$prog:caller_b  *1 " out
	$PERF probe --latency caller_a --latency nap ./$prog > out
	grep -q "^ *probe_$prog:caller_a  *1 " out
	grep -q "^ *probe_$prog:nap  *1 " out
	grep -q "^ *probe_$prog:caller_a  *main ($prog) " out
'
check 'a running process, until SIGINT or SIGTERM' '
	./$prog wait &
	workload=$!
	until_true eval "readlink /proc/$workload/exe | finds $prog"
	$PERF probe --latency nap -p $workload sleep 0.3 > out
	grep -q "^ *probe_$prog:nap  *[1-9]" out
	$PERF probe --latency nap -p $workload > out 2> err &
	pid=$!
	until_true eval "$PERF probe -l probe_$prog:nap | finds nap"
	until_true eval "grep -q nap__return /sys/kernel/tracing/uprobe_profile"
	kill -TERM $pid
	wait $pid || true
	until_true none_left
	kill $workload
	wait $workload || true
'
check 'what it cannot measure' '
	fails_with 1 $PERF probe --latency nosuch -x ./$prog ./$prog 2> err
	says "has no function" err
	fails_with 1 $PERF probe --latency step%return ./$prog 2> err
	says "is not the name of a function" err
	fails_with 1 $PERF probe --latency "step n=%di" ./$prog 2> err
	says "is not the name of a function" err
	fails_with 129 $PERF probe --latency step --list 2> err
	none_left
'
