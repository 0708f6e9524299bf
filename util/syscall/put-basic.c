/* Printers of numbers, addresses, descriptors and strings. */
#include "put.h"

#include <string.h>
#include "names.h"
#include "table.h"

u64 put_read(struct cursor *c, u32 size)
{
	const u8 *p;

	switch (size) {
	case 1:
		p = cursor_bytes(c, 1);
		return p ? *p : 0;
	case 2:
		return cursor_u16(c);
	case 4:
		return cursor_u32(c);
	default:
		return cursor_u64(c);
	}
}

void put_address(const struct put *p, u64 v)
{
	if (v)
		put_hex(p, NULL, v);
	else
		strbuf_addstr(p->out, "NULL");
}

void put_word(const struct put *p, const char *prefix, const char *name)
{
	if (p->o->show_prefix)
		strbuf_addstr(p->out, prefix);
	strbuf_addstr(p->out, name);
}

void put_int(const struct put *p, const struct syscall_type *type, u64 v)
{
	if ((s64)v < 0)
		strbuf_addch(p->out, '-');
	strbuf_add_u64(p->out, (s64)v < 0 ? -v : v, 0);
}

void put_uint(const struct put *p, const struct syscall_type *type, u64 v)
{
	strbuf_add_u64(p->out, v, 0);
}

void put_hex(const struct put *p, const struct syscall_type *type, u64 v)
{
	if (v)
		strbuf_addstr(p->out, "0x");
	strbuf_add_hex(p->out, v, 0, '0');
}

void put_octal(const struct put *p, const struct syscall_type *type, u64 v)
{
	strbuf_addf(p->out, "%#llo", (unsigned long long)v);
}

/* limits of resources: sizes, often in units of 1024 */
void put_rlim(const struct put *p, const struct syscall_type *type, u64 v)
{
	if (v == ~0ull || (v == (u32)~0 && !put_is64(p)))
		put_word(p, "RLIM_", "INFINITY");
	else if (v > 1024 && !(v % 1024))
		strbuf_addf(p->out, "%llu*1024", (unsigned long long)v / 1024);
	else
		strbuf_add_u64(p->out, v, 0);
}

/* -1 stands for "unchanged" */
void put_uid(const struct put *p, const struct syscall_type *type, u64 v)
{
	if ((u32)v == (u32)-1)
		strbuf_addstr(p->out, "-1");
	else
		strbuf_add_u64(p->out, v, 0);
}

void put_pid(const struct put *p, const struct syscall_type *type, u64 v)
{
	size_t len;

	strbuf_addf(p->out, "%d", (s32)v);
	/* the caller's own name is known without that */
	if ((s32)v <= 0 || (s32)v == p->call->pid || (s32)v == p->call->tid || !p->o->task_name)
		return;
	len = p->out->len;
	strbuf_addstr(p->out, " (");
	if (p->o->task_name(p->o->ctx, (s32)v, p->out))
		strbuf_addch(p->out, ')');
	else
		strbuf_setlen(p->out, len);
}

/* the kernel's encoding of a dev_t for programs: minor bits 0-7 and 20-31, major 8-19 (and 32 on) */
void put_dev(const struct put *p, const struct syscall_type *type, u64 v)
{
	u32 maj = (v >> 8 & 0xfff) | (v >> 32 & ~0xfffull), min = (v & 0xff) | (v >> 12 & ~0xffull);

	strbuf_addf(p->out, "makedev(%#x, %#x)", maj, min);
}

void put_list(const struct put *p, const struct syscall_type *type, u64 v)
{
	put_names(p, type->names, v);
}

bool absent_always(const struct put *p)
{
	return true;
}

/* the half at the lower address of a pair is the lower one in little-endian programs */
void put_pair(const struct put *p, const struct syscall_type *type, u64 v)
{
	u64 next = p->i + 1 < SYSCALL_ARGS ? (u32)p->call->arg[p->i + 1] : 0;
	bool is_big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != p->call->swap;

	put_int(p, type, is_big ? v << 32 | next : next << 32 | v);
}

