/* Values with a meaning of their own, and arguments of prctl, keyctl, ptrace and the like. */
#include "put.h"

#include <string.h>
#include "names.h"

/* IOPRIO_PRIO_VALUE(class, data): the class in bits 13 to 15 */
void put_ioprio(const struct put *p, const struct syscall_type *type, u64 v)
{
	put_names(p, &syscall_names_IOPRIO_CLASS, (u32)v >> 13);
	strbuf_addf(p->out, ":%u", (u32)v & 0x1fff);
}

void put_ipc_key(const struct put *p, const struct syscall_type *type, u64 v)
{
	if (v)
		put_hex(p, type, v);
	else
		put_word(p, "IPC_", "PRIVATE");
}

/* flags above permissions of nine bits */
static void put_flags_and_mode(const struct put *p, const struct syscall_names *names, u64 v)
{
	if (v & ~0777ull) {
		put_names(p, names, v & ~0777ull);
		strbuf_addch(p->out, '|');
	}
	strbuf_addf(p->out, "%#03llo", (unsigned long long)v & 0777);
}

void put_ipc_flags(const struct put *p, const struct syscall_type *type, u64 v)
{
	put_flags_and_mode(p, &syscall_names_IPC_FLAGS_, v);
}

void put_shm_flags(const struct put *p, const struct syscall_type *type, u64 v)
{
	put_flags_and_mode(p, &syscall_names_SHM_FLAGS_, v);
}

/* QCMD(command, type): the type in the low byte */
void put_quota_cmd(const struct put *p, const struct syscall_type *type, u64 v)
{
	strbuf_addstr(p->out, "QCMD(");
	put_names(p, &syscall_names_QUOTA_SUB, (u32)v >> 8);
	strbuf_addstr(p->out, ", ");
	put_names(p, &syscall_names_QUOTA_TYPE, v & 0xff);
	strbuf_addch(p->out, ')');
}

/* the status that wait4 gives: wait(2) */
void put_wait_status(const struct put *p, const struct syscall_type *type, u64 v)
{
	u32 sig = v & 0x7f;

	if ((u32)v == 0xffff) {
		strbuf_addstr(p->out, "continued");
	} else if ((v & 0xff) == 0x7f) {
		strbuf_addstr(p->out, "stopped by ");
		put_names(p, &syscall_names_SIGNAL_NR, v >> 8 & 0xff);
		if (v >> 16)
			strbuf_addf(p->out, ", event %u", (u32)v >> 16);
	} else if (sig) {
		strbuf_addstr(p->out, "killed by ");
		put_names(p, &syscall_names_SIGNAL_NR, sig);
		strbuf_addstr(p->out, v & 0x80 ? ", core dumped" : "");
	} else {
		strbuf_addf(p->out, "exited with %u", (u32)v >> 8 & 0xff);
	}
}

void put_waitid_id(const struct put *p, const struct syscall_type *type, u64 v)
{
	if (put_arg(p, 0) == 3 /* P_PIDFD */)
		put_fd(p, type, v);
	else
		put_pid(p, type, v);
}

/* all bits: only asks */
void put_personality(const struct put *p, const struct syscall_type *type, u64 v)
{
	if ((u32)v == UINT32_MAX)
		put_hex(p, type, v);
	else
		put_names(p, &syscall_names_PERSONALITY, v);
}

/* --- results that depend on the command */

void put_bpf_result(const struct put *p, const struct syscall_type *type, u64 v)
{
	/* commands that return a descriptor: bpf(2) and linux/bpf.h */
	static const u64 fds = 1ull << 0 | 1ull << 5 | 1ull << 7 | 1ull << 13 | 1ull << 14 | 1ull << 17 |
			       1ull << 18 | 1ull << 19 | 1ull << 28 | 1ull << 30 | 1ull << 32 | 1ull << 33 |
			       1ull << 36;
	u64 cmd = put_arg(p, 0);

	if (cmd < 64 && fds >> cmd & 1)
		put_fd(p, type, v);
	else
		strbuf_addf(p->out, "%d", (s32)v);
}

