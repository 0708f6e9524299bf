/* Larger things in memory: vectors, sets, status of files, attributes of perf events and BPF. */
#include "put.h"

#include <string.h>
#include "../event/attr.h"
#include "names.h"
#include "table.h"

#define SET_MAX 64		/* members of a set that are printed */
#define ENTRIES_MAX 16		/* of a directory */

/*
 * The bytes of a buffer; for calls that fill it, only the filled bytes. *left bytes remain in this buffer and
 * the next ones
 */
static void put_buffer(const struct put *p, u64 base, u64 len, u64 *left)
{
	const struct syscall_part *part = put_part(p, base);
	u64 used = MIN(len, *left);

	*left -= used;
	if (part && (used || !len))
		put_quoted(p, part->p, MIN(used, (u64)part->len), used > part->len, false);
	else if (part)
		strbuf_addstr(p->out, "\"\"");
	else
		put_address(p, base);
}

/* what the kernel wrote ends with the result */
static u64 filled(const struct put *p)
{
	const char *name = p->row ? p->row->name : "";
	bool fills = strstr(name, "read") || !strncmp(name, "recv", 4);

	return fills && p->call->has_ret && p->call->ret >= 0 ? (u64)p->call->ret : UINT64_MAX;
}

static void put_one_iovec(const struct put *p, struct cursor *c, u64 *left)
{
	u64 base = put_read_long(p, c), len = put_read_long(p, c);

	if (c->bad)
		return;
	strbuf_addstr(p->out, "{ .iov_base: ");
	put_buffer(p, base, len, left);
	strbuf_addf(p->out, ", .iov_len: %llu }", (unsigned long long)len);
}

/* one of an array: those before it tell how much of it the call has filled */
void put_iovec(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	const struct syscall_data *d = &p->call->data[p->i % SYSCALL_ARGS];
	struct cursor before = cursor_of(d->p, d->len, p->call->swap);
	u64 left = filled(p);

	while (left != UINT64_MAX && before.p < c->p && !before.bad) {
		u64 len;

		put_read_long(p, &before);
		len = put_read_long(p, &before);
		left -= MIN(left, len);
	}
	put_one_iovec(p, c, &left);
}

/* an array that another struct points to; its address if it is not known */
void put_iovecs(const struct put *p, u64 addr, u64 nr)
{
	const struct syscall_part *part = put_part(p, addr);
	u64 left = filled(p);
	struct cursor c;

	if (!part) {
		put_address(p, addr);
		return;
	}
	c = cursor_of(part->p, part->len, p->call->swap);
	strbuf_addch(p->out, '[');
	for (u64 i = 0; i < nr; i++) {
		strbuf_addstr(p->out, i ? ", " : "");
		if (cursor_left(&c) < put_size(p, SYSCALL_TYPE(IOVEC))) {
			strbuf_addstr(p->out, "...");
			break;
		}
		put_one_iovec(p, &c, &left);
	}
	strbuf_addch(p->out, ']');
}

/* on x86-64 alone the structure is packed: 12 bytes */
void put_epoll_event(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	u32 events = cursor_u32(c);
	u64 data;

	if (put_family(p) != ON_X86)
		cursor_skip(c, 4);
	data = cursor_u64(c);
	if (c->bad)
		return;
	strbuf_addstr(p->out, "{ .events: ");
	put_names(p, &syscall_names_EPOLL_EVENTS, events);
	strbuf_addf(p->out, ", .data: %#llx }", (unsigned long long)data);
}

/* the members of a set of bits in longs, in ranges if is_list: "[0 1 5]", "0-1,5" */
static void put_bits(const struct put *p, struct cursor *c, bool is_list)
{
	u32 size = put_is64(p) ? 8 : 4, base = 0, nr = 0;
	s64 first = -1, last = -2;

	for (; cursor_left(c) >= size; base += 8 * size) {
		u64 word = put_read(c, size);

		for (; word && nr < SET_MAX; word &= word - 1) {
			s64 bit = base + __builtin_ctzll(word);

			if (is_list && bit == last + 1) {
				last = bit;
				continue;
			}
			if (is_list && last > first)
				strbuf_addf(p->out, "-%lld", (long long)last);
			strbuf_addf(p->out, "%s%lld", nr ? is_list ? "," : " " : "", (long long)bit);
			first = last = bit;
			nr++;
		}
	}
	if (is_list && last > first)
		strbuf_addf(p->out, "-%lld", (long long)last);
	if (nr == SET_MAX)
		strbuf_addstr(p->out, is_list ? ",..." : " ...");
	cursor_skip(c, cursor_left(c));
}

