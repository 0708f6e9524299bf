/* Code-source: see code-source.h. */
#include "code-source.h"
#include "load.h"
#include "../../arch/arch.h"
#include "../obj/elf-obj.h"
#include "../obj/jitdump.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

struct code_source {
	struct elf_obj *obj;	/* NULL: dump is open */
	struct jitdump dump;
	const u8 *byte;
	u64 size;
	u32 e_machine;
	struct { VEC(struct code_extent); } span;
};

/* addresses are file offsets */
static void add_all(struct code_source *c)
{
	vec_push(&c->span, (struct code_extent){ 0, c->size, 0 });
}

/* addresses are those of the segments plus a bias; what a damaged file lacks is left out */
static void add_segments(struct code_source *c, u64 bias)
{
	vec_foreach(&c->obj->seg, seg) {
		u64 lo = seg->vaddr + bias, len;

		if (seg->off >= c->size)
			continue;
		len = MIN(seg->filesz, c->size - seg->off);
		len = MIN(len, UINT64_MAX - lo);
		vec_push(&c->span, (struct code_extent){ lo, lo + len, seg->off - lo });
	}
}

/* takes the object: a file that is mapped, or one that was unpacked into memory */
static bool use_obj(struct code_source *c, struct elf_obj *o)
{
	size_t size = o ? o->map.len : 0;
	const void *byte = o ? o->map.p : NULL;

	if (o && !byte)
		byte = elf_rawfile(o->elf, &size);
	if (!byte) {
		elf_obj_free(o);
		return false;
	}
	c->obj = o;
	c->byte = byte;
	c->size = size;
	c->e_machine = o->ehdr.e_machine;
	return true;
}

/* what record --kcore saved beside the list of symbols */
static bool open_recorded(struct code_source *c, const struct symbols *s)
{
	const char *list = s->opts.recorded_kallsyms, *end = list ? strrchr(list, '/') : NULL;
	char *path = end ? xasprintf("%.*s/kcore", (int)(end - list), list) : NULL;
	struct err err = ERR_INIT;
	bool ret = path && use_obj(c, elf_obj_open(path, &err));

	free(path);
	if (ret)
		add_segments(c, 0);
	return ret;
}

/* an ELF file that gave the symbols is of the recorded build; lists of symbols are not ELF files */
static bool open_kernel(struct code_source *c, const struct symbols *s, u32 dso)
{
	const struct symtab *t = symbols_table(s, dso);
	struct err err = ERR_INIT;

	if (open_recorded(c, s))
		return true;
	if (!t || !t->file || !use_obj(c, elf_obj_open(t->file, &err)))
		return false;
	add_segments(c, t->bias);
	return true;
}

/* addresses of a dump's symbols are file offsets, too */
static bool open_jitdump(struct code_source *c, const struct symbols *s, const struct dso *d)
{
	struct err err = ERR_INIT;

	if (jitdump_open_of(&c->dump, d->long_name, d->pid, s->opts.is_local, &err))
		return false;
	c->byte = c->dump.base;
	c->size = c->dump.size;
	c->e_machine = c->dump.e_machine;
	add_all(c);
	return true;
}

static bool open_user(struct code_source *c, const struct symbols *s, u32 dso)
{
	if (!use_obj(c, symbols_open_binary(s, dso)))
		return false;
	add_all(c);
	return true;
}

static bool open_of(struct code_source *c, const struct symbols *s, const struct dso *d)
{
	switch (d->kind) {
	case DSO_USER:
	case DSO_VDSO:
		return jitdump_is_name(d->long_name) ? open_jitdump(c, s, d) : open_user(c, s, d->id);
	case DSO_KERNEL:
		return open_kernel(c, s, d->id);
	case DSO_MODULE:	/* its file has no addresses yet */
	case DSO_BPF:
		return open_recorded(c, s);
	default:
		return false;
	}
}

struct code_source *code_source_open(const struct symbols *s, u32 dso)
{
	struct code_source *c = xcalloc(1, sizeof(*c));
	const struct dso *d = dsos_at(s->dsos, dso);

	if (d && !symbols_imported(s, dso) && open_of(c, s, d))
		return c;
	free(c);
	return NULL;
}

void code_source_free(struct code_source *c)
{
	if (!c)
		return;
	if (c->obj)
		elf_obj_free(c->obj);
	else
		jitdump_close(&c->dump);
	vec_release(&c->span);
	free(c);
}

u32 code_source_machine(const struct code_source *c)
{
	return c->e_machine;
}

bool code_source_is64(const struct code_source *c)
{
	const struct arch *arch = arch_by_machine(c->e_machine);

	if (c->obj)
		return c->obj->ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	return !arch || arch->abi[1].e_machine == c->e_machine;		/* a dump has no class */
}

const struct code_extent *code_source_extent(const struct code_source *c, u64 addr)
{
	vec_foreach(&c->span, span)
		if (addr >= span->lo && addr < span->hi)
			return span;
	return NULL;
}

const u8 *code_source_bytes(const struct code_source *c, u64 *ret_size)
{
	*ret_size = c->size;
	return c->byte;
}
