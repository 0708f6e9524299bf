/* Values whose meaning, or existence, another argument of the call decides. */
#include "put.h"

#include "names.h"
#include "table.h"

/* numbers of commands that decide, from the UAPI headers; a list of names has the others */
enum {
	FUTEX_CMD_MASK = 0x7f, FUTEX_WAIT = 0, FUTEX_WAKE = 1, FUTEX_FD = 2, FUTEX_REQUEUE = 3,
	FUTEX_CMP_REQUEUE = 4, FUTEX_WAKE_OP = 5, FUTEX_LOCK_PI = 6, FUTEX_UNLOCK_PI = 7,
	FUTEX_TRYLOCK_PI = 8, FUTEX_WAIT_BITSET = 9, FUTEX_WAKE_BITSET = 10, FUTEX_WAIT_REQUEUE_PI = 11,
	FUTEX_CMP_REQUEUE_PI = 12, FUTEX_LOCK_PI2 = 13,
};

/* what a futex operation uses of val, the time, uaddr2 and val3 (linux/futex.h and futex(2)) */
enum { USES_VAL = 1, USES_TIME = 2, USES_VAL2 = 4, USES_ADDR2 = 8, USES_VAL3 = 16 };
static const u8 futex_uses[] = {
	[FUTEX_WAIT] = USES_VAL | USES_TIME,
	[FUTEX_WAKE] = USES_VAL,
	[FUTEX_FD] = USES_VAL,
	[FUTEX_REQUEUE] = USES_VAL | USES_VAL2 | USES_ADDR2,
	[FUTEX_CMP_REQUEUE] = USES_VAL | USES_VAL2 | USES_ADDR2 | USES_VAL3,
	[FUTEX_WAKE_OP] = USES_VAL | USES_VAL2 | USES_ADDR2 | USES_VAL3,
	[FUTEX_LOCK_PI] = USES_TIME,
	[FUTEX_UNLOCK_PI] = 0,
	[FUTEX_TRYLOCK_PI] = 0,
	[FUTEX_WAIT_BITSET] = USES_VAL | USES_TIME | USES_VAL3,
	[FUTEX_WAKE_BITSET] = USES_VAL | USES_VAL3,
	[FUTEX_WAIT_REQUEUE_PI] = USES_VAL | USES_TIME | USES_ADDR2,
	[FUTEX_CMP_REQUEUE_PI] = USES_VAL | USES_VAL2 | USES_ADDR2 | USES_VAL3,
	[FUTEX_LOCK_PI2] = USES_TIME,
};

static u8 uses(const struct put *p)
{
	u32 cmd = put_arg(p, 1) & FUTEX_CMD_MASK;

	return cmd < ARRAY_SIZE(futex_uses) ? futex_uses[cmd] : 0xff;
}

bool absent_futex_val(const struct put *p)
{
	return !(uses(p) & USES_VAL);
}

bool absent_futex_time(const struct put *p)
{
	return !(uses(p) & (USES_TIME | USES_VAL2));
}

bool absent_futex_addr2(const struct put *p)
{
	return !(uses(p) & USES_ADDR2);
}

bool absent_futex_val3(const struct put *p)
{
	return !(uses(p) & USES_VAL3);
}

void put_futex_val(const struct put *p, const struct syscall_type *type, u64 v)
{
	put_int(p, type, (s32)v);
}

void put_futex_val3(const struct put *p, const struct syscall_type *type, u64 v)
{
	u32 cmd = put_arg(p, 1) & FUTEX_CMD_MASK;

	if (cmd != FUTEX_WAIT_BITSET && cmd != FUTEX_WAKE_BITSET)
		put_hex(p, type, v);
	else if ((u32)v == UINT32_MAX)
		put_word(p, "FUTEX_BITSET_", "MATCH_ANY");
	else
		put_hex(p, type, v);
}

/* the fourth argument without its bytes: an address, or a number of waiters */
void put_futex_time(const struct put *p, const struct syscall_type *type, u64 v)
{
	if (uses(p) & USES_VAL2)
		strbuf_addf(p->out, "%d", (s32)v);
	else
		put_address(p, v);
}

static void put_timespec(const struct put *p, struct cursor *c, bool is_long, bool is_bad)
{
	u64 sec, nsec;

	if (is_bad) {
		c->bad = true;
		return;
	}
	sec = is_long ? cursor_u64(c) : (u64)(s32)cursor_u32(c);
	nsec = is_long ? cursor_u64(c) : (u64)(s32)cursor_u32(c);
	strbuf_addf(p->out, "{ .tv_sec: %lld, .tv_nsec: %lld }", (long long)sec, (long long)nsec);
}

