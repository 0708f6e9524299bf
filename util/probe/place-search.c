/* Place-search: from places to addresses. */
#include "place-search.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "../base/log.h"
#include "../base/strbuf.h"
#include "../base/units.h"
#include "debug-sections.h"
#include "functions.h"
#include "point.h"
#include "source-lines.h"
#include "spec.h"

struct place_searcher {
	struct debug_file *d;
	const struct probe_place *place;
	struct place_addresses *out;
	struct err *err;
	bool skip_prologue;
	/* nearest line with code after the requested one */
	u32 next_line, last_line;	/* nearest ones with code after and before the wanted one; 0: none */
	const char *next_file;
	bool any_file;		/* a source file of that name was there */
};

static void add(struct place_searcher *s, struct place_address a)
{
	vec_foreach(s->out, o)
		if (o->addr == a.addr)
			return;
	vec_push(s->out, a);
}

/* --- functions */

static bool parameter_die(void *ctx, Dwarf_Die *die)
{
	bool *stored = ctx;
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t nr;

	/* one place for all of the function, in its frame: no list of places */
	if (dwarf_tag(die) != DW_TAG_formal_parameter || !dwarf_attr(die, DW_AT_location, &a) ||
	    dwarf_whatform(&a) == DW_FORM_loclistx || dwarf_whatform(&a) == DW_FORM_sec_offset ||
	    dwarf_getlocation(&a, &ops, &nr) || !nr)
		return true;
	*stored = ops[0].atom == DW_OP_fbreg;
	return !*stored;
}

/* gcc says whether it optimised; where others do not, parameters are stored first */
static bool has_stored_parameters(struct function_code *c)
{
	bool stored = false;

	if (unit_is_gnu(c->unit))
		return unit_is_unoptimised(c->unit);
	die_children(&c->die, parameter_die, &stored);
	return stored;
}

static u64 code_address(struct place_searcher *s, const struct function *f, struct function_code *c)
{
	Dwarf_Addr end = UINT64_MAX;

	if (s->place->offset)
		return c->entry + s->place->offset;
	if (c->is_inlined || s->place->is_return || !s->skip_prologue || !has_stored_parameters(c))
		return c->entry;
	if (dwarf_highpc(&c->die, &end))
		end = UINT64_MAX;
	log_v("%s: the probe is after the prologue, which stores the parameters", f->name);
	return unit_prologue_end(c->unit, c->entry, end);
}

static void add_function(struct place_searcher *s, struct function *f)
{
	/* the start of a function is where it can be left, or counted from */
	bool own_only = s->place->is_return || s->place->offset;

	vec_foreach(&f->code, c)
		if (!own_only || !c->is_inlined)
			add(s, (struct place_address){ .addr = code_address(s, f, c), .unit = c->unit,
						       .function = c->die, .has_function = true,
						       .file = f->file, .line = f->line });
}

static int no_code(struct place_searcher *s, const struct function *f)
{
	if (s->place->is_return && f->code.nr)
		return err_set(s->err, -EOPNOTSUPP, "function '%s' is inlined wherever it is called: it "
			       "has no return",
			       f->name);
	if (s->place->offset && f->code.nr)
		return err_set(s->err, -EOPNOTSUPP, "function '%s' is inlined wherever it is called: an "
			       "offset does "
			       "not apply", f->name);
	return err_set(s->err, -ENODATA, "function '%s' has no code: it was optimised out%s", f->name,
		       s->d->file.t->no_inlines ? ", or inlined (--no-inlines)" : "");
}

/* --- lines */

static u32 add_rows(struct place_searcher *s, struct debug_unit *unit, const char *file,
		    const struct line_rows *rows,
		    u32 line, struct function *f)
{
	u32 nr = 0;

	for (size_t i = 0; i < rows->nr; i++) {
		const struct line_row *r = &rows->v[i];
		struct place_address a = { .addr = r->addr, .unit = unit, .file = file, .line = line };

		if (r->line != line || !line_row_is_meant(rows, r))
			continue;
		if (f) {
			a.function = f->die;
			a.has_function = true;
		}
		add(s, a);
		nr++;
	}
	return nr;
}

