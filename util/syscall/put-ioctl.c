/* Commands of ioctl. */
#include "put.h"

#include "table.h"

#define IOCTL_NAME 40
static const struct {
	u32 number;
	char name[IOCTL_NAME];
} rows[] = {
#define IOCTL(number, name) { number + FITS(name, IOCTL_NAME), name },
#include "ioctls.def"
#include "../base/search.h"
#undef IOCTL
};

/*
 * A number as <asm-generic/ioctl.h> has it: nr 8 bits, type 8, size 14, direction 2 (1 write, 2 read). MIPS
 * and PowerPC have 13 bits of size, and 3 for the direction: 1 none, 2 read, 4 write
 */
static u32 as_generic(const struct put *p, u32 v)
{
	u32 dir = v >> 29;

	if (!(put_family(p) & (ON_MIPS | ON_POWERPC)) || !dir)
		return v;
	return (v & 0x1fffffff) | (dir & 4 ? 1u << 30 : 0) | (dir & 2 ? 2u << 30 : 0);
}

static const char *command_name(u32 v)
{
	size_t lo = LOWER_BOUND(ARRAY_SIZE(rows), i, rows[i].number < v);

	return lo < ARRAY_SIZE(rows) && rows[lo].number == v ? rows[lo].name : NULL;
}

/* terminals of MIPS and PowerPC have numbers of their own, without parts: no names */
static bool has_own_number(const struct put *p, u32 v)
{
	return put_family(p) & (ON_MIPS | ON_POWERPC) && (v >> 8 == 'T' || (v >> 8 & 0xff) == 't');
}

void put_ioctl_cmd(const struct put *p, const struct syscall_type *type, u64 v)
{
	static const char *const dirs[] = { "_IOC_NONE", "_IOC_WRITE", "_IOC_READ", "_IOC_READ|_IOC_WRITE" };
	u32 cmd = as_generic(p, v);
	const char *name = has_own_number(p, v) ? NULL : command_name(cmd);

	if (name)
		strbuf_addstr(p->out, name);
	else
		strbuf_addf(p->out, "_IOC(%s, %#x, %#x, %#x)", dirs[cmd >> 30], cmd >> 8 & 0xff, cmd & 0xff,
			    cmd >> 16 & 0x3fff);
}

/* what commands have for an argument; others: an address or a number, shown in hex */
static const struct {
	u32 number;
	bool is_value;				/* else what it points to */
	u16 type;				/* NR_TYPES: struct ifreq, of which the name is shown */
} arg_rows[] = {
	{ 0x00001268, false, TYPE_INT },		/* BLKSSZGET */
	{ 0x00001260, false, TYPE_ULONG },		/* BLKGETSIZE */
	{ 0x00002402, true, TYPE_INT },		/* PERF_EVENT_IOC_REFRESH */
	{ 0x00002405, true, TYPE_FD },			/* PERF_EVENT_IOC_SET_OUTPUT */
	{ 0x00004c00, true, TYPE_FD },			/* LOOP_SET_FD */
	{ 0x00005401, false, TYPE_TERMIOS },		/* TCGETS */
	{ 0x00005402, false, TYPE_TERMIOS },		/* TCSETS */
	{ 0x00005403, false, TYPE_TERMIOS },		/* TCSETSW */
	{ 0x00005404, false, TYPE_TERMIOS },		/* TCSETSF */
	{ 0x0000540f, false, TYPE_PID },		/* TIOCGPGRP */
	{ 0x00005410, false, TYPE_PID },		/* TIOCSPGRP */
	{ 0x00005411, false, TYPE_INT },		/* TIOCOUTQ */
	{ 0x00005413, false, TYPE_WINSIZE },		/* TIOCGWINSZ */
	{ 0x00005414, false, TYPE_WINSIZE },		/* TIOCSWINSZ */
	{ 0x0000541b, false, TYPE_INT },		/* FIONREAD */
	{ 0x00005421, false, TYPE_INT },		/* FIONBIO */
	{ 0x00005429, false, TYPE_PID },		/* TIOCGSID */
	{ 0x00005452, false, TYPE_INT },		/* FIOASYNC */
	{ 0x00008905, false, TYPE_INT },		/* SIOCATMARK */
	{ 0x00008913, false, NR_TYPES },				/* SIOCGIFFLAGS */
	{ 0x00008914, false, NR_TYPES },				/* SIOCSIFFLAGS */
	{ 0x00008915, false, NR_TYPES },				/* SIOCGIFADDR */
	{ 0x0000891b, false, NR_TYPES },				/* SIOCGIFNETMASK */
	{ 0x00008921, false, NR_TYPES },				/* SIOCGIFMTU */
	{ 0x00008927, false, NR_TYPES },				/* SIOCGIFHWADDR */
	{ 0x00008933, false, NR_TYPES },				/* SIOCGIFINDEX */
	{ 0x00008946, false, NR_TYPES },				/* SIOCETHTOOL */
	{ 0x40045431, false, TYPE_INT },		/* TIOCSPTLCK */
	{ 0x40049409, true, TYPE_FD },			/* FICLONE */
	{ 0x400454ca, false, NR_TYPES },				/* TUNSETIFF */
	{ 0x80045430, false, TYPE_UINT },		/* TIOCGPTN */
	{ 0x80081272, false, TYPE_U64 },		/* BLKGETSIZE64 */
	{ 0x80082407, false, TYPE_U64 },		/* PERF_EVENT_IOC_ID */
	{ 0x80086601, false, TYPE_HEX },		/* FS_IOC_GETFLAGS */
	{ 0x40086602, false, TYPE_HEX },		/* FS_IOC_SETFLAGS */
};

/* the row of the call's command; -1: none */
static int arg_row(const struct put *p)
{
	u32 v = put_arg(p, 1), cmd = as_generic(p, v);

	for (size_t i = 0; i < ARRAY_SIZE(arg_rows) && !has_own_number(p, v); i++)
		if (arg_rows[i].number == cmd)
			return i;
	return -1;
}

void put_ioctl_arg(const struct put *p, const struct syscall_type *type, u64 v)
{
	int row = arg_row(p);

	if (row >= 0 && arg_rows[row].is_value)
		put_value(p, &syscall_types[arg_rows[row].type], v, 0);
	else
		put_hex(p, type, v);
}

void put_ioctl_mem(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	int row = arg_row(p);
	const void *name;

	if (row < 0 || arg_rows[row].is_value) {
		c->bad = true;
		return;
	}
	if (arg_rows[row].type == NR_TYPES) {
		name = cursor_bytes(c, 16);
		if (!name)
			return;
		strbuf_addstr(p->out, "{ .ifr_name: ");
		put_quoted(p, name, 16, false, true);
		strbuf_addstr(p->out, ", ... }");
		return;
	}
	type = &syscall_types[arg_rows[row].type];
	if (type->put_mem) {
		put_element(p, type, c, 0);
	} else {
		strbuf_addch(p->out, '[');
		put_element(p, type, c, 0);
		strbuf_addch(p->out, ']');
	}
}
