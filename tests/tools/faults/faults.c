// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * faults: runs a program and lets one system call fail.
 *
 *	faults -l KIND[,KIND...] CMD [ARG...]
 *		"KIND CALLS" for each kind on file descriptor 9, and nothing fails
 *	faults -f KIND:ERRNO:N CMD [ARG...]
 *		call N of this kind (from 1) fails with that number, once
 *
 * KIND is the number of a system call. Calls of all processes and threads are counted together, from where
 * the C library is ready (what the dynamic linker needs at start is not perf's), to where a process executes
 * another program. A seccomp filter stops only calls of these kinds. Exits as CMD does, 128 + N after a
 * signal, 125 if it cannot work.
 */
#include "../../../util/base/alloc.h"
#include "../../../util/base/types.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_KINDS 128
#define CANNOT 125

/* how far a process is */
enum stage { STARTING, RUNNING, FOREIGN };

struct tracee {
	pid_t pid;
	enum stage stage;
};

static int kinds[MAX_KINDS], nr_kinds;
static unsigned long calls[MAX_KINDS];
static int fault_errno;
static unsigned long fault_at;
static pid_t closing;		/* makes the close that is to fail */
static struct tracee *processes;
static size_t nr_processes;

static void die(const char *what)
{
	fprintf(stderr, "faults: %s: %s\n", what, strerror(errno));
	exit(CANNOT);
}

static void usage(void)
{
	fprintf(stderr, "usage: faults -l KIND[,KIND...]|-f KIND:ERRNO:N CMD [ARG...]\n");
	exit(CANNOT);
}

static void parse(const char *option, const char *value)
{
	const char *at = value;
	char *end;

	if (!strcmp(option, "-f")) {
		if (sscanf(value, "%d:%d:%lu", kinds, &fault_errno, &fault_at) != 3 || !fault_at)
			usage();
		nr_kinds = 1;
		return;
	}
	if (strcmp(option, "-l"))
		usage();
	do {
		if (nr_kinds == MAX_KINDS)
			usage();
		kinds[nr_kinds++] = strtol(at, &end, 10);
		if (end == at)
			usage();
		at = end + 1;
	} while (*end == ',');
	if (*end)
		usage();
}

/* stops calls of kinds, and prlimit64, by which the C library ends its start */
static void install_filter(void)
{
	struct sock_filter code[MAX_KINDS + 4];
	size_t n = 0;

	code[n++] = (struct sock_filter){ BPF_LD | BPF_W | BPF_ABS, .k = offsetof(struct seccomp_data, nr) };
	code[n++] = (struct sock_filter){ BPF_JMP | BPF_JEQ | BPF_K, nr_kinds + 1, 0, SYS_prlimit64 };
	for (int i = 0; i < nr_kinds; i++)
		code[n++] = (struct sock_filter){ BPF_JMP | BPF_JEQ | BPF_K, nr_kinds - i, 0, kinds[i] };
	code[n++] = (struct sock_filter){ BPF_RET | BPF_K, .k = SECCOMP_RET_ALLOW };
	code[n++] = (struct sock_filter){ BPF_RET | BPF_K, .k = SECCOMP_RET_TRACE };
	struct sock_fprog prog = { .len = n, .filter = code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		die("seccomp");
}

static pid_t start(char **argv)
{
	int go[2];
	char c;

	if (pipe(go))
		die("pipe");
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		close(go[1]);
		if (read(go[0], &c, 1) != 1)
			_exit(CANNOT);
		close(go[0]);
		install_filter();
		execvp(argv[0], argv);
		die(argv[0]);
	}
	long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		       PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL;

	if (ptrace(PTRACE_SEIZE, pid, NULL, options))
		die("ptrace");
	close(go[0]);
	if (write(go[1], "g", 1) != 1)
		die("write");
	close(go[1]);
	return pid;
}

static struct tracee *process_of(pid_t pid)
{
	for (size_t i = 0; i < nr_processes; i++)
		if (processes[i].pid == pid)
			return &processes[i];
	processes = xreallocarray(processes, nr_processes + 1, sizeof(*processes));
	processes[nr_processes] = (struct tracee){ .pid = pid, .stage = STARTING };
	return &processes[nr_processes++];
}

/*
 * the call that pid is about to make, or has made (after), fails; the architecture's registers are only
 * written here
 */
static void fail_call(pid_t pid, bool after)
{
#ifdef __x86_64__
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
		return;
	if (!after)
		regs.orig_rax = -1;
	regs.rax = -fault_errno;
	ptrace(PTRACE_SETREGS, pid, NULL, &regs);
#else
	fprintf(stderr, "faults: not for this machine\n");
	exit(CANNOT);
#endif
}

/* a close that fails has closed, too: it is made, and its result is changed */
static void start_failing(pid_t pid)
{
	if (kinds[0] == SYS_close)
		closing = pid;
	else
		fail_call(pid, false);
}

static void at_call(pid_t pid)
{
	struct __ptrace_syscall_info info;
	struct tracee *p = process_of(pid);

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0 ||
	    info.op != PTRACE_SYSCALL_INFO_SECCOMP)
		return;
	if (p->stage == STARTING && info.seccomp.nr == SYS_prlimit64) {
		p->stage = RUNNING;
		return;
	}
	if (p->stage != RUNNING)
		return;
	for (int i = 0; i < nr_kinds; i++)
		if (info.seccomp.nr == (u64)kinds[i] && ++calls[i] == fault_at)
			start_failing(pid);
}

/* A new task is where its parent is; one that executes another program is not looked at any more. */
static void at_event(pid_t pid, int event, pid_t first)
{
	unsigned long child;
	enum stage stage;

	switch (event) {
	case PTRACE_EVENT_SECCOMP:
		at_call(pid);
		break;
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		stage = process_of(pid)->stage;
		if (!ptrace(PTRACE_GETEVENTMSG, pid, NULL, &child))
			process_of(child)->stage = stage;
		break;
	case PTRACE_EVENT_EXEC:
		if (pid != first || process_of(pid)->stage != STARTING)
			process_of(pid)->stage = FOREIGN;
		break;
	}
}

/* until all have ended; status of the first one */
static int follow(pid_t first)
{
	int status, result = CANNOT;
	pid_t pid;

	while ((pid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		int event = status >> 16, signal = WSTOPSIG(status);

		if (pid < 0)
			continue;
		if (!WIFSTOPPED(status)) {
			if (pid == first)
				result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
			process_of(pid)->pid = 0;
			continue;
		}
		if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) {
			ptrace(PTRACE_LISTEN, pid, NULL, 0L);	/* stopped until SIGCONT, as without us */
			continue;
		}
		if (signal == (SIGTRAP | 0x80)) {
			closing = 0;
			fail_call(pid, true);
			ptrace(PTRACE_CONT, pid, NULL, 0L);
			continue;
		}
		if (event)
			at_event(pid, event, first);
		ptrace(pid == closing ? PTRACE_SYSCALL : PTRACE_CONT, pid, NULL, event ? 0L : (long)signal);
	}
	return result;
}

int main(int argc, char **argv)
{
	FILE *list;

	if (argc < 4)
		usage();
	parse(argv[1], argv[2]);
	int status = follow(start(argv + 3));

	if (!fault_at) {
		list = fdopen(9, "w");
		for (int i = 0; list && i < nr_kinds; i++)
			fprintf(list, "%d %lu\n", kinds[i], calls[i]);
		if (!list || fclose(list))
			die("descriptor 9");
	} else if (calls[0] < fault_at) {
		fprintf(stderr, "faults: only %lu calls\n", calls[0]);
	}
	free(processes);
	return status;
}
