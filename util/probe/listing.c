/* Listing: source lines that can be probed. */
#include "listing.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "../base/caret.h"
#include "../base/strbuf.h"
#include "debug-file.h"
#include "functions.h"
#include "point.h"

#define LINES_AFTER 3	/* lines shown after the last line with code, for the closing brace */

/* --- the range as text */

static int bad_range(struct listing_range *r, const char *at, const char *what, struct err *err)
{
	err_set(err, -EINVAL, "'%s' is not a range of lines: %s", r->text, what);
	err_caret(err, r->text, at - r->text, MAX(strlen(at), (size_t)1));
	err_hint(err, "write FUNCTION, FUNCTION:3-7, FUNCTION:3+5 or FILE:10-20");
	return -EINVAL;
}

static bool take_number(const char **p, u32 *ret)
{
	u64 v = 0;

	if (!isdigit((u8)**p))
		return false;
	for (; isdigit((u8)**p); ++*p) {
		v = v * 10 + (**p - '0');
		if (v >= UINT32_MAX)
			return false;
	}
	*ret = v;
	return true;
}

/* the ':' before the lines; NULL: none. C++ names have others */
static const char *range_mark(const char *text)
{
	const char *colon = strrchr(text, ':');

	if (!colon || (colon > text && colon[-1] == ':'))
		return NULL;
	return colon;
}

static int parse_lines(struct listing_range *r, const char *p, struct err *err)
{
	u32 nr;

	if (!take_number(&p, &r->first))
		return bad_range(r, p, "a number must follow ':'", err);
	r->has_first = true;
	if (*p == '-') {
		p++;
		if (!take_number(&p, &r->last))
			return bad_range(r, p, "a number must follow '-'", err);
		if (r->last < r->first)
			return bad_range(r, p, "its end is before its start", err);
	} else if (*p == '+') {
		p++;
		if (!take_number(&p, &nr) || !nr)
			return bad_range(r, p, "a number of lines must follow '+'", err);
		/* "10+5" are the five lines from 10 on */
		r->last = r->first > UINT32_MAX - nr ? UINT32_MAX : r->first + nr - 1;
	}
	return *p ? bad_range(r, p, "it must end here", err) : 0;
}

int listing_range_parse(struct listing_range *r, const char *text, struct err *err)
{
	const char *mark = range_mark(text), *at;
	size_t len = mark ? (size_t)(mark - text) : strlen(text);

	*r = (struct listing_range){ .last = UINT32_MAX };
	r->text = arena_strdup(&r->mem, text);
	mark = range_mark(r->text);
	at = memchr(r->text, '@', len);
	if (!len || at == r->text)
		return bad_range(r, r->text, "it must begin with a function or a file", err);
	if (at && at + 1 < r->text + len) {
		r->function = arena_strndup(&r->mem, r->text, at - r->text);
		r->file = arena_strndup(&r->mem, at + 1, r->text + len - at - 1);
	} else if (at) {
		return bad_range(r, at, "a file must follow '@'", err);
	} else if (memchr(r->text, '.', len) || memchr(r->text, '/', len)) {
		r->file = arena_strndup(&r->mem, r->text, len);
	} else {
		r->function = arena_strndup(&r->mem, r->text, len);
	}
	return mark ? parse_lines(r, mark + 1, err) : 0;
}

void listing_range_release(struct listing_range *r)
{
	arena_release(&r->mem);
}

/* --- what is listed */

struct lister {
	struct debug_file *d;
	struct probe_listing *out;
	const char *source;	/* path in the debug information */
	u32 base;		/* line that is shown as 0 */
	struct line_rows rows;
	struct debug_unit *unit;
	int depth;
	struct line_rows entries;	/* addresses of functions, and the lines of their declarations */
};

static int fill(struct lister *l, struct debug_unit *unit, u32 first, u32 last, struct err *err)
{
	struct probe_listing *out = l->out;
	size_t row = 0;
	int ret = probe_source_text_read(&out->text, unit, l->source, l->d->file.t->source_dir, err);

	if (ret)
		return ret;
	out->file = out->text.name;
	for (u32 line = MAX(first, 1u); line <= last && line <= out->text.line.nr; line++) {
		bool is_probeable = false;

		while (row < l->rows.nr && l->rows.v[row].line <= line) {
			is_probeable |= l->rows.v[row].line == line && l->rows.v[row].is_first;
			row++;
		}
		vec_push(out, (struct probe_listing_line){ line - l->base, is_probeable,
						    out->text.line.v[line - 1] });
	}
	return 0;
}

static int by_line(const void *pa, const void *pb)
{
	const struct line_row *a = pa, *b = pb;

	return a->line < b->line ? -1 : a->line > b->line;
}

static void add_rows(struct lister *l, struct debug_unit *unit, u32 first, u32 last)
{
	unit_line_rows(unit, l->source, first, last, &l->rows);
}

/*
 * the first instruction of a function belongs to the line of its declaration, where people look for it; the
 * line table has it at the '{'
 */
static void move_entries(struct lister *l)
{
	vec_foreach(&l->rows, r)
		vec_foreach(&l->entries, e)
			if (e->addr == r->addr)
				r->is_first = false;
	vec_foreach(&l->entries, e)
		vec_push(&l->rows, *e);
}

