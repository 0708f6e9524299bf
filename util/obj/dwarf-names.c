/*
 * Dwarf-names: entries are skipped by the sizes of their attributes. Most abbreviations have a constant size,
 * which is added up once; types of C, which contain no functions, are passed over by DW_AT_sibling.
 */
#include "dwarf-names.h"

#include <dwarf.h>
#include <stdlib.h>
#include "../base/alloc.h"
#include "../base/cursor.h"

#define CODES_MAX (1u << 20)
#define ATTRS_MAX (1u << 22)
#define AHEAD 2048		/* bytes that are prefetched before they are needed */
#define LINE 64
#define VARIABLE UINT32_MAX	/* a size that depends on the bytes */

struct form_attr {
	u16 attr, form;
	u32 size;		/* or VARIABLE */
};

struct abbrev {
	u16 tag;		/* 0: there is none with that number */
	bool has_children;
	u32 size;		/* of all attributes, or VARIABLE */
	u32 sibling;		/* where DW_AT_sibling of 4 bytes is, or VARIABLE */
	u32 first, nr;		/* in attr */
};

struct name_walk {
	const struct dwarf_name_sections *s;
	const struct dwarf_name_unit *u;
	struct { VEC(struct abbrev); } abbrev;	/* by code */
	struct { VEC(struct form_attr); } attr;
	bool is_c;
	dwarf_name_fn *fn;
	void *ctx;
};

static u64 take_offset(struct cursor *c, u8 size)
{
	return size == 8 ? cursor_u64(c) : cursor_u32(c);
}

/* --- units */

/* DWARF 5 tells kinds of units in their headers */
static bool take_header(struct cursor *c, struct dwarf_name_unit *u, u8 *kind)
{
	*kind = DW_UT_compile;
	u->version = cursor_u16(c);
	if (u->version < 2 || u->version > 5)
		return false;
	if (u->version < 5) {
		u->abbrev = take_offset(c, u->size_off);
		u->size_addr = cursor_u8(c);
	} else {
		*kind = cursor_u8(c);
		u->size_addr = cursor_u8(c);
		u->abbrev = take_offset(c, u->size_off);
		if (*kind == DW_UT_skeleton || *kind == DW_UT_split_compile)
			cursor_u64(c);
	}
	return *kind >= DW_UT_compile && *kind <= DW_UT_split_type && !c->bad;
}

bool dwarf_name_units(const struct dwarf_name_sections *s, struct dwarf_name_units *ret)
{
	struct cursor c = cursor_of(s->info.p, s->info.len, s->swap);

	while (cursor_left(&c)) {
		struct dwarf_name_unit u = { .start = c.p - s->info.p, .size_off = 4 };
		u64 len = cursor_u32(&c);
		struct cursor head;
		u8 kind;

		if (len == UINT32_MAX) {
			u.size_off = 8;
			len = cursor_u64(&c);
		}
		head = cursor_of(c.p, MIN(len, cursor_left(&c)), s->swap);
		cursor_skip(&c, len);
		if (c.bad || !take_header(&head, &u, &kind))
			return false;
		u.die = head.p - s->info.p;
		u.end = c.p - s->info.p;
		if (kind == DW_UT_compile || kind == DW_UT_partial)
			vec_push(ret, u);
	}
	return true;
}

/* --- abbreviations */

static bool form_size(const struct dwarf_name_unit *u, u64 form, u32 *ret)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		*ret = 0;
		return true;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		*ret = 1;
		return true;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		*ret = 2;
		return true;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		*ret = 3;
		return true;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_ref_sup4:
		*ret = 4;
		return true;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		*ret = 8;
		return true;
	case DW_FORM_data16:
		*ret = 16;
		return true;
	case DW_FORM_addr:
		*ret = u->size_addr;
		return true;
	case DW_FORM_ref_addr:
		*ret = u->version < 3 ? u->size_addr : u->size_off;
		return true;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		*ret = u->size_off;
		return true;
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
	case DW_FORM_block:
	case DW_FORM_exprloc:
	case DW_FORM_string:
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		*ret = VARIABLE;
		return true;
	}
	return false;	/* among them DW_FORM_indirect, which no compiler writes */
}