void put_fdset(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	strbuf_addch(p->out, '[');
	put_bits(p, c, false);
	strbuf_addch(p->out, ']');
}

void put_nodemask(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	strbuf_addch(p->out, '[');
	put_bits(p, c, true);
	strbuf_addch(p->out, ']');
}

void put_cpuset(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	strbuf_addch(p->out, '[');
	put_bits(p, c, p->o->bitmask_list);
	strbuf_addch(p->out, ']');
}

/* layouts that are known; others fail, and the address is printed */
void put_stat(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	u8 family = put_family(p);

	if (family == ON_X86 && put_has_64bit_registers(p))
		put_struct(p, SYSCALL_TYPE(STAT_X86_64), c);
	else if ((family == ON_ARM || family == ON_GENERIC) && put_is64(p))
		put_struct(p, SYSCALL_TYPE(STAT_GENERIC64), c);
	else
		c->bad = true;
}

void put_stat64(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	if (put_family(p) == ON_X86 && !put_is64(p))
		put_struct(p, SYSCALL_TYPE(STAT64_I386), c);
	else
		c->bad = true;
}

void put_statfs(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	if (put_family(p) & (ON_S390 | ON_MIPS))
		c->bad = true;
	else
		put_struct(p, SYSCALL_TYPE(STATFS_GENERIC), c);
}

/* a time of utimensat: two numbers of nanoseconds are words */
static void put_utime(const struct put *p, const struct syscall_type *type, struct cursor *c, u32 size)
{
	enum { UTIME_NOW = 0x3fffffff, UTIME_OMIT = 0x3ffffffe };
	struct cursor at = *c;
	u64 nsec;

	put_read(&at, size);
	nsec = put_read(&at, size);
	if (nsec != UTIME_NOW && nsec != UTIME_OMIT) {
		put_struct(p, type, c);
		return;
	}
	*c = at;
	put_word(p, "UTIME_", nsec == UTIME_NOW ? "NOW" : "OMIT");
}

void put_utimespec(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	put_utime(p, SYSCALL_TYPE(TIMESPEC), c, put_size(p, SYSCALL_TYPE(TIMESPEC)) / 2);
}

void put_utimespec64(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	put_utime(p, SYSCALL_TYPE(TIMESPEC64), c, 8);
}

/* struct new_utsname: six texts of 65 bytes each */
void put_utsname(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	static const char *const names[] = { "sysname", "nodename", "release" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const void *text = cursor_bytes(c, 65);

		if (!text)
			return;
		strbuf_addf(p->out, "%s.%s: ", i ? ", " : "{ ", names[i]);
		put_quoted(p, text, 65, false, true);
	}
	strbuf_addstr(p->out, " }");
}

/* struct linux_dirent64: inode, offset, length of the record, type, name */
void put_dirents(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	strbuf_addch(p->out, '[');
	for (u32 i = 0; cursor_left(c); i++) {
		struct cursor at = *c;
		const char *name;
		u16 len;

		cursor_skip(&at, 16);
		len = cursor_u16(&at);
		cursor_skip(&at, 1);
		if (at.bad || len < 20 || len > cursor_left(c) || i == ENTRIES_MAX) {
			strbuf_addstr(p->out, i ? ", ..." : "...");
			break;
		}
		name = cursor_bytes(&at, len - 19);
		strbuf_addstr(p->out, i ? ", " : "");
		put_quoted(p, name, len - 19, false, true);
		cursor_skip(c, len);
	}
	strbuf_addch(p->out, ']');
}

