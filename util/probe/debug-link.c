/* Debug-link: symbols by address and by name, and frame rules, each read when first asked for. */
#include "debug-link.h"

#include <stdlib.h>
#include <string.h>
#include "../../arch/arch.h"
#include "../base/hash.h"
#include "../base/units.h"
#include "../obj/cfi.h"
#include "../obj/elf-obj.h"
#include "debug-binary.h"
#include "point.h"
#include "../base/search.h"

int debug_link_open(struct debug_link *l, const struct debug_binary *file, struct err *err)
{
	char *path;

	l->file = file;
	/* addresses of a module are those of its relocated copy */
	if (!file->t->path || file->is_kernel)
		return 0;
	path = debug_binary_target_path(file);
	l->runtime = elf_obj_open(path, err);
	free(path);
	return l->runtime ? 0 : err->code;
}

void debug_link_release(struct debug_link *l)
{
	cfi_free(l->cfi);
	elf_obj_free(l->runtime);
	symvec_release(&l->sym);
	for (u32 i = 0; i < l->nr_near; i++)
		symvec_release(&l->near[i]);
	vec_release(&l->ifunc);
	vec_release(&l->shared_name);
}

static void add_symbols(struct debug_link *l, struct symvec *v)
{
	struct elf_addr_map map = { 0 };

	if (elf_obj_symbols(l->file->obj, ELF_SYMBOLS_SYMTAB, &map, v) || !l->runtime)
		return;
	elf_obj_symbols(l->runtime, ELF_SYMBOLS_SYMTAB, &map, v);
	elf_obj_symbols(l->runtime, ELF_SYMBOLS_DYNSYM, &map, v);
}

/* for a few addresses, walking all symbols once for each is cheaper than building a table of them */
static const struct symvec *symbols_around(struct debug_link *l, u64 svma)
{
	struct elf_addr_map map = { 0 };

	if (!l->sym_loaded && l->nr_near < DEBUG_NEAR_MAX) {
		struct symvec *v = &l->near[l->nr_near++];

		if (elf_obj_symbols_at(l->file->obj, ELF_SYMBOLS_SYMTAB, &map, svma, v)) {
			symvec_finish(v, 0);
			return v;
		}
	}
	if (!l->sym_loaded) {
		l->sym_loaded = true;
		add_symbols(l, &l->sym);
		symvec_finish(&l->sym, 0);
	}
	return &l->sym;
}

const struct symbol *debug_link_symbol(struct debug_link *l, u64 svma)
{
	const struct symvec *v = symbols_around(l, svma);
	u32 i = symvec_find(v, svma);

	return i == SYMVEC_NONE ? NULL : &v->sym.v[i];
}

bool debug_link_off(const struct debug_link *l, u64 svma, u64 *ret_off)
{
	return elf_obj_svma_to_off(l->runtime ? l->runtime : l->file->obj, svma, ret_off);
}

void debug_link_functions(struct debug_link *l, bool (*fn)(void *ctx, const char *name, u64 addr), void *ctx)
{
	const struct arch *arch = l->file->arch;
	u64 mask = arch && arch->code_mask ? arch->code_mask : UINT64_MAX;
	struct symvec v = { 0 };
	bool more = true;

	add_symbols(l, &v);
	for (size_t i = 0; i < v.sym.nr && more; i++)
		if (v.sym.v[i].type == STT_FUNC || v.sym.v[i].type == STT_GNU_IFUNC)
			more = fn(ctx, v.sym.v[i].name, v.sym.v[i].start & mask);
	symvec_release(&v);
}

static void note_ifunc(void *ctx, const struct symbol *s)
{
	struct debug_link *l = ctx;

	if (s->type == STT_GNU_IFUNC)
		vec_push(&l->ifunc, (struct debug_ifunc){ s->start, s->name });
}

static void load_ifuncs(struct debug_link *l)
{
	struct elf_addr_map map = { 0 };

	l->ifunc_loaded = true;
	elf_obj_each_symbol(l->file->obj, ELF_SYMBOLS_SYMTAB, &map, note_ifunc, l);
	if (l->runtime)
		elf_obj_each_symbol(l->runtime, ELF_SYMBOLS_DYNSYM, &map, note_ifunc, l);
}

bool debug_link_chooses(struct debug_link *l, u64 addr, const char *name, bool is_glob)
{
	size_t len = strcspn(name, "@");

	if (!l->ifunc_loaded && !l->file->is_kernel)
		load_ifuncs(l);
	vec_foreach(&l->ifunc, f) {
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
	struct debug_link *l;
};

static void note_name(void *ctx, const struct symbol *s)
{
	struct named_addresses *names = ctx;
	struct debug_link *l = names->l;

	vec_push(names, (struct named_address){ hash_str(s->name), s->start });
	if (!strcmp(s->name, "_text"))
		l->text = s->start;
	else if (!strcmp(s->name, "_sinittext"))
		l->init_begin = s->start;
	else if (!strcmp(s->name, "_einittext"))
		l->init_end = s->start;
}

static int by_hash(const void *pa, const void *pb)
{
	const struct named_address *a = pa, *b = pb;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

static void load_shared_names(struct debug_link *l)
{
	struct elf_addr_map map = { 0 };
	struct named_addresses names = { .l = l };

	l->shared_loaded = true;
	elf_obj_each_symbol(l->file->obj, ELF_SYMBOLS_SYMTAB, &map, note_name, &names);
	if (names.nr)
		qsort(names.v, names.nr, sizeof(*names.v), by_hash);
	for (size_t i = 1; i < names.nr; i++)
		if (names.v[i].hash == names.v[i - 1].hash && names.v[i].addr != names.v[i - 1].addr)
			vec_push(&l->shared_name, names.v[i].hash);
	vec_release(&names);
}

bool debug_link_name_is_shared(struct debug_link *l, const char *name)
{
	u64 hash = hash_str(name);
	size_t lo;

	if (!l->shared_loaded)
		load_shared_names(l);
	lo = LOWER_BOUND(l->shared_name.nr, i, l->shared_name.v[i] < hash);
	return lo < l->shared_name.nr && l->shared_name.v[lo] == hash;
}

u64 debug_link_text(struct debug_link *l)
{
	if (!l->shared_loaded)
		load_shared_names(l);
	return l->text;
}

bool debug_link_is_early(struct debug_link *l, u64 svma)
{
	if (!l->shared_loaded)
		load_shared_names(l);
	return svma >= l->init_begin && svma < l->init_end;
}

/* opened once more, because libdw unpacks sections of its own copy only */
static struct elf_obj *open_frames(const struct debug_link *l)
{
	const struct debug_binary *b = l->file;
	char *path = l->runtime ? debug_binary_target_path(b) : xstrdup(b->linked ? b->linked : b->path);
	struct elf_obj *o = elf_obj_open(path, NULL);

	free(path);
	return o;
}

static const struct cfi_rule *frame_rule(struct debug_link *l, u64 svma)
{
	if (!l->cfi_tried) {
		l->cfi_tried = true;
		l->cfi = cfi_new(open_frames(l), l->file->arch ? l->file->arch->dwarf_high : 0);
	}
	return l->cfi ? cfi_find(l->cfi, svma) : NULL;
}

bool debug_link_cfa(struct debug_link *l, u64 svma, unsigned int *ret_reg, s64 *ret_off)
{
	const struct cfi_rule *r = frame_rule(l, svma);

	if (!r || r->cfa_expr)
		return false;
	*ret_reg = r->cfa_reg;
	*ret_off = r->cfa_off;
	return true;
}

