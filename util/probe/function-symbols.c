/* Function-symbols: compares the names of all functions of the symbol table. */
#include "function-symbols.h"

#include <string.h>
#include "../base/units.h"
#include "debug-link.h"
#include "image-match.h"

struct wanted_symbol {
	const char *name;
	size_t len;
	enum name_match best;
	struct symbol_addresses *addr;
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
		w->addr->nr = 0;
	if (m && m >= w->best) {
		w->best = m;
		vec_push(w->addr, addr);
	}
	return true;
}

void function_symbols_named(struct debug_link *l, const char *name, struct symbol_addresses *ret)
{
	struct wanted_symbol w = { .name = name, .len = strcspn(name, "@"), .addr = ret };

	debug_link_functions(l, note_wanted, &w);
}

struct matching {
	const char *glob;
	struct symbol_addresses *addr;
};

static bool add_matching(void *ctx, const char *name, u64 addr)
{
	struct matching *m = ctx;

	if (glob_match(m->glob, name))
		vec_push(m->addr, addr);
	return true;
}

void function_symbols_matching(struct debug_link *l, const char *glob, struct symbol_addresses *ret)
{
	struct matching m = { .glob = glob, .addr = ret };

	debug_link_functions(l, add_matching, &m);
}
