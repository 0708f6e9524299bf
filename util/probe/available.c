/* Available: variables at a place. */
#include "available.h"

#include <string.h>
#include "../base/strbuf.h"
#include "place-search.h"
#include "scopes.h"
#include "types.h"

#define VARIABLES_MAX 100000
#define RANGES_MAX 10000

struct variable_collector {
	struct debug_file *d;
	struct available *all;
	struct available_at *at;
	const struct available_opts *o;
	struct variable_place f;
};

static struct available_variable *add(struct variable_collector *c, Dwarf_Die *var, enum available_kind kind)
{
	const char *name = die_name(var);
	struct strbuf text = STRBUF_INIT;
	struct available_variable *v;

	if (!name || c->at->var.nr >= VARIABLES_MAX)
		return NULL;
	v = vec_add(&c->at->var);
	v->kind = kind;
	type_describe(var, &text);
	v->type = arena_strdup(&c->all->mem, strbuf_str(&text));
	strbuf_reset(&text);
	strbuf_add_safe(&text, name);
	v->name = arena_strdup(&c->all->mem, strbuf_str(&text));
	strbuf_release(&text);
	return v;
}

static bool is_here(struct variable_collector *c, Dwarf_Die *var)
{
	struct dwarf_location loc;

	return !variable_locate(&c->f, var, &loc, &c->all->mem, NULL);
}

/* the code to which one location for everything refers: the function or inlined copy of the variable */
static void scope_range(struct variable_collector *c, Dwarf_Addr *start, Dwarf_Addr *end)
{
	u32 i = c->f.chain.visiting;
	Dwarf_Addr high;
	u64 entry;

	while (i && !c->f.chain.v[i].is_function)
		i--;
	*start = *end = 0;
	if (die_entry(&c->f.chain.v[i].die, &entry) && !dwarf_highpc(&c->f.chain.v[i].die, &high)) {
		*start = entry;
		*end = high;
	}
}

static void add_ranges(struct variable_collector *c, struct available_variable *v, Dwarf_Die *var)
{
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attr;
	ptrdiff_t pos = 0;
	Dwarf_Op *ops;
	size_t nr;

	if (!v || !dwarf_attr_integrate(var, DW_AT_location, &attr))
		return;
	while ((pos = dwarf_getlocations(&attr, pos, &base, &start, &end, &ops, &nr)) > 0) {
		if (!start && end == (Dwarf_Addr)-1)
			scope_range(c, &start, &end);
		if (start < end && v->range.nr < RANGES_MAX)
			vec_push(&v->range, (struct available_range){ start - c->f.entry, end - c->f.entry });
	}
}

static bool collect_visible(void *ctx, Dwarf_Die *var, bool is_parameter)
{
	struct variable_collector *c = ctx;
	bool here = is_here(c, var);

	if (here || c->o->ranges)
		add_ranges(c, add(c, var, here ? AVAILABLE : AVAILABLE_ELSEWHERE), var);
	return true;
}

static bool collect_global(void *ctx, Dwarf_Die *var, bool is_parameter)
{
	if (die_has(var, DW_AT_location) || die_has(var, DW_AT_const_value) || die_has(var, DW_AT_external))
		add(ctx, var, AVAILABLE_GLOBAL);
	return true;
}

/* with ranges, their marks are in this order; without, all are mixed */
static int rank(enum available_kind kind)
{
	return kind == AVAILABLE_GLOBAL ? 0 : kind == AVAILABLE_ELSEWHERE ? 1 : 2;
}

static int by_kind(const void *pa, const void *pb)
{
	const struct available_variable *a = pa, *b = pb;
	int c = rank(a->kind) - rank(b->kind);

	c = c ? c : strcmp(a->type, b->type);
	return c ? c : strcmp(a->name, b->name);
}

static int by_text(const void *pa, const void *pb)
{
	const struct available_variable *a = pa, *b = pb;
	int c = strcmp(a->type, b->type);

	return c ? c : strcmp(a->name, b->name);
}