void put_membarrier_result(const struct put *p, const struct syscall_type *type, u64 v)
{
	if (v && !put_arg(p, 0)) {
		u64 left = v;
		const char *sep = "";

		/* a set of commands */
		for (u32 i = 0; i < 32 && left; i++) {
			if (!(left >> i & 1))
				continue;
			strbuf_addstr(p->out, sep);
			put_names(p, &syscall_names_MEMBARRIER_CMD, 1ull << i);
			left &= ~(1ull << i);
			sep = "|";
		}
		return;
	}
	strbuf_addf(p->out, "%d", (s32)v);
}

void put_prctl_result(const struct put *p, const struct syscall_type *type, u64 v)
{
	if (v && put_arg(p, 0) == 27 /* GET_SECUREBITS */)
		put_names(p, &syscall_names_SECUREBITS, v);
	else
		strbuf_addf(p->out, "%lld", (long long)v);
}

/* --- prctl: what a command takes in its second argument, and how many arguments it has */

enum prctl_kind { PRCTL_HEX, PRCTL_INT, PRCTL_SIGNAL, PRCTL_CAP, PRCTL_SECUREBITS, PRCTL_MM, PRCTL_AMBIENT,
		  PRCTL_PID, PRCTL_ADDRESS };

static const struct {
	u8 op, nr_args;			/* of arg2 to arg5 */
	u8 kind[2];			/* of arg2 and arg3: enum prctl_kind */
} prctl_rows[] = {
	{ 1, 1, { PRCTL_SIGNAL } },			/* SET_PDEATHSIG */
	{ 2, 1, { PRCTL_ADDRESS } },			/* GET_PDEATHSIG */
	{ 3, 0, { 0 } },				/* GET_DUMPABLE */
	{ 4, 1, { PRCTL_INT } },			/* SET_DUMPABLE */
	{ 7, 0, { 0 } },				/* GET_KEEPCAPS */
	{ 8, 1, { PRCTL_INT } },			/* SET_KEEPCAPS */
	{ 13, 0, { 0 } },				/* GET_TIMING */
	{ 14, 1, { PRCTL_INT } },			/* SET_TIMING */
	{ 15, 1, { PRCTL_ADDRESS } },			/* SET_NAME */
	{ 16, 1, { PRCTL_ADDRESS } },			/* GET_NAME */
	{ 21, 0, { 0 } },				/* GET_SECCOMP */
	{ 22, 2, { PRCTL_INT, PRCTL_ADDRESS } },	/* SET_SECCOMP */
	{ 23, 1, { PRCTL_CAP } },			/* CAPBSET_READ */
	{ 24, 1, { PRCTL_CAP } },			/* CAPBSET_DROP */
	{ 25, 1, { PRCTL_ADDRESS } },			/* GET_TSC */
	{ 26, 1, { PRCTL_INT } },			/* SET_TSC */
	{ 27, 0, { 0 } },				/* GET_SECUREBITS */
	{ 28, 1, { PRCTL_SECUREBITS } },		/* SET_SECUREBITS */
	{ 29, 1, { PRCTL_INT } },			/* SET_TIMERSLACK */
	{ 30, 0, { 0 } },				/* GET_TIMERSLACK */
	{ 31, 0, { 0 } },				/* TASK_PERF_EVENTS_DISABLE */
	{ 32, 0, { 0 } },				/* TASK_PERF_EVENTS_ENABLE */
	{ 35, 4, { PRCTL_MM, PRCTL_ADDRESS } },		/* SET_MM */
	{ 36, 1, { PRCTL_INT } },			/* SET_CHILD_SUBREAPER */
	{ 37, 1, { PRCTL_ADDRESS } },			/* GET_CHILD_SUBREAPER */
	{ 38, 4, { PRCTL_INT, PRCTL_INT } },		/* SET_NO_NEW_PRIVS */
	{ 39, 4, { PRCTL_INT, PRCTL_INT } },		/* GET_NO_NEW_PRIVS */
	{ 40, 1, { PRCTL_ADDRESS } },			/* GET_TID_ADDRESS */
	{ 41, 4, { PRCTL_INT, PRCTL_INT } },		/* SET_THP_DISABLE */
	{ 42, 4, { PRCTL_INT, PRCTL_INT } },		/* GET_THP_DISABLE */
	{ 47, 4, { PRCTL_AMBIENT, PRCTL_CAP } },	/* CAP_AMBIENT */
};

