/* Module-places: functions of a module's file by address, with a mark on names that several share. */
#include "module-places.h"

#include <stdlib.h>
#include <string.h>
#include "../base/hash.h"
#include "../base/vec.h"
#include "../obj/elf-obj.h"
#include "debug-file.h"
#include "image.h"

struct module_function {
	const char *name;
	u64 addr;
};

struct module_places {
	struct { VEC(struct module_function); } fn;	/* by address */
	struct hidx by_name;
	const struct elf_obj *obj;
};

static void note_function(struct module_places *m, const char *name, u64 addr)
{
	/* __pfx_NAME is the padding before NAME */
	if (strncmp(name, "__pfx_", strlen("__pfx_")))
		vec_push(&m->fn, (struct module_function){ name, addr });
}

static void note_symbol(void *ctx, const struct symbol *s)
{
	if (s->type == STT_FUNC)
		note_function(ctx, s->name, s->start);
}

static void note_image_symbol(void *ctx, const struct image_symbol *s)
{
	if (!s->is_data)
		note_function(ctx, s->name, s->svma);
}

static int by_address(const void *pa, const void *pb)
{
	const struct module_function *a = pa, *b = pb;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

struct module_places *module_places_new(struct debug_file *d, struct probe_image *img)
{
	struct module_places *m = xcalloc(1, sizeof(*m));
	struct elf_addr_map map = { 0 };

	m->obj = d ? d->file.obj : img->obj;
	if (d)
		elf_obj_each_symbol(d->file.obj, ELF_SYMBOLS_SYMTAB, &map, note_symbol, m);
	else
		image_each_symbol(img, note_image_symbol, m);
	if (m->fn.nr)
		qsort(m->fn.v, m->fn.nr, sizeof(*m->fn.v), by_address);
	hidx_reserve(&m->by_name, m->fn.nr);
	for (u32 i = 0; i < m->fn.nr; i++)
		hidx_insert(&m->by_name, hash_str(m->fn.v[i].name), i);
	return m;
}

void module_places_free(struct module_places *m)
{
	if (!m)
		return;
	vec_release(&m->fn);
	hidx_release(&m->by_name);
	free(m);
}

bool module_name_is_shared(const struct module_places *m, const char *name)
{
	const struct module_function *first = NULL;
	u32 i;

	HIDX_FOREACH(&m->by_name, hash_str(name), i) {
		const struct module_function *f = &m->fn.v[i];

		if (strcmp(f->name, name))
			continue;
		if (first && first->addr != f->addr)
			return true;
		first = f;
	}
	return false;
}

/* the kernel places each section by itself, and moves nothing inside of one */
static bool section_of(const struct module_places *m, u64 svma, GElf_Shdr *ret)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(m->obj->elf, scn));)
		if (gelf_getshdr(scn, ret) && ret->sh_flags & SHF_EXECINSTR && svma >= ret->sh_addr &&
		    svma - ret->sh_addr < ret->sh_size)
			return true;
	return false;
}

u64 module_reference_before(const struct module_places *m, u64 svma, const char **ret_name)
{
	GElf_Shdr sh;

	if (!section_of(m, svma, &sh))
		return 0;
	for (size_t i = m->fn.nr; i-- > 0;) {
		const struct module_function *f = &m->fn.v[i];

		if (f->addr < sh.sh_addr)
			return 0;
		if (f->addr <= svma && !module_name_is_shared(m, f->name)) {
			*ret_name = f->name;
			return f->addr;
		}
	}
	return 0;
}

u64 module_reference_after(const struct module_places *m, u64 svma, const char **ret_name)
{
	GElf_Shdr sh;

	if (!section_of(m, svma, &sh))
		return 0;
	vec_foreach(&m->fn, f) {
		if (f->addr >= sh.sh_addr + sh.sh_size)
			return 0;
		if (f->addr > svma && !module_name_is_shared(m, f->name)) {
			*ret_name = f->name;
			return f->addr;
		}
	}
	return 0;
}