void put_futex_timespec(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	put_timespec(p, c, put_has_64bit_registers(p), uses(p) & USES_VAL2);
}

void put_futex_timespec64(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	put_timespec(p, c, true, uses(p) & USES_VAL2);
}

/* --- clone: the low byte is the signal at the end of the child */

static u64 clone_flags(const struct put *p)
{
	return put_arg(p, put_family(p) == ON_S390 ? 1 : 0);
}

void put_clone_flags(const struct put *p, const struct syscall_type *type, u64 v)
{
	size_t len = p->out->len;

	if (v & ~0xffull)
		put_names(p, &syscall_names_CLONE_BITS, v & ~0xffull);
	if (!(v & 0xff) && v)
		return;
	if (p->out->len > len)
		strbuf_addch(p->out, '|');
	if (v & 0xff)
		put_names(p, &syscall_names_SIGNAL_NR, v & 0xff);
	else
		strbuf_addch(p->out, '0');
}

bool absent_parent_tid(const struct put *p)
{
	return !(clone_flags(p) & (0x100000 /* PARENT_SETTID */ | 0x1000 /* PIDFD */));
}

bool absent_child_tid(const struct put *p)
{
	return !(clone_flags(p) & (0x1000000 /* CHILD_SETTID */ | 0x200000 /* CHILD_CLEARTID */));
}

bool absent_clone_tls(const struct put *p)
{
	return !(clone_flags(p) & 0x80000 /* SETTLS */);
}

/* --- files */

/* O_CREAT, or O_TMPFILE without O_DIRECTORY; mq_open() has its flags one place earlier than openat() */
bool absent_open_mode(const struct put *p)
{
	u64 flags = put_arg(p, p->i - 1);

	return !(flags & (put_family(p) == ON_MIPS ? 0x100 : 0x40)) && !(flags & 0x400000);
}

/* the type of a file and its permissions: "S_IFREG|0644" */
void put_file_mode(const struct put *p, const struct syscall_type *type, u64 v)
{
	const char *name = syscall_name_of(&syscall_names_FILE_TYPE, ON_ALL, v & 0xf000);

	if (name)
		strbuf_addf(p->out, "S_IF%s|%#03llo", name, (unsigned long long)v & 0xfff);
	else
		put_octal(p, type, v);
}

/* the number of a device node, which only those have */
bool absent_node_dev(const struct put *p)
{
	u64 type = put_arg(p, p->i - 1) & 0xf000;

	return type != 0x2000 && type != 0x6000;
}

bool absent_mmap_fd(const struct put *p)
{
	return (s32)put_arg(p, 4) == -1 && !p->o->show_zeros;
}

bool absent_mremap_addr(const struct put *p)
{
	return !(put_arg(p, 3) & (2 /* FIXED */ | 4 /* DONTUNMAP */));
}

/* the offset in two longs: the second is its upper half where a long has 32 bits, else it is ignored */
void put_pos_low(const struct put *p, const struct syscall_type *type, u64 v)
{
	if (!put_is64(p))
		v |= (u64)(u32)p->call->arg[p->i + 1] << 32;
	strbuf_addf(p->out, "%lld", (long long)v);
}

bool absent_pos_high(const struct put *p)
{
	return true;
}

void put_fan_events_pair(const struct put *p, const struct syscall_type *type, u64 v)
{
	u64 next = (u32)p->call->arg[(p->i + 1) % SYSCALL_ARGS];
	bool is_big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != p->call->swap;

	put_names(p, &syscall_names_FAN_EVENTS, is_big ? v << 32 | next : next << 32 | v);
}

/* --- fcntl: what a command takes and gives */

enum fcntl_kind { FCNTL_NONE, FCNTL_INT, FCNTL_FD, FCNTL_FDFLAGS, FCNTL_OPEN, FCNTL_LOCK, FCNTL_SIG,
		  FCNTL_SEALS, FCNTL_NOTIFY, FCNTL_PID, FCNTL_ADDRESS };