static int prctl_row(const struct put *p)
{
	u64 op = put_arg(p, 0);

	for (size_t i = 0; i < ARRAY_SIZE(prctl_rows); i++)
		if (op == prctl_rows[i].op)
			return i;
	return -1;
}

bool absent_prctl_arg(const struct put *p)
{
	int i = prctl_row(p);

	return i >= 0 && (p->i > prctl_rows[i].nr_args ||
			  (p->i > 2 && !put_arg(p, p->i) && !p->o->show_zeros));
}

void put_prctl_arg(const struct put *p, const struct syscall_type *type, u64 v)
{
	static const struct syscall_names *const names[] = {
		[PRCTL_SIGNAL] = &syscall_names_SIGNAL_NR, [PRCTL_CAP] = &syscall_names_CAPABILITY,
		[PRCTL_SECUREBITS] = &syscall_names_SECUREBITS, [PRCTL_MM] = &syscall_names_PR_MM,
		[PRCTL_AMBIENT] = &syscall_names_PR_AMBIENT, [PRCTL_ADDRESS] = NULL,
	};
	int i = prctl_row(p);
	u8 kind = i >= 0 && p->i <= 2 ? prctl_rows[i].kind[p->i - 1] : PRCTL_HEX;

	if (names[kind])
		put_names(p, names[kind], v);
	else if (kind == PRCTL_INT)
		strbuf_addf(p->out, "%lld", (long long)v);
	else if (kind == PRCTL_ADDRESS)
		put_address(p, v);
	else
		put_hex(p, type, v);
}

/* PR_SET_NAME; what other commands point to is not printed */
void put_prctl_name(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	if (put_arg(p, 0) == 15)
		put_quoted(p, c->p, cursor_left(c), true, true);
	else
		c->bad = true;
}

/* ARCH_GET_CPUID has no argument, ARCH_SET_CPUID a number, the others addresses and masks */
bool absent_arch_prctl_arg(const struct put *p)
{
	return put_arg(p, 0) == 0x1011;
}

void put_arch_prctl_arg(const struct put *p, const struct syscall_type *type, u64 v)
{
	if (put_arg(p, 0) == 0x1012 || (put_arg(p, 0) >= 0x1021 && put_arg(p, 0) <= 0x1025))
		put_hex(p, type, v);
	else
		put_address(p, v);
}

/* --- keyctl: keyctl(2). A letter for each argument: s serial, a address, n number, u user, . none */

static const char *keyctl_args(const struct put *p)
{
	static const char *const args[] = {
		"sn", "a", "san", "s", "suu", "sn", "san", "s", "ss", "ss", "saas", "san", "sans", "sns", "n",
		"sn", "s", "san", "", "snns", "sans", "s", "ss", "aana", "snaa", "aaaa", "aaaa", "aaaa",
		"aaaa", "saa", "sssn", "an", "snn",
	};
	u64 op = put_arg(p, 0);

	return op < ARRAY_SIZE(args) ? args[op] : "nnnn";
}

bool absent_keyctl_arg(const struct put *p)
{
	return p->i > strlen(keyctl_args(p));
}

void put_keyctl_arg(const struct put *p, const struct syscall_type *type, u64 v)
{
	const char *args = keyctl_args(p);

	switch (p->i <= strlen(args) ? args[p->i - 1] : 'n') {
	case 's': put_names(p, &syscall_names_KEY_SERIAL, (u32)v); break;
	case 'a': put_address(p, v); break;
	case 'u': put_uid(p, type, v); break;
	default: put_hex(p, type, v);
	}
}

void put_ptrace_data(const struct put *p, const struct syscall_type *type, u64 v)
{
	switch (put_arg(p, 0)) {
	case 7: case 9: case 17: case 24:		/* CONT, SINGLESTEP, DETACH, SYSCALL: a signal */
		put_names(p, &syscall_names_SIGNAL_NR, v);
		return;
	case 0x4200: case 0x4206:			/* SETOPTIONS, SEIZE */
		put_names(p, &syscall_names_PTRACE_OPTIONS, v);
		return;
	}
	put_address(p, v);
}