/* rows are sorted by line */
static void note_near(struct place_searcher *s, const struct line_rows *rows, const char *file, u32 line)
{
	vec_foreach(rows, r) {
		if (r->line <= line) {
			s->last_line = MAX(s->last_line, r->line);
			continue;
		}
		if (!s->next_line || r->line < s->next_line) {
			s->next_line = r->line;
			s->next_file = file;
		}
		return;
	}
}

static void add_line_of(struct place_searcher *s, struct debug_unit *unit, const char *file, u32 line,
			u32 first,
			u32 last,
			struct function *f)
{
	struct line_rows rows = { 0 };

	unit_line_rows(unit, file, MAX(first, 1u), last, &rows);
	if (!add_rows(s, unit, file, &rows, line, f))
		note_near(s, &rows, file, line);
	vec_release(&rows);
}

/* --- patterns */

static void add_without_blanks(struct strbuf *out, const char *text)
{
	for (; *text; text++)
		if (!isspace((u8)*text))
			strbuf_addch(out, *text);
}

/* the glob may match anywhere in the line; blanks do not count */
static bool line_matches(const char *text, const char *pattern)
{
	struct strbuf glob = STRBUF_INIT, line = STRBUF_INIT;
	bool ok;

	strbuf_addch(&glob, '*');
	add_without_blanks(&glob, pattern);
	strbuf_addch(&glob, '*');
	add_without_blanks(&line, text);
	ok = glob_match(strbuf_str(&glob), strbuf_str(&line));
	strbuf_release(&glob);
	strbuf_release(&line);
	return ok;
}

static int add_pattern(struct place_searcher *s, struct debug_unit *unit, const char *file, u32 first,
		       u32 last,
		       struct function *f)
{
	struct line_rows rows = { 0 };
	struct source_text text;
	u32 nr_matching = 0;
	int ret = probe_source_text_read(&text, unit, file, s->d->file.t->source_dir, s->err);

	if (ret)
		return ret;
	unit_line_rows(unit, file, MAX(first, 1u), last, &rows);
	for (u32 line = MAX(first, 1u); line <= text.line.nr && line <= last; line++) {
		if (!line_matches(text.line.v[line - 1], s->place->pattern))
			continue;
		nr_matching++;
		add_rows(s, unit, file, &rows, line, f);
	}
	if (!s->out->nr)
		ret = err_set(s->err, -ENOENT, nr_matching ? "no line that matches '%s' has code in %s" :
			      "no line matches '%s' in %s", s->place->pattern, f ? f->name : file);
	vec_release(&rows);
	source_text_release(&text);
	return ret;
}

/* --- kinds of places */

static int no_line(struct place_searcher *s, const char *what, u32 line, u32 base)
{
	err_set(s->err, -ENOENT, "%s:%u has no code", what, line);
	if (s->next_line)
		err_hint(s->err, "the next line that has code is %s:%u", what, s->next_line - base);
	else if (s->last_line)
		err_hint(s->err, "the last line that has code is %s:%u", what, s->last_line - base);
	else
		err_hint(s->err, "'perf probe -L %s' shows which lines have code", what);
	return -ENOENT;
}

static int search_in_function(struct place_searcher *s, struct function *f)
{
	const struct probe_place *p = s->place;
	u32 last;

	if (!p->pattern && (!p->has_line || !p->line)) {
		add_function(s, f);
		return 0;
	}
	if (!f->file || !f->line)
		return err_set(s->err, -ENODATA, "the source lines of function '%s' are not known", f->name);
	if (p->pattern)
		return add_pattern(s, f->unit, f->file, f->line, function_end_line(f) - 1, f);
	/* a line after the function has no rows, but the function's last line with code is noted */
	last = function_end_line(f) - 1;
	if (p->line > UINT32_MAX - f->line)
		return 0;
	add_line_of(s, f->unit, f->file, f->line + p->line, f->line, last, f);
	/* the code of an inlined function may be in other units only */
	vec_foreach(&f->code, c)
		if (c->unit != f->unit && (c == f->code.v || c[-1].unit != c->unit))
			add_line_of(s, c->unit, f->file, f->line + p->line, f->line, last, f);
	return 0;
}