/* a shadowed variable and the one that hides it have equal rows */
static void remove_doubles(struct available_at *at, bool ranges)
{
	size_t kept = 0;

	for (size_t i = 0; i < at->var.nr; i++) {
		struct available_variable *v = &at->var.v[i], *last = kept ? &at->var.v[kept - 1] : NULL;

		if (!ranges && last && !strcmp(last->type, v->type) && !strcmp(last->name, v->name)) {
			vec_release(&v->range);
			continue;
		}
		at->var.v[kept++] = *v;
	}
	at->var.nr = kept;
}

static void find_at(struct debug_file *d, const struct place_address *a, const char *place_text,
		    const struct available_opts *o, struct available *all)
{
	struct available_at *at = vec_add(all);
	struct variable_collector c = { .d = d, .all = all, .at = at, .o = o };
	const struct symbol *sym = debug_link_symbol(&d->link, a->addr);
	bool known = place_open(d, a, place_text, &c.f);

	at->svma = a->addr;
	if (sym) {
		at->function = arena_strdup(&all->mem, sym->name);
		at->function_off = a->addr - sym->start;
	}
	if (known)
		scopes_variables(&c.f.chain, collect_visible, &c);
	if (known && o->externs)
		globals_of_unit(c.f.chain.unit, collect_global, &c);
	if (at->var.nr) {
		qsort(at->var.v, at->var.nr, sizeof(*at->var.v), o->ranges ? by_kind : by_text);
		remove_doubles(at, o->ranges);
	}
	place_close(&c.f);
}

int available_find(struct debug_file *d, const struct probe_place *place, const char *place_text,
		   const struct available_opts *o, struct available *ret, struct err *err)
{
	struct place_addresses at;
	int code = place_search(d, place, false, &at, err);

	*ret = (struct available){ 0 };
	for (size_t i = 0; i < at.nr && !code; i++)
		find_at(d, &at.v[i], place_text, o, ret);
	place_addresses_release(&at);
	return code;
}

void available_add(struct debug_file *d, u64 svma, const char *place_text, const struct available_opts *o,
		   struct available *ret)
{
	const struct place_address at = { .addr = svma };

	find_at(d, &at, place_text, o, ret);
}

void available_release(struct available *a)
{
	vec_foreach(a, at) {
		vec_foreach(&at->var, v)
			vec_release(&v->range);
		vec_release(&at->var);
	}
	vec_release(a);
	arena_release(&a->mem);
}

static const char *mark(enum available_kind kind)
{
	return kind == AVAILABLE ? "[VAL]\t" : kind == AVAILABLE_GLOBAL ? "[EXT]\t" : "[INV]\t";
}

static void variable_text(const struct available_at *at, const struct available_variable *v, bool ranges,
			  struct strbuf *out)
{
	strbuf_addstr(out, "\t\t");
	if (ranges)
		strbuf_addstr(out, mark(v->kind));
	strbuf_addf(out, "%s\t%s", v->type, v->name);
	if (ranges && v->range.nr) {
		strbuf_addstr(out, "\t@<");
		strbuf_add_safe(out, at->function ? at->function : "");
		strbuf_addstr(out, "+[");
		vec_foreach(&v->range, r)
			strbuf_addf(out, "%s%llu-%llu", r == v->range.v ? "" : ",",
				    (unsigned long long)r->start,
				    (unsigned long long)r->end);
		strbuf_addstr(out, "]>");
	} else if (ranges && v->kind == AVAILABLE_ELSEWHERE) {
		strbuf_addstr(out, "\t(optimised out)");
	}
	strbuf_addch(out, '\n');
}

void available_text(const struct available *a, const char *place_text, const struct available_opts *o,
		    struct strbuf *out)
{
	strbuf_addstr(out, "Available variables at ");
	strbuf_add_safe(out, place_text);
	strbuf_addch(out, '\n');
	vec_foreach(a, at) {
		strbuf_addstr(out, "\t@<");
		strbuf_add_safe(out, at->function ? at->function : "0x");
		strbuf_addf(out, at->function ? "+%llu" : "%llx",
			    (unsigned long long)(at->function ? at->function_off : at->svma));
		strbuf_addstr(out, ">\n");
		vec_foreach(&at->var, v)
			variable_text(at, v, o->ranges, out);
		if (!at->var.nr)
			strbuf_addstr(out, "\t\t(no variables are available)\n");
	}
}