static void add_entry(struct lister *l, Dwarf_Die *die, u32 line)
{
	u64 entry;

	if (die_entry(die, &entry))
		vec_push(&l->entries, (struct line_row){ entry, line, true });
}

static bool entry_die(void *ctx, Dwarf_Die *die)
{
	struct lister *l = ctx;
	const char *file;
	u32 line;

	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		if (!die_has(die, DW_AT_declaration) && debug_unit_decl(l->unit, die, &file, &line) &&
		    !strcmp(file,
											       l->source))
			add_entry(l, die, line);
		break;
	case DW_TAG_namespace:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
		if (l->depth < DIE_DEPTH_MAX) {
			l->depth++;
			die_children(die, entry_die, l);
			l->depth--;
		}
	}
	return true;
}

static void list_entries(struct lister *l, struct debug_unit *unit)
{
	l->unit = unit;
	die_children(&unit->info, entry_die, l);
}

static void sort_rows(struct lister *l)
{
	move_entries(l);
	if (l->rows.nr)
		qsort(l->rows.v, l->rows.nr, sizeof(*l->rows.v), by_line);
}

static int list_function(struct lister *l, const struct listing_range *r, struct function *f, struct err *err)
{
	u32 first, last, end = 0;

	if (!f->file)
		return err_set(err, -ENODATA, "the source file of function '%s' is not known", f->name);
	l->source = f->file;
	l->base = f->line;
	l->out->function = arena_strdup(&l->out->mem, r->function);
	l->out->first = r->first;
	add_rows(l, f->unit, f->line, function_end_line(f) - 1);
	vec_foreach(&f->code, c)
		if (c->unit != f->unit && (c == f->code.v || c[-1].unit != c->unit))
			add_rows(l, c->unit, f->line, function_end_line(f) - 1);
	vec_foreach(&f->code, c)
		if (!c->is_inlined)
			add_entry(l, &c->die, f->line);
	sort_rows(l);
	vec_foreach(&l->rows, row)
		end = MAX(end, row->line);
	first = r->first > UINT32_MAX - f->line ? UINT32_MAX : f->line + r->first;
	last = r->last < UINT32_MAX - f->line ? f->line + r->last : end + LINES_AFTER;
	if (!l->rows.nr)
		return err_set(err, -ENOENT, "function '%s' has no code", f->name);
	return fill(l, f->unit, first, last, err);
}

static int list_file(struct lister *l, const struct listing_range *r, struct err *err)
{
	const char *slash = strrchr(r->file, '/');
	struct debug_unit_set units = { 0 };

	debug_search_source(&l->d->search, slash ? slash + 1 : r->file, &units);
	vec_foreach(&units, u) {
		struct debug_unit *unit = &l->d->units.v[*u];
		const char *file = unit_source_file(unit, r->file);

		/* of several matching files, the first that has code */
		if (!file || (l->source && strcmp(file, l->source)))
			continue;
		l->source = file;
		add_rows(l, unit, 1, UINT32_MAX);
		if (l->rows.nr)
			list_entries(l, unit);
		else
			l->source = NULL;
	}
	vec_release(&units);
	if (!l->source)
		return err_set(err, -ENOENT, "source file '%s' with code was not found in the debug "
			       "information of %s",
			       r->file, l->d->file.target);
	l->out->first = r->first;
	sort_rows(l);
	return fill(l, l->unit, r->first, r->last, err);
}

int listing_make(struct debug_file *d, const struct listing_range *r, struct probe_listing *ret,
		 struct err *err)
{
	struct lister l = { .d = d, .out = ret };
	struct function_set set = { 0 };
	int code;

	*ret = (struct probe_listing){ 0 };
	if (r->function) {
		code = functions_find(d, r->function, false, r->file, d->file.t->no_inlines, &set, err);
		for (size_t i = 0; !code && i < set.nr; i++) {
			/* of several functions, the first that has code */
			if (!set.v[i].code.nr && i + 1 < set.nr)
				continue;
			ret->nr_same_name = set.nr - 1;
			code = list_function(&l, r, &set.v[i], err);
			break;
		}
		functions_release(&set);
	} else {
		code = list_file(&l, r, err);
	}
	if (!code && !ret->nr)
		code = err_set(err, -ENOENT, "'%s' is beyond the end of %s", r->text, ret->file);
	vec_release(&l.rows);
	vec_release(&l.entries);
	return code;
}

void listing_release(struct probe_listing *l)
{
	vec_release(l);
	source_text_release(&l->text);
	arena_release(&l->mem);
}

void listing_text(const struct probe_listing *l, struct strbuf *out)
{
	strbuf_addch(out, '<');
	if (l->function) {
		strbuf_add_safe(out, l->function);
		strbuf_addch(out, '@');
	}
	strbuf_add_safe(out, l->file);
	strbuf_addf(out, ":%u>\n", l->first);
	vec_foreach(l, line) {
		if (line->is_probeable)
			strbuf_addf(out, "%7u  ", line->number);
		else
			strbuf_pad(out, ' ', 9);
		source_line_add(out, line->text);
		strbuf_addch(out, '\n');
	}
}