/* adds an attribute; false: the list ends, or is bad */
static bool take_attr(struct name_walk *w, struct cursor *c, struct abbrev *a)
{
	u64 attr = cursor_uleb(c), form = cursor_uleb(c);
	u32 size;

	if (!attr && !form)
		return false;
	if (form == DW_FORM_implicit_const)
		cursor_uleb(c);
	if (c->bad || attr > UINT16_MAX || !form_size(w->u, form, &size) || w->attr.nr == ATTRS_MAX) {
		c->bad = true;
		return false;
	}
	if (attr == DW_AT_sibling && form == DW_FORM_ref4)
		a->sibling = a->size;
	a->size = a->size == VARIABLE || size == VARIABLE ? VARIABLE : a->size + size;
	vec_push(&w->attr, (struct form_attr){ attr, form, size });
	return true;
}

static bool read_abbrevs(struct name_walk *w)
{
	const struct dwarf_bytes *s = &w->s->abbrev;
	struct cursor c;
	u64 code;

	if (w->u->abbrev >= s->len)
		return false;
	c = cursor_of(s->p + w->u->abbrev, s->len - w->u->abbrev, w->s->swap);
	while ((code = cursor_uleb(&c)) && code < CODES_MAX && !c.bad) {
		struct abbrev a = { .first = w->attr.nr, .sibling = VARIABLE };
		u64 tag = cursor_uleb(&c);

		a.has_children = cursor_u8(&c);
		while (take_attr(w, &c, &a))
			;
		a.nr = w->attr.nr - a.first;
		a.tag = tag && tag <= UINT16_MAX ? tag : 0;
		while (w->abbrev.nr <= code)
			vec_push(&w->abbrev, (struct abbrev){ 0 });
		w->abbrev.v[code] = a;
	}
	return !code && !c.bad;
}

/* --- entries */

static void skip_variable(struct cursor *c, u16 form)
{
	const u8 *end;

	switch (form) {
	case DW_FORM_block1:
		cursor_skip(c, cursor_u8(c));
		break;
	case DW_FORM_block2:
		cursor_skip(c, cursor_u16(c));
		break;
	case DW_FORM_block4:
		cursor_skip(c, cursor_u32(c));
		break;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		cursor_skip(c, cursor_uleb(c));
		break;
	case DW_FORM_string:
		end = c->bad ? NULL : memchr(c->p, '\0', cursor_left(c));
		cursor_skip(c, end ? (u64)(end - c->p) + 1 : UINT64_MAX);
		break;
	default:
		cursor_uleb(c);
	}
}

static const char *string_at(struct cursor *c, const struct dwarf_bytes *s, u64 off)
{
	if (off >= s->len || s->p[s->len - 1]) {
		c->bad = true;
		return NULL;
	}
	return (const char *)s->p + off;
}

/* skips an attribute; the name that it is, or NULL */
static const char *take_name(struct name_walk *w, struct cursor *c, const struct form_attr *a)
{
	const u8 *start = c->p;

	switch (a->form) {
	case DW_FORM_strp:
		return string_at(c, &w->s->str, take_offset(c, a->size));
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_strp_sup:
		c->bad = true;
		return NULL;
	case DW_FORM_string:
		skip_variable(c, a->form);
		return c->bad ? NULL : (const char *)start;
	}
	if (a->size == VARIABLE)
		skip_variable(c, a->form);
	else
		cursor_skip(c, a->size);
	return NULL;
}

static bool is_name(u16 attr)
{
	return attr == DW_AT_name || attr == DW_AT_linkage_name || attr == DW_AT_MIPS_linkage_name;
}

