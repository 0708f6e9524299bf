/* Scopes: nesting of code at an address. */
#include "scopes.h"
#include "../base/search.h"

#include <stdlib.h>
#include <string.h>

struct scope_search {
	u64 addr;
	struct scope_chain *chain;
	bool deep;
	int depth;
};

static bool is_block(int tag)
{
	switch (tag) {
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
		return true;
	}
	return false;
}

static bool search_die(void *ctx, Dwarf_Die *die)
{
	struct scope_search *s = ctx;
	int tag = dwarf_tag(die);
	bool is_function = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
	bool inside = (is_function || is_block(tag)) && die_contains(die, s->addr);
	bool outer = tag == DW_TAG_namespace || tag == DW_TAG_module;

	if (inside)
		vec_push(s->chain, (struct scope){ *die, is_function });
	/*
	 * entries of methods of local classes and of nested functions are inside entries that do not
	 * contain their code
	 */
	if (s->deep)
		outer |= tag == DW_TAG_subprogram || tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
	if ((inside || outer) && s->depth < DIE_DEPTH_MAX) {
		s->depth++;
		die_children(die, search_die, s);
		s->depth--;
	}
	return !inside;
}

/* a unit in which more addresses than this are looked up gets an index of its functions */
#define LOOKUPS_WITHOUT_INDEX 4u

static bool add_function(void *ctx, Dwarf_Die *die)
{
	struct debug_unit *unit = ctx;
	Dwarf_Addr base, start, end;
	ptrdiff_t pos = 0;

	if (dwarf_tag(die) != DW_TAG_subprogram)
		return true;
	while ((pos = dwarf_ranges(die, pos, &base, &start, &end)) > 0)
		if (start < end)
			vec_push(&unit->function, (struct debug_function){ start, end, *die });
	return true;
}

static int by_start(const void *pa, const void *pb)
{
	const struct debug_function *a = pa, *b = pb;

	return a->start < b->start ? -1 : a->start > b->start;
}

/* the function at addr if it is in the unit's index; NULL: it must be searched */
static Dwarf_Die *indexed_function(struct debug_unit *unit, u64 addr)
{
	size_t lo;

	if (++unit->nr_lookups <= LOOKUPS_WITHOUT_INDEX)
		return NULL;
	if (unit->nr_lookups == LOOKUPS_WITHOUT_INDEX + 1) {
		die_children(&unit->info, add_function, unit);
		if (unit->function.nr)
			qsort(unit->function.v, unit->function.nr, sizeof(*unit->function.v), by_start);
	}
	lo = LOWER_BOUND(unit->function.nr, i, unit->function.v[i].start <= addr);
	return lo && addr < unit->function.v[lo - 1].end ? &unit->function.v[lo - 1].die : NULL;
}

bool scopes_at(struct debug_units *units, struct debug_unit *unit, u64 addr, struct scope_chain *ret)
{
	struct scope_search s = { .addr = addr, .chain = ret };
	Dwarf_Die *known;

	*ret = (struct scope_chain){ .addr = addr, .unit = unit };
	if (!ret->unit)
		ret->unit = debug_units_at(units, addr);
	if (!ret->unit)
		return false;
	known = indexed_function(ret->unit, addr);
	if (known)
		search_die(&s, known);
	if (!ret->nr)
		die_children(&ret->unit->info, search_die, &s);
	s.deep = true;
	if (!ret->nr)
		die_children(&ret->unit->info, search_die, &s);
	for (u32 i = 0; i < ret->nr; i++)
		if (ret->v[i].is_function)
			ret->home = i;
	return ret->nr > 0;
}

void scopes_release(struct scope_chain *c)
{
	vec_release(c);
}

void scopes_set_home(struct scope_chain *c, Dwarf_Die *function)
{
	Dwarf_Die want, origin;
	bool found = false;
	u64 entry;

	die_origin(function, &want);
	for (u32 i = 0; i < c->nr; i++) {
		if (!c->v[i].is_function)
			continue;
		die_origin(&c->v[i].die, &origin);
		if (die_same(&origin, &want)) {
			c->home = i;
			found = true;
		}
	}
	/* with gcc, a copy may begin at an instruction that is in none of its ranges */
	if (!found && dwarf_tag(function) == DW_TAG_inlined_subroutine && die_entry(function, &entry) &&
	    entry == c->addr) {
		c->home = c->nr;
		vec_push(c, (struct scope){ *function, true });
	}
}

void scopes_set_home_by_line(struct scope_chain *c, const char *file, u32 line)
{
	u32 best = 0;

	for (u32 i = 0; i < c->nr; i++) {
		const char *own;
		u32 start;

		if (!c->v[i].is_function || !debug_unit_decl(c->unit, &c->v[i].die, &own, &start))
			continue;
		if (strcmp(own, file) || start > line || start < best)
			continue;
		best = start;
		c->home = i;
	}
}

struct visit {
	scope_variable_fn *fn;
	void *ctx;
	bool only_parameters, stop;
};

static bool visit_die(void *ctx, Dwarf_Die *die)
{
	struct visit *v = ctx;
	int tag = dwarf_tag(die);

	if (tag != DW_TAG_formal_parameter && (tag != DW_TAG_variable || v->only_parameters))
		return true;
	if (!v->fn(v->ctx, die, tag == DW_TAG_formal_parameter))
		v->stop = true;
	return !v->stop;
}

/* the end of the blocks that begin at a function: the next function in the chain, or its end */
static u32 function_end(const struct scope_chain *c, u32 start)
{
	u32 i = start + 1;

	while (i < c->nr && !c->v[i].is_function)
		i++;
	return i;
}

