/* Breakpoints: see parse-breakpoint.h. */
#include "parse-breakpoint.h"
#include "parse-modifiers.h"

#include <ctype.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <unistd.h>
#include "../base/kallsyms-lines.h"
#include "../base/units.h"

static int breakpoint_access(struct span s, u32 *ret)
{
	u32 access = 0;

	for (size_t i = 0; i < s.len; i++) {
		u32 bit = s.s[i] == 'r' ? HW_BREAKPOINT_R : s.s[i] == 'w' ? HW_BREAKPOINT_W :
			  s.s[i] == 'x' ? HW_BREAKPOINT_X : 0;

		if (!bit || (access & bit))
			return -EINVAL;
		access |= bit;
	}
	*ret = access;
	return s.len ? 0 : -EINVAL;
}

struct symbol_search {
	struct span name;
	u64 addr;		/* 0: not found, or hidden */
	bool found;
};

static bool note_symbol(void *ctx, const struct kallsyms_entry *e)
{
	struct symbol_search *s = ctx;

	s->found = span_is(s->name, e->name);
	s->addr = s->found ? e->addr : 0;
	return !s->found;
}

static int breakpoint_address(struct parser *ps, struct span w, u64 *ret)
{
	struct symbol_search search = { .name = w };

	if (!span_u64(w, ret))
		return 0;
	if (!w.len || isdigit((unsigned char)*w.s))
		return parse_err(ps, -EINVAL, w.len ? w : (struct span){ ps->p, 1 },
				 "an address is expected here: mem:ADDRESS[/LENGTH][:rwx], "
				 "like mem:0x7f00/8:w");
	kallsyms_lines_each(note_symbol, &search);
	if (search.found && !search.addr)
		return parse_err(ps, -EACCES, w, "addresses of kernel symbols are hidden from this user "
				 "(kernel.kptr_restrict): run as root, or give the address itself");
	if (!search.found) {
		parse_err(ps, -ENOENT, w, "'%.*s' is neither an address nor a symbol of the kernel",
			  (int)MIN(w.len, (size_t)100), w.s);
		err_hint(ps->err, "symbols of programs are written with their file: mem:./prog:counter:w; "
			 "variables of the kernel are known where it has CONFIG_KALLSYMS_ALL");
		return -ENOENT;
	}
	*ret = search.addr;
	return 0;
}

/* length of the file name in "FILE:SYMBOL..."; 0: it is an address or a symbol of the kernel */
static size_t file_length(const char *s)
{
	size_t len = strcspn(s, ":,{} \t\n");
	const char *slash = memchr(s, '/', len);
	struct span next = { s + len + 1, s[len] == ':' ? strcspn(s + len + 1, ":/,{} \t\n") : 0 };
	char name[256];
	u32 unused;

	if (!next.len)
		return 0;
	if (slash)	/* "/8" is a length */
		return strspn(slash + 1, "0123456789") == len - (slash + 1 - s) && slash > s ? 0 : len;
	if (!breakpoint_access(next, &unused) || modifiers_valid(next) || isdigit((unsigned char)*s))
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)MIN(len, sizeof(name) - 1), s);
	return memchr(s, '.', len) || access(name, F_OK) == 0 ? len : 0;
}

/* SYMBOL[+OFFSET], after "FILE:" */
static int parse_file_symbol(struct parser *ps, struct event *ev, struct span file)
{
	struct span sym = { ps->p, strcspn(ps->p, "+:/,{} \t\n") }, off;
	u64 v = 0;

	if (!sym.len)
		return parse_err(ps, -EINVAL, (struct span){ ps->p, 1 },
				 "a symbol of the file is expected here");
	ps->p += sym.len;
	if (*ps->p == '+') {
		off = (struct span){ ps->p + 1, strcspn(ps->p + 1, ":/,{} \t\n") };
		if (span_u64(off, &v))
			return parse_err(ps, -EINVAL, off, "an offset in bytes is expected after '+'");
		ps->p += 1 + off.len;
	}
	ev->bp_file = span_dup(ps, file);
	ev->bp_symbol = span_dup(ps, sym);
	ev->attr.config1 = v;
	return 0;
}

static int parse_place(struct parser *ps, struct event *ev)
{
	size_t len = file_length(ps->p);
	struct span w = { ps->p, strcspn(ps->p, ",{}/: \t\n") };
	int ret;

	if (len) {
		w.len = len;
		ps->p += len + 1;
		return parse_file_symbol(ps, ev, w);
	}
	ret = breakpoint_address(ps, w, &ev->attr.config1);
	ps->p += ret ? 0 : w.len;
	return ret;
}

int parse_breakpoint(struct parser *ps)
{
	const char *start = ps->p - strlen("mem");
	struct event *ev = parse_add_event(ps, PERF_TYPE_BREAKPOINT, 0);
	u32 access = HW_BREAKPOINT_RW;
	struct span w;
	u64 len = 0;
	int ret;

	ps->p++;
	ret = parse_place(ps, ev);
	if (ret)
		return ret;
	if (*ps->p == '/') {
		w = (struct span){ ps->p + 1, strcspn(ps->p + 1, ",{}/: \t\n") };
		if (span_u64(w, &len) || !len || len > 8)
			return parse_err(ps, -EINVAL, w, "a breakpoint's length is 1 to 8 bytes");
		ps->p += 1 + w.len;
	}
	w = (struct span){ ps->p + 1, *ps->p == ':' ? strcspn(ps->p + 1, ",{}/: \t\n") : 0 };
	if (w.len && !breakpoint_access(w, &access)) {
		ps->p += 1 + w.len;
	} else if (w.len && !modifiers_valid(w)) {
		return parse_err(ps, -EINVAL, w, "a breakpoint's access is made of r, w and x");
	}
	if (!len && (!ev->bp_symbol || access == HW_BREAKPOINT_X))
		len = access == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
	ev->name = arena_strndup(&ps->set->arena, start, ps->p - start);
	ev->attr.bp_type = access;
	ev->attr.config2 = len;	/* 0: as large as the symbol */
	return 0;
}