static int search_function(struct place_searcher *s)
{
	const struct probe_place *p = s->place;
	struct function_set *set = &s->out->functions;
	int ret = functions_find(s->d, p->function, p->is_glob, p->file, s->d->file.t->no_inlines, set,
				 s->err);

	if (ret)
		return ret;
	for (size_t i = 0; i < set->nr; i++) {
		struct err err = ERR_INIT, *own = s->err;

		s->err = &err;
		ret = search_in_function(s, &set->v[i]);
		s->err = own;
		if (ret && (set->nr == 1 || err.code != -ENOENT))
			return err_copy(s->err, &err);
	}
	if (s->out->nr)
		return 0;
	if (p->pattern)
		return err_set(s->err, -ENOENT, "no line with code matches '%s' in %s", p->pattern,
			       p->function);
	if (p->has_line && p->line)
		return no_line(s, p->function, p->line, set->v[0].line);
	return no_code(s, &set->v[0]);
}

static int search_file(struct place_searcher *s)
{
	const struct probe_place *p = s->place;
	const char *slash = strrchr(p->file, '/');
	struct debug_unit_set units = { 0 };
	int ret = 0;

	debug_search_source(&s->d->search, slash ? slash + 1 : p->file, &units);
	for (size_t i = 0; i < units.nr && !ret; i++) {
		struct debug_unit *unit = &s->d->units.v[units.v[i]];
		const char *file = unit_source_file(unit, p->file);

		if (!file)
			continue;
		s->any_file = true;
		if (p->pattern)
			ret = add_pattern(s, unit, file, 1, UINT32_MAX, NULL);
		else
			add_line_of(s, unit, file, p->line, 1, UINT32_MAX, NULL);
		/* several units can have code of a header; a unit without any is not an error */
		if (ret == -ENOENT && units.nr > 1)
			ret = 0;
	}
	vec_release(&units);
	if (ret || s->out->nr)
		return ret;
	if (!s->any_file)
		return err_set(s->err, -ENOENT, "source file '%s' was not found in the debug information "
			       "of %s",
			       p->file, s->d->file.target);
	return p->pattern ? err_set(s->err, -ENOENT, "no line with code matches '%s' in %s", p->pattern,
				    p->file) :
	       no_line(s, p->file, p->line, 0);
}

static int by_address(const void *pa, const void *pb)
{
	const struct place_address *a = pa, *b = pb;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

int place_search(struct debug_file *d, const struct probe_place *place, bool skip_prologue,
		 struct place_addresses *ret, struct err *err)
{
	struct place_searcher s = { .d = d, .place = place, .out = ret, .err = err,
				   .skip_prologue = skip_prologue };
	int code = 0;

	*ret = (struct place_addresses){ 0 };
	switch (place->kind) {
	case PROBE_FUNCTION:
		code = search_function(&s);
		break;
	case PROBE_FILE_LINE:
		code = search_file(&s);
		break;
	case PROBE_ADDRESS:
		add(&s, (struct place_address){ .addr = place->address });
		break;
	default:
		code = err_set(err, -EINVAL, "such a place is not looked for in debug information");
	}
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), by_address);
	return code;
}

void place_addresses_release(struct place_addresses *a)
{
	functions_release(&a->functions);
	vec_release(a);
}

bool place_open(struct debug_file *d, const struct place_address *a, const char *place_text,
		struct variable_place *f)
{
	*f = (struct variable_place){ .d = d, .place_text = place_text };
	debug_link_off(&d->link, a->addr, &f->off);
	f->chain.addr = a->addr;
	if (!scopes_at(&d->units, a->unit, a->addr, &f->chain)) {
		/*
		 * code of another unit: a function that was inlined from here, or an address of a line of
		 * a header
		 */
		scopes_release(&f->chain);
		if (!scopes_at(&d->units, NULL, a->addr, &f->chain))
			return false;
	}
	debug_unit_use(&d->units, f->chain.unit);
	if (a->has_function)
		scopes_set_home(&f->chain, (Dwarf_Die *)&a->function);
	else if (a->file)
		scopes_set_home_by_line(&f->chain, a->file, a->line);
	f->function = f->chain.v[f->chain.home].die;
	if (!die_entry(&f->chain.v[0].die, &f->entry))
		f->entry = UINT64_MAX;
	return true;
}

void place_close(struct variable_place *f)
{
	scopes_release(&f->chain);
}