void scopes_variables(struct scope_chain *c, scope_variable_fn *fn, void *ctx)
{
	struct visit v = { .fn = fn, .ctx = ctx };

	for (u32 i = c->home; i < c->nr && !v.stop; i++) {
		c->visiting = i;
		die_children(&c->v[i].die, visit_die, &v);
	}
}

void scopes_parameters(struct scope_chain *c, scope_variable_fn *fn, void *ctx)
{
	struct visit v = { .fn = fn, .ctx = ctx, .only_parameters = true };

	if (c->nr)
		die_children(&c->v[c->home].die, visit_die, &v);
}

struct by_name {
	const char *name;
	Dwarf_Die *ret;
	bool found;
	int depth;
};

static bool by_name_variable(void *ctx, Dwarf_Die *var, bool is_parameter)
{
	struct by_name *b = ctx;
	const char *name = die_name(var);

	if (!name || strcmp(name, b->name))
		return true;
	*b->ret = *var;
	b->found = true;
	return false;
}

static bool find_in_scope(struct scope *s, const char *name, Dwarf_Die *ret)
{
	struct by_name b = { .name = name, .ret = ret };
	struct visit v = { .fn = by_name_variable, .ctx = &b };

	die_children(&s->die, visit_die, &v);
	return b.found;
}

bool scopes_find(struct scope_chain *c, const char *name, Dwarf_Die *ret)
{
	u32 end = function_end(c, c->home);

	for (u32 i = end; i > c->home && i <= c->nr; i--)
		if (find_in_scope(&c->v[i - 1], name, ret))
			return true;
	for (u32 i = c->nr; i > end; i--)
		if (find_in_scope(&c->v[i - 1], name, ret))
			return true;
	for (u32 i = MIN((size_t)c->home, c->nr); i > 0; i--)
		if (find_in_scope(&c->v[i - 1], name, ret))
			return true;
	return false;
}

static bool anywhere_die(void *ctx, Dwarf_Die *die)
{
	struct by_name *b = ctx;
	int tag = dwarf_tag(die);

	if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
		return by_name_variable(b, die, false);
	if (is_block(tag) && b->depth < DIE_DEPTH_MAX) {
		b->depth++;
		die_children(die, anywhere_die, b);
		b->depth--;
	}
	return !b->found;
}

bool scopes_find_anywhere(struct scope_chain *c, const char *name, Dwarf_Die *ret)
{
	struct by_name b = { .name = name, .ret = ret };
	Dwarf_Die origin;

	if (!c->nr)
		return false;
	die_children(&c->v[c->home].die, anywhere_die, &b);
	if (!b.found) {
		/* variables that have no place at all are only in the abstract function */
		die_origin(&c->v[c->home].die, &origin);
		die_children(&origin, anywhere_die, &b);
	}
	return b.found;
}

/* --- globals */

struct globals {
	scope_variable_fn *fn;
	void *ctx;
	int depth;
	bool stop;
};

static bool globals_die(void *ctx, Dwarf_Die *die)
{
	struct globals *g = ctx;

	switch (dwarf_tag(die)) {
	case DW_TAG_variable:
		if (!g->fn(g->ctx, die, false))
			g->stop = true;
		break;
	case DW_TAG_namespace:
	case DW_TAG_module:
		if (g->depth < DIE_DEPTH_MAX) {
			g->depth++;
			die_children(die, globals_die, g);
			g->depth--;
		}
	}
	return !g->stop;
}

void globals_of_unit(struct debug_unit *unit, scope_variable_fn *fn, void *ctx)
{
	struct globals g = { .fn = fn, .ctx = ctx };

	die_children(&unit->info, globals_die, &g);
}

static bool defined_global(void *ctx, Dwarf_Die *var, bool is_parameter)
{
	if (die_has(var, DW_AT_declaration) && !die_has(var, DW_AT_location))
		return true;
	if (!die_has(var, DW_AT_location) && !die_has(var, DW_AT_const_value))
		return true;
	return by_name_variable(ctx, var, is_parameter);
}

/* unit: NULL means all units that have the name */
static void search_global(struct debug_search *s, struct debug_unit *unit, struct debug_global *g)
{
	struct by_name b = { .name = g->name, .ret = &g->die };
	struct debug_unit_set units = { 0 };

	if (unit)
		globals_of_unit(unit, defined_global, &b);
	else
		debug_search_name(s, g->name, &units, NULL);
	for (size_t i = 0; i < units.nr && !b.found; i++)
		globals_of_unit(&s->units->v[units.v[i]], defined_global, &b);
	vec_release(&units);
	g->found = b.found;
}

static bool global_in(struct debug_search *s, struct debug_unit *unit, const char *name, Dwarf_Die *ret)
{
	struct debug_global new = { .unit = unit }, *g = NULL;

	vec_foreach(&s->global, known)
		if (known->unit == unit && !strcmp(known->name, name))
			g = known;
	if (!g) {
		new.name = arena_strdup(&s->bytes.mem, name);
		search_global(s, unit, &new);
		vec_push(&s->global, new);
		g = &new;
	}
	if (g->found)
		*ret = g->die;
	return g->found;
}

bool globals_find(struct debug_search *s, struct debug_unit *first, const char *name, Dwarf_Die *ret)
{
	const char *tail = name;

	for (const char *p = name; (p = strstr(p, "::")); p += 2)
		tail = p + 2;
	return (first && global_in(s, first, tail, ret)) || global_in(s, NULL, tail, ret);
}
