/* Function-symbols: from names of symbols to functions of the debug information. */
#include "function-symbols.h"

#include <stdlib.h>
#include <string.h>
#include "../base/hash.h"
#include "../base/units.h"
#include "image-match.h"
#include "source-path.h"

static void add_symbols(struct debug_file *d, struct symvec *v)
{
	struct elf_addr_map map = { 0 };

	if (elf_obj_symbols(d->debug, ELF_SYMBOLS_SYMTAB, &map, v) || !d->runtime)
		return;
	elf_obj_symbols(d->runtime, ELF_SYMBOLS_SYMTAB, &map, v);
	elf_obj_symbols(d->runtime, ELF_SYMBOLS_DYNSYM, &map, v);
}

void function_symbols(struct debug_file *d, bool (*fn)(void *ctx, const char *name, u64 addr), void *ctx)
{
	u64 mask = d->arch && d->arch->code_mask ? d->arch->code_mask : UINT64_MAX;
	struct symvec v = { 0 };
	bool more = true;

	add_symbols(d, &v);
	for (size_t i = 0; i < v.sym.nr && more; i++)
		if (v.sym.v[i].type == STT_FUNC || v.sym.v[i].type == STT_GNU_IFUNC)
			more = fn(ctx, v.sym.v[i].name, v.sym.v[i].start & mask);
	symvec_release(&v);
}

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
 * "fopen" and "fopen@" mean "fopen@@GLIBC_2.2.5", too. Lambdas have a name in the symbol table alone: that of
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

	function_symbols(d, note_wanted, &w);
	vec_foreach(&w.addr, addr)
		found |= add_at(d, *addr, file, ret);
	vec_release(&w.addr);
	return found;
}

static void note_ifunc(void *ctx, const struct symbol *s)
{
	struct debug_file *d = ctx;

	if (s->type == STT_GNU_IFUNC)
		vec_push(&d->ifunc, (struct debug_ifunc){ s->start, s->name });
}

static void load_ifuncs(struct debug_file *d)
{
	struct elf_addr_map map = { 0 };

	d->ifunc_loaded = true;
	elf_obj_each_symbol(d->debug, ELF_SYMBOLS_SYMTAB, &map, note_ifunc, d);
	if (d->runtime)
		elf_obj_each_symbol(d->runtime, ELF_SYMBOLS_DYNSYM, &map, note_ifunc, d);
}

bool function_is_chosen(struct debug_file *d, u64 addr, const char *name, bool is_glob)
{
	size_t len = strcspn(name, "@");

	if (!d->ifunc_loaded && !d->is_kernel)
		load_ifuncs(d);
	vec_foreach(&d->ifunc, f) {
		if (f->addr != addr)
			continue;
		if (is_glob ? glob_match(name, f->name) :
		    !strncmp(f->name, name, len) && (!f->name[len] || f->name[len] == '@'))
			return true;
	}
	return false;
}

struct named_address {
	u64 hash, addr;
};

struct named_addresses {
	VEC(struct named_address);
	struct debug_file *d;
};

static void note_name(void *ctx, const struct symbol *s)
{
	struct named_addresses *names = ctx;
	struct debug_file *d = names->d;

	vec_push(names, (struct named_address){ hash_str(s->name), s->start });
	if (!strcmp(s->name, "_text"))
		d->text = s->start;
	else if (!strcmp(s->name, "_sinittext"))
		d->init_begin = s->start;
	else if (!strcmp(s->name, "_einittext"))
		d->init_end = s->start;
}

static int by_hash(const void *pa, const void *pb)
{
	const struct named_address *a = pa, *b = pb;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

static void load_shared_names(struct debug_file *d)
{
	struct elf_addr_map map = { 0 };
	struct named_addresses names = { .d = d };

	d->shared_loaded = true;
	elf_obj_each_symbol(d->debug, ELF_SYMBOLS_SYMTAB, &map, note_name, &names);
	if (names.nr)
		qsort(names.v, names.nr, sizeof(*names.v), by_hash);
	for (size_t i = 1; i < names.nr; i++)
		if (names.v[i].hash == names.v[i - 1].hash && names.v[i].addr != names.v[i - 1].addr)
			vec_push(&d->shared_name, names.v[i].hash);
	vec_release(&names);
}

bool function_name_is_shared(struct debug_file *d, const char *name)
{
	u64 hash = hash_str(name);
	size_t lo = 0, hi;

	if (!d->shared_loaded)
		load_shared_names(d);
	for (hi = d->shared_name.nr; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;

		if (d->shared_name.v[mid] < hash)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < d->shared_name.nr && d->shared_name.v[lo] == hash;
}

u64 kernel_text_address(struct debug_file *d)
{
	if (!d->shared_loaded)
		load_shared_names(d);
	return d->text;
}

bool kernel_code_is_early(struct debug_file *d, u64 svma)
{
	if (!d->shared_loaded)
		load_shared_names(d);
	return svma >= d->init_begin && svma < d->init_end;
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

	vec_foreach(&d->unit, u)
		if (dwarf_tag(&u->die) != DW_TAG_partial_unit && !debug_unit_is_c(u))
			return false;
	function_symbols(d, add_matching, &m);
	vec_foreach(&m.addr, addr)
		add_at(d, *addr, file, ret);
	vec_release(&m.addr);
	return true;
}