static void take_attrs(struct name_walk *w, struct cursor *c, const struct abbrev *a, u64 die)
{
	bool is_function = a->tag == DW_TAG_subprogram;

	if (!is_function && a->size != VARIABLE) {
		cursor_skip(c, a->size);
		return;
	}
	for (u32 i = a->first; i < a->first + a->nr && !c->bad; i++) {
		const struct form_attr *f = &w->attr.v[i];

		if (is_function && is_name(f->attr)) {
			const char *name = take_name(w, c, f);

			if (name && !c->bad)
				w->fn(w->ctx, die, name);
		} else if (f->size != VARIABLE) {
			cursor_skip(c, f->size);
		} else {
			skip_variable(c, f->form);
		}
	}
}

/* no entry below these is a function */
static bool has_no_functions(const struct name_walk *w, u16 tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return w->is_c;
	case DW_TAG_enumeration_type:
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type:
		return true;
	}
	return false;
}

/*
 * Passes over the entries below one, if it tells where they end. What is passed over is not read, so the
 * processor would not see that the bytes are needed in their order
 */
static bool skip_children(struct name_walk *w, struct cursor *c, const struct abbrev *a, const u8 *attrs)
{
	struct cursor at = cursor_of(attrs, c->end - attrs, w->s->swap);
	const u8 *unit = w->s->info.p + w->u->start;
	const u8 *p = c->p;
	size_t len;
	u32 next;

	if (a->sibling == VARIABLE || !has_no_functions(w, a->tag))
		return false;
	cursor_skip(&at, a->sibling);
	next = cursor_u32(&at);
	if (at.bad || next <= (u64)(c->p - unit) || next > (u64)(c->end - unit))
		return false;
	c->p = unit + next;
	len = MIN(c->p - p, AHEAD);
	for (size_t i = 0; i < len; i += LINE)
		__builtin_prefetch(p + AHEAD + i);
	return true;
}

static bool is_language_of_c(u64 language)
{
	return language == DW_LANG_C89 || language == DW_LANG_C || language == DW_LANG_C99 ||
	       language == DW_LANG_C11;
}

/* the language is an attribute of the unit's own entry */
static bool unit_is_c(struct name_walk *w, struct cursor c)
{
	u64 code = cursor_uleb(&c);
	const struct abbrev *a = code < w->abbrev.nr ? &w->abbrev.v[code] : NULL;

	for (u32 i = 0; a && i < a->nr && !c.bad; i++) {
		const struct form_attr *f = &w->attr.v[a->first + i];

		if (f->attr == DW_AT_language)
			return is_language_of_c(f->form == DW_FORM_data1 ? cursor_u8(&c) :
						f->form == DW_FORM_data2 ? cursor_u16(&c) : 0);
		take_name(w, &c, f);
	}
	return false;
}

static bool walk_entries(struct name_walk *w, struct cursor c)
{
	u64 depth = 0;

	while (cursor_left(&c) && !c.bad) {
		const u8 *start = c.p, *attrs;
		u64 code = *c.p < 0x80 ? *c.p++ : cursor_uleb(&c);
		const struct abbrev *a;

		if (!code) {
			/* bytes that fill up the unit follow the end of its own entry */
			depth -= depth > 0;
			continue;
		}
		if (code >= w->abbrev.nr || !w->abbrev.v[code].tag)
			return false;
		a = &w->abbrev.v[code];
		attrs = c.p;
		take_attrs(w, &c, a, start - w->s->info.p);
		if (a->has_children && !skip_children(w, &c, a, attrs))
			depth++;
	}
	return !depth && !c.bad;
}

bool dwarf_names_of_unit(const struct dwarf_name_sections *s, const struct dwarf_name_unit *u,
			 dwarf_name_fn *fn, void *ctx)
{
	struct name_walk w = { .s = s, .u = u, .fn = fn, .ctx = ctx };
	struct cursor c = cursor_of(s->info.p + u->die, u->end - u->die, s->swap);
	bool ok = read_abbrevs(&w);

	w.is_c = ok && unit_is_c(&w, c);
	ok = ok && walk_entries(&w, c);
	vec_release(&w.abbrev);
	vec_release(&w.attr);
	return ok;
}