/* the event, and how it is counted; the attribute's own size says how much of it there is */
void put_perf_attr(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	struct pe_attr attr;
	struct cursor at = *c;
	u32 size, left = cursor_left(c);

	cursor_skip(&at, 4);
	size = cursor_u32(&at);
	if (at.bad || size < 64)	/* the first version; 0 stands for it */
		size = 64;
	if (left < 64) {
		c->bad = true;
		return;
	}
	pe_attr_decode(&attr, c->p, MIN(size, left), c->swap);
	strbuf_addstr(p->out, "{ .type: ");
	put_names(p, &syscall_names_PERF_TYPE, attr.type);
	strbuf_addstr(p->out, ", .config: ");
	if (attr.type == 0 && attr.config < 10)
		put_names(p, &syscall_names_PERF_HW, attr.config);
	else if (attr.type == 1)
		put_names(p, &syscall_names_PERF_SW, attr.config);
	else
		strbuf_addf(p->out, "%#llx", (unsigned long long)attr.config);
	if (attr.sample_period)
		strbuf_addf(p->out, ", .sample_period: %llu", (unsigned long long)attr.sample_period);
	if (attr.sample_type)
		strbuf_addf(p->out, ", .sample_type: %#llx", (unsigned long long)attr.sample_type);
	if (attr.read_format)
		strbuf_addf(p->out, ", .read_format: %#llx", (unsigned long long)attr.read_format);
	strbuf_addf(p->out, ", .disabled: %u, .inherit: %u, ... }", (u32)(attr.flags & 1),
		    (u32)(attr.flags >> 1 & 1));
	cursor_skip(c, left);
}

/* a rule for a path is packed: 12 bytes; one for a port has 16. The type is the argument before */
void put_landlock_attr(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	u64 access = cursor_u64(c);

	if (put_arg(p, 1) == 1) {
		s32 fd = cursor_u32(c);

		if (c->bad)
			return;
		strbuf_addstr(p->out, "{ .allowed_access: ");
		put_names(p, &syscall_names_LANDLOCK_FS, access);
		strbuf_addstr(p->out, ", .parent_fd: ");
		put_fd(p, type, (u32)fd);
	} else {
		u64 port = cursor_u64(c);

		if (c->bad)
			return;
		strbuf_addstr(p->out, "{ .allowed_access: ");
		put_names(p, &syscall_names_LANDLOCK_NET, access);
		strbuf_addf(p->out, ", .port: %llu", (unsigned long long)port);
	}
	strbuf_addstr(p->out, " }");
}

static void put_bpf_map(const struct put *p, struct cursor *c)
{
	u32 map = cursor_u32(c), key = cursor_u32(c), value = cursor_u32(c), entries = cursor_u32(c);

	strbuf_addstr(p->out, "{ .map_type: ");
	put_names(p, &syscall_names_BPF_MAP_TYPE, map);
	strbuf_addf(p->out, ", .key_size: %u, .value_size: %u, .max_entries: %u", key, value, entries);
	cursor_skip(c, 12);	/* flags, inner_map_fd, numa_node */
	if (cursor_left(c) >= 16) {
		strbuf_addstr(p->out, ", .map_name: ");
		put_quoted(p, cursor_bytes(c, 16), 16, false, true);
	}
}

static void put_bpf_prog(const struct put *p, struct cursor *c)
{
	u32 prog = cursor_u32(c), insns = cursor_u32(c);

	strbuf_addstr(p->out, "{ .prog_type: ");
	put_names(p, &syscall_names_BPF_PROG_TYPE, prog);
	strbuf_addf(p->out, ", .insn_cnt: %u", insns);
	cursor_skip(c, 40);	/* to prog_name */
	if (cursor_left(c) >= 16) {
		strbuf_addstr(p->out, ", .prog_name: ");
		put_quoted(p, cursor_bytes(c, 16), 16, false, true);
	}
}

static void put_bpf_elem(const struct put *p, struct cursor *c)
{
	u32 fd = cursor_u32(c);
	u64 key, value, flags;

	cursor_skip(c, 4);
	key = cursor_u64(c);
	value = cursor_u64(c);
	flags = cursor_u64(c);
	strbuf_addstr(p->out, "{ .map_fd: ");
	put_fd(p, NULL, fd);
	strbuf_addf(p->out, ", .key: %#llx, .value: %#llx, .flags: %#llx", (unsigned long long)key,
		    (unsigned long long)value, (unsigned long long)flags);
}

/* union bpf_attr: what is in it depends on the command */
void put_bpf_attr(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	switch (put_arg(p, 0)) {
	case 0: put_bpf_map(p, c); break;
	case 1: case 2: case 3: put_bpf_elem(p, c); break;
	case 5: put_bpf_prog(p, c); break;
	default: c->bad = true; return;
	}
	strbuf_addstr(p->out, " }");
}
