#!/bin/sh
# stat: many tracepoints are closed by the kernel, which takes seconds, after the result is out
. "$(dirname "$0")/lib.sh"
need ROOT TRACEFS

many=$(cd /sys/kernel/tracing/events/sched 2> /dev/null || cd /sys/kernel/debug/tracing/events/sched && ls -d sched_* | head -n 8 |
	sed 's/^/sched:/' | paste -sd, -)

check 'tracepoints are handed to the kernel, after a correct count' '
	$PERF stat -v -x, -o out -e "$many" -- true 2> log
	test "$(grep -c sched: out)" = 8
	grep -q "no io_uring" log && skip "the kernel allows no io_uring here"
	says "8 tracepoints are closed by the kernel, also after the end of perf" log
'

check 'repeated runs count all of them' '
	$PERF stat -r 3 -x, -o out -e sched:sched_process_exit,sched:sched_process_exec -- true
	grep -q "^1,,sched:sched_process_exit" out
	grep -q "^1,,sched:sched_process_exec" out
'

check 'events that no tracepoint is among are closed at once' '
	$PERF stat -v -e task-clock -- true 2> log
	says task-clock log
	silent_about "are closed" log
'

# a machine whose containers, or whose administrator, forbid io_uring
cat > no-uring.c <<'END'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(*code), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		return 99;
	execvp(argv[1], argv + 1);
	return 98;
}
END

check_if GCC 'without io_uring: the same counts, and a word with -v of what is closed when' '
	gcc -o no-uring no-uring.c
	./no-uring $PERF stat -v -x, -o out -e "$many" -- true 2> log
	test "$(grep -c sched: out)" = 8
	says "8 tracepoints are closed at the end of perf, one by one: no io_uring (Operation not permitted)" log
	./no-uring $PERF stat -r 3 -x, -o out -e sched:sched_process_exit,sched:sched_process_exec -- true
	grep -q "^1,,sched:sched_process_exit" out
'

have_STRACE() {
	strace -o /dev/null true 2> /dev/null || { echo "needs a strace that may trace"; return 1; }
}

check_if GCC,STRACE 'without io_uring: the result is out before any tracepoint is closed' '
	gcc -o no-uring no-uring.c
	strace -o trace -e trace=perf_event_open,close,write ./no-uring $PERF stat -e "$many" -- true 2> log
	awk "/^perf_event_open/ && \$NF >= 0 { nr++; mine[\$NF] = 1 }
	     /^close\\(/ { split(\$0, part, /[()]/); early += (part[2] in mine) && !out }
	     /^write\\(.*Performance counter stats/ { out = 1 }
	     END { print nr + 0, early + 0, out + 0 }" trace > seen
	test "$(cut -d " " -f 2- seen)" = "0 1"
	test "$(cut -d " " -f 1 seen)" -ge 8
'

check_if UPROBES,GCC 'a probe can be removed as soon as perf has ended' '
	events=/sys/kernel/tracing/uprobe_events
	[ -e $events ] || events=/sys/kernel/debug/tracing/uprobe_events
	echo "int main(void) { return 0; }" > probed.c
	gcc -static -no-pie -o probed probed.c
	group=perf_test_$$
	trap "echo -:$group/start >> $events 2> /dev/null || true" EXIT
	for i in 1 2 3 4 5; do
		echo "p:$group/start $PWD/probed:0x0" >> $events
		$PERF stat -v -x, -o out -e "$group:start" -- ./probed 2> log
		echo "-:$group/start" >> $events
		not grep "closed by the kernel" log
	done
'
