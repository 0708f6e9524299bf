/* Function-symbols: from names of symbols to functions of the debug information. */
#include "function-symbols.h"

#include <stdlib.h>
#include <string.h>
#include "../base/units.h"
#include "image-match.h"
#include "source-path.h"

/* adds the function whose code is at addr, if it is of that file */
static bool add_at(struct debug_file *d, u64 addr, const char *file, struct function_set *ret)
{
	struct function f;

	vec_foreach(ret, known)
		vec_foreach(&known->code, c)
			if (c->entry == addr)
				return true;
	if (!function_at(d, addr, &f))
		return false;
	if (file && (!f.file || !unit_file_matches(f.unit, f.file, file))) {
		vec_release(&f.code);
		return false;
	}
	f.code.nr = 0;
	vec_push(&f.code, (struct function_code){ f.die, f.unit, addr, false });
	vec_push(ret, f);
	return true;
}

struct wanted_symbol {
	const char *name;
	size_t len;
	enum name_match best;
	struct { VEC(u64); } addr;
};

/*
 * "fopen" and "fopen@" also mean "fopen@@GLIBC_2.2.5". Lambdas have a name only in the symbol table:
 * "main::{lambda(int)#1}::operator()"
 */
static enum name_match symbol_match(const struct wanted_symbol *w, const char *name)
{
	if (!strcmp(name, w->name) ||
	    (!strncmp(name, w->name, w->len) && (!name[w->len] || name[w->len] == '@')))
		return NAME_FULL;
	return mangled_prefix(name) ? demangled_match(w->name, name) : NAME_DIFFERS;
}

static bool note_wanted(void *ctx, const char *name, u64 addr)
{
	struct wanted_symbol *w = ctx;
	enum name_match m = symbol_match(w, name);

	if (m > w->best)
		w->addr.nr = 0;
	if (m && m >= w->best) {
		w->best = m;
		vec_push(&w->addr, addr);
	}
	return true;
}

bool function_by_symbol(struct debug_file *d, const char *name, const char *file, struct function_set *ret)
{
	struct wanted_symbol w = { .name = name, .len = strcspn(name, "@") };
	bool found = false;

	debug_link_functions(&d->link, note_wanted, &w);
	vec_foreach(&w.addr, addr)
		found |= add_at(d, *addr, file, ret);
	vec_release(&w.addr);
	return found;
}

struct matching {
	const char *glob;
	struct { VEC(u64); } addr;
};

static bool add_matching(void *ctx, const char *name, u64 addr)
{
	struct matching *m = ctx;

	if (glob_match(m->glob, name))
		vec_push(&m->addr, addr);
	return true;
}

bool functions_of_c(struct debug_file *d, const char *glob, const char *file, struct function_set *ret)
{
	struct matching m = { .glob = glob };

	vec_foreach(&d->units, u)
		if (dwarf_tag(&u->die) != DW_TAG_partial_unit && !debug_unit_is_c(u))
			return false;
	debug_link_functions(&d->link, add_matching, &m);
	vec_foreach(&m.addr, addr)
		add_at(d, *addr, file, ret);
	vec_release(&m.addr);
	return true;
}
