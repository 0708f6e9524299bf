/* Signals: sets, actions and what comes with a signal. */
#include "put.h"

#include "names.h"
#include "table.h"

/* "[INT CHLD]"; of a set with most signals, what it lacks: "~[KILL STOP]" */
static void put_set(const struct put *p, u64 set, u32 nr)
{
	bool invert = __builtin_popcountll(set) > (int)nr * 2 / 3;
	const char *sep = "";

	if (invert)
		set = ~set;
	if (nr < 64)
		set &= (1ull << nr) - 1;
	strbuf_addstr(p->out, invert ? "~[" : "[");
	for (u32 sig = 1; sig <= nr; sig++) {
		if (!(set >> (sig - 1) & 1))
			continue;
		strbuf_addstr(p->out, sep);
		put_names(p, &syscall_names_SIGNAL_NR, sig);
		sep = " ";
	}
	strbuf_addch(p->out, ']');
}

void put_sigset(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	u64 set;

	/* words of 32 bits, the lower one first, in 32-bit programs */
	if (put_is64(p)) {
		set = cursor_u64(c);
	} else {
		set = cursor_u32(c);
		set |= (u64)cursor_u32(c) << 32;
	}
	if (!c->bad)
		put_set(p, set, 64);
}

void put_old_sigset(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	u64 set = put_read_long(p, c);

	if (!c->bad)
		put_set(p, set, 32);
}

void put_stack(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	if (put_family(p) == ON_MIPS)
		c->bad = true;
	else
		put_struct(p, SYSCALL_TYPE(STACK_GENERIC), c);
}

static void put_handler(const struct put *p, u64 v)
{
	if (v <= 1)
		put_names(p, &syscall_names_SIG_HANDLER, v);
	else
		put_address(p, v);
}

/*
 * struct sigaction of the kernel: handler, flags, restorer (not in all architectures), mask. MIPS has its
 * flags first, and RISC-V, LoongArch and C-SKY have no restorer
 */
void put_sigaction(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	bool is_mips = put_family(p) == ON_MIPS;
	u64 flags = is_mips ? cursor_u32(c) : 0, handler;

	if (is_mips && put_is64(p))
		cursor_skip(c, 4);
	handler = put_read_long(p, c);
	if (!is_mips) {
		flags = put_read_long(p, c);
		if (put_family(p) != ON_GENERIC)
			put_read_long(p, c);
	}
	if (c->bad)
		return;
	strbuf_addstr(p->out, "{ .sa_handler: ");
	put_handler(p, handler);
	strbuf_addstr(p->out, ", .sa_flags: ");
	put_names(p, &syscall_names_SIGACTION_FLAGS, flags);
	strbuf_addstr(p->out, ", .sa_mask: ");
	put_sigset(p, type, c);
	strbuf_addstr(p->out, " }");
}

static void put_si_code(const struct put *p, const char *signal, s32 code)
{
	const struct syscall_names *names = &syscall_names_SI_CODE;

	if (code > 0 && code < 0x80 && signal && !__builtin_strcmp(signal, "CHLD"))
		names = &syscall_names_CHLD_CODE;
	else if (code > 0 && code < 0x80 && signal && !__builtin_strcmp(signal, "SEGV"))
		names = &syscall_names_SEGV_CODE;
	put_names(p, names, (u32)code);
}

/* siginfo: three ints, then (aligned to a long) what depends on the signal */
void put_siginfo(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	bool is_mips = put_family(p) == ON_MIPS;
	s32 sig = cursor_u32(c), first = cursor_u32(c), second = cursor_u32(c), code;
	const char *name = syscall_name_of(&syscall_names_SIGNAL_NR, put_family(p), sig);
	struct cursor chld;
	u64 address;

	/* errno before code; MIPS has them the other way round */
	code = is_mips ? first : second;
	if (put_is64(p))
		cursor_skip(c, 4);
	chld = *c;
	address = put_read_long(p, c);
	if (c->bad)
		return;
	strbuf_addstr(p->out, "{ .si_signo: ");
	put_names(p, &syscall_names_SIGNAL_NR, (u32)sig);
	strbuf_addstr(p->out, ", .si_code: ");
	put_si_code(p, name, code);
	if (code <= 0 || (name && !__builtin_strcmp(name, "CHLD"))) {
		s32 pid = cursor_u32(&chld);
		u32 uid = cursor_u32(&chld), status = cursor_u32(&chld);

		strbuf_addf(p->out, ", .si_pid: %d, .si_uid: %u", pid, uid);
		if (code > 0)
			strbuf_addf(p->out, ", .si_status: %d", (s32)status);
	} else if (sig) {
		strbuf_addstr(p->out, ", .si_addr: ");
		put_address(p, address);
	}
	strbuf_addstr(p->out, " }");
}