static const struct {
	u16 cmd, mips;			/* mips 0: the same */
	u8 takes, gives;		/* enum fcntl_kind */
} fcntl_rows[] = {
	{ 0, 0, FCNTL_INT, FCNTL_FD },			/* DUPFD */
	{ 1, 0, FCNTL_NONE, FCNTL_FDFLAGS },		/* GETFD */
	{ 2, 0, FCNTL_FDFLAGS, FCNTL_INT },		/* SETFD */
	{ 3, 0, FCNTL_NONE, FCNTL_OPEN },		/* GETFL */
	{ 4, 0, FCNTL_OPEN, FCNTL_INT },		/* SETFL */
	{ 8, 24, FCNTL_PID, FCNTL_INT },		/* SETOWN */
	{ 9, 23, FCNTL_NONE, FCNTL_INT },		/* GETOWN */
	{ 10, 0, FCNTL_SIG, FCNTL_INT },		/* SETSIG */
	{ 11, 0, FCNTL_NONE, FCNTL_SIG },		/* GETSIG */
	{ 1024, 0, FCNTL_LOCK, FCNTL_INT },		/* SETLEASE */
	{ 1025, 0, FCNTL_NONE, FCNTL_LOCK },		/* GETLEASE */
	{ 1026, 0, FCNTL_NOTIFY, FCNTL_INT },		/* NOTIFY */
	{ 1027, 0, FCNTL_FD, FCNTL_INT },		/* DUPFD_QUERY */
	{ 1028, 0, FCNTL_NONE, FCNTL_INT },		/* CREATED_QUERY */
	{ 1030, 0, FCNTL_INT, FCNTL_FD },		/* DUPFD_CLOEXEC */
	{ 1031, 0, FCNTL_INT, FCNTL_INT },		/* SETPIPE_SZ */
	{ 1032, 0, FCNTL_NONE, FCNTL_INT },		/* GETPIPE_SZ */
	{ 1033, 0, FCNTL_SEALS, FCNTL_INT },		/* ADD_SEALS */
	{ 1034, 0, FCNTL_NONE, FCNTL_SEALS },		/* GET_SEALS */
};

static u8 fcntl_kind(const struct put *p, bool gives)
{
	bool is_mips = put_family(p) == ON_MIPS;
	u32 cmd = put_arg(p, 1);

	for (size_t i = 0; i < ARRAY_SIZE(fcntl_rows); i++)
		if (cmd == (is_mips && fcntl_rows[i].mips ? fcntl_rows[i].mips : fcntl_rows[i].cmd))
			return gives ? fcntl_rows[i].gives : fcntl_rows[i].takes;
	return gives ? FCNTL_INT : FCNTL_ADDRESS;
}

static void put_fcntl(const struct put *p, const struct syscall_type *type, u8 kind, u64 v)
{
	static const struct syscall_names *const names[] = {
		[FCNTL_FDFLAGS] = &syscall_names_FD_FLAGS, [FCNTL_OPEN] = &syscall_names_OPEN_FLAGS,
		[FCNTL_LOCK] = &syscall_names_LOCK_TYPE, [FCNTL_SIG] = &syscall_names_SIGNAL_NR,
		[FCNTL_SEALS] = &syscall_names_SEALS, [FCNTL_NOTIFY] = &syscall_names_NOTIFY_MASK,
		[FCNTL_ADDRESS] = NULL,
	};

	if (names[kind])
		put_names(p, names[kind], (u32)v);
	else if (kind == FCNTL_FD)
		put_fd(p, type, v);
	else if (kind == FCNTL_PID)
		put_pid(p, type, v);
	else if (kind == FCNTL_ADDRESS)
		put_address(p, v);
	else
		strbuf_addf(p->out, "%d", (s32)v);
}

bool absent_fcntl_arg(const struct put *p)
{
	return fcntl_kind(p, false) == FCNTL_NONE;
}

void put_fcntl_arg(const struct put *p, const struct syscall_type *type, u64 v)
{
	put_fcntl(p, type, fcntl_kind(p, false), v);
}

void put_fcntl_result(const struct put *p, const struct syscall_type *type, u64 v)
{
	put_fcntl(p, type, fcntl_kind(p, true), v);
}

/* struct flock; other commands with addresses show those */
void put_fcntl_lock(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	u64 cmd = put_arg(p, 1);
	bool is_lock = cmd >= 5 && cmd <= 7, is_ofd = cmd >= 36 && cmd <= 38;

	if (put_family(p) != ON_MIPS && (is_lock || (is_ofd && put_is64(p))))
		put_struct(p, SYSCALL_TYPE(FLOCK), c);
	else
		c->bad = true;
}