void put_fd(const struct put *p, const struct syscall_type *type, u64 v)
{
	size_t len;

	put_int(p, type, (s64)(s32)v);
	if ((s32)v < 0 || !p->o->fd_path)
		return;
	len = p->out->len;
	strbuf_addch(p->out, '<');
	if (p->o->fd_path(p->o->ctx, p->call->pid, (s32)v, p->out))
		strbuf_addch(p->out, '>');
	else
		strbuf_setlen(p->out, len);
}

void put_dirfd(const struct put *p, const struct syscall_type *type, u64 v)
{
	if ((s32)v == -100)
		put_word(p, "AT_FD", "CWD");
	else
		put_fd(p, type, v);
}

/* a character of a string in quotes */
static void put_char(struct strbuf *out, u8 ch, u8 next)
{
	static const char escapes[] = "\a\b\t\n\v\f\r", letters[] = "abtnvfr";
	const char *e = ch ? strchr(escapes, ch) : NULL;

	if (e)
		strbuf_addf(out, "\\%c", letters[e - escapes]);
	else if (ch == '"' || ch == '\\')
		strbuf_addf(out, "\\%c", ch);
	else
		/* three digits where a digit comes next */
		strbuf_addf(out, next >= '0' && next <= '7' ? "\\%03o" : "\\%o", ch);
}

void put_quoted(const struct put *p, const void *bytes, size_t len, bool more, bool is_text)
{
	size_t limit = p->o->string_limit ? p->o->string_limit : SYSCALL_STRING_LIMIT, nr = len;
	const u8 *s = bytes;

	if (is_text) {
		nr = strnlen(bytes, len);
		more = more && nr == len;
	}
	if (nr > limit) {
		nr = limit;
		more = true;
	}
	strbuf_addch(p->out, '"');
	for (size_t i = 0; i < nr; i++) {
		size_t run = i;

		while (run < nr && s[run] >= ' ' && s[run] < 0x7f && s[run] != '"' && s[run] != '\\')
			run++;
		strbuf_add(p->out, s + i, run - i);
		i = run;
		if (i < nr)
			put_char(p->out, s[i], i + 1 < nr ? s[i + 1] : 0);
	}
	strbuf_addstr(p->out, more ? "\"..." : "\"");
}

/* bytes that end with a NUL, such as a path of getcwd */
void put_text(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	size_t len = cursor_left(c);

	put_quoted(p, cursor_bytes(c, len), len, true, true);
}

#define STRINGS_MAX 32

/* strings one after another, each with its NUL; the last may be cut */
void put_argv(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	strbuf_addch(p->out, '[');
	for (unsigned int i = 0; cursor_left(c); i++) {
		size_t len = strnlen((const char *)c->p, cursor_left(c)), left = cursor_left(c);

		if (i)
			strbuf_addstr(p->out, ", ");
		if (i == STRINGS_MAX) {
			strbuf_addstr(p->out, "...");
			break;
		}
		put_quoted(p, cursor_bytes(c, len), len, len == left, true);
		cursor_skip(c, MIN((size_t)1, left - len));
	}
	strbuf_addch(p->out, ']');
}

/* "{ .tv_sec: 1, .tv_nsec: 0 }"; "..." stands for fields that are 0 or not of interest */
void put_struct(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	bool is64 = syscall_type_is64(p->call->table, type), is_blob = type->size64 == 1;
	const char *sep = "{ ";

	for (u32 i = 0; i < type->nr_fields && !c->bad; i++) {
		const struct syscall_field *f = &type->field[i];
		u32 size = is64 ? f->size64 : f->size32;
		size_t len = p->out->len;
		struct cursor at = *c;

		if (is_blob && cursor_left(c) < size)
			break;
		if (f->type == NR_TYPES) {
			cursor_skip(c, size);
			continue;
		}
		if (type->hide && !syscall_types[f->type].put_mem && !put_read(&at, size) && !at.bad) {
			cursor_skip(c, size);
			continue;
		}
		strbuf_addf(p->out, "%s.%s: ", sep, f->name);
		put_element(p, &syscall_types[f->type], c, size);
		if (c->bad)
			strbuf_setlen(p->out, len);
		else
			sep = ", ";
	}
	if (type->hide)
		strbuf_addf(p->out, "%s...", sep);
	strbuf_addstr(p->out, *sep == '{' && !type->hide ? "{}" : " }");
}
