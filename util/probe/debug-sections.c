/*
 * Debug-sections: mapped sections are searched in parts, by several threads, and their pages given back, so
 * that a search needs little memory. The copy that reading makes would cost more than the search.
 */
#include "debug-sections.h"

#include <string.h>
#include <sys/mman.h>
#include "../base/fs.h"
#include "../base/pool.h"
#include "debug-binary.h"

#define PART (1u << 20)
#define PARTS 8

static Elf_Scn *section_by_name(Elf *elf, const char *name, GElf_Shdr *sh, bool *packed)
{
	size_t names;
	Elf_Scn *scn = NULL;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *s = gelf_getshdr(scn, sh) ? elf_strptr(elf, names, sh->sh_name) : NULL;

		if (!s || sh->sh_type == SHT_NOBITS)
			continue;
		*packed = !strncmp(s, ".zdebug", 7) && !strcmp(s + 2, name + 1);
		if (*packed || !strcmp(s, name)) {
			*packed |= (sh->sh_flags & SHF_COMPRESSED) != 0;
			return scn;
		}
	}
	return NULL;
}

/* bytes of the file as they are there */
static bool plain_section(const struct debug_binary *b, const GElf_Shdr *sh, struct debug_section *ret)
{
	size_t size;
	const char *file = elf_rawfile(b->obj->elf, &size);

	if (!file || sh->sh_offset > size)
		return false;
	*ret = (struct debug_section){ .data = (const u8 *)file + sh->sh_offset,
				       .size = MIN(sh->sh_size, size - sh->sh_offset),
				       .is_mapped = !b->obj->image };
	return true;
}

/* libdw unpacks sections in place and changes their headers: b->obj has the headers of the file */
bool debug_section_find(const struct debug_binary *b, Elf *elf, const char *name, struct debug_section *ret)
{
	bool packed;
	GElf_Shdr sh;
	Elf_Scn *scn;
	Elf_Data *data;

	if (elf == b->elf) {
		if (!section_by_name(b->obj->elf, name, &sh, &packed))
			return false;
		if (!packed)
			return plain_section(b, &sh, ret);
	}
	scn = section_by_name(elf, name, &sh, &packed);
	data = scn ? elf_rawdata(scn, NULL) : NULL;
	if (!data || !data->d_buf)
		return false;
	*ret = (struct debug_section){ .data = data->d_buf, .size = data->d_size };
	return true;
}

/* --- giving memory back */

void debug_pages_drop(const u8 *start, const u8 *end)
{
	uintptr_t page = page_size(), from, to;

	from = ((uintptr_t)start + page - 1) & ~(page - 1);
	to = (uintptr_t)end & ~(page - 1);
	if (from < to)
		madvise((void *)from, to - from, MADV_DONTNEED);
}

bool debug_section_mapped(const struct debug_binary *b, const char *name, struct debug_section *ret)
{
	size_t size;
	const u8 *file = (const u8 *)elf_rawfile(b->elf, &size);
	bool packed;
	GElf_Shdr sh;
	Elf_Scn *scn = section_by_name(b->elf, name, &sh, &packed);
	Elf_Data *data = scn && !packed ? elf_rawdata(scn, NULL) : NULL;

	if (!file || !data || (const u8 *)data->d_buf < file || data->d_size > size ||
	    (size_t)((const u8 *)data->d_buf - file) > size - data->d_size)
		return false;
	*ret = (struct debug_section){ .data = data->d_buf, .size = data->d_size, .is_mapped = true };
	return true;
}

/* --- searching */

struct found {
	u64 off;
	u32 group;
};

/* a part of the section, which one thread searches */
struct section_part {
	u64 start, end;		/* where needles begin */
	struct { VEC(struct found); } hit;
};

struct section_search {
	const struct byte_search *b;
	const struct debug_section *s;
	u64 end;
	struct section_part part[PARTS];
};

static bool note_hit(void *ctx, u64 off, u32 group)
{
	struct section_part *p = ctx;

	/* hits that begin after this part are found in the next one */
	if (off < p->end)
		vec_push(&p->hit, (struct found){ off, group });
	return true;
}

static void search_part(void *ctx, unsigned int worker, size_t i)
{
	struct section_search *w = ctx;
	struct section_part *p = &w->part[i];
	u64 end = MIN(p->end + w->b->reach, w->end);

	p->hit.nr = 0;
	byte_search_run(w->b, w->s->data + p->start, end - p->start, p->start, note_hit, p);
}

/* several parts at once; false: the callback has stopped the search */
static bool search_parts(struct section_search *w, struct pool **pool, u64 pos, hit_fn *hit, void *ctx)
{
	u32 nr = 0;

	for (; nr < PARTS && pos < w->end; nr++, pos += PART) {
		w->part[nr].start = pos;
		w->part[nr].end = MIN(pos + PART, w->end);
	}
	if (!*pool && nr > 1)
		*pool = pool_new(0);
	if (nr > 1)
		pool_run(*pool, nr, search_part, w);
	else
		search_part(w, 0, 0);
	if (w->s->is_mapped)
		debug_pages_drop(w->s->data + w->part[0].start, w->s->data + w->part[nr - 1].end);
	for (u32 i = 0; i < nr; i++)
		vec_foreach(&w->part[i].hit, h)
			if (!hit(ctx, h->off, h->group))
				return false;
	return true;
}

void debug_section_search(const struct debug_section *s, struct pool **pool, u64 start, u64 end,
			  const struct needles *group, u32 nr_groups, hit_fn *hit, void *ctx)
{
	struct byte_search b;
	struct section_search w = { .b = &b, .s = s };

	if (byte_search_init(&b, group, nr_groups)) {
		w.end = MIN(end, s->size);
		for (u64 pos = start; pos < w.end; pos += PARTS * PART)
			if (!search_parts(&w, pool, pos, hit, ctx))
				break;
	}
	for (u32 i = 0; i < PARTS; i++)
		vec_release(&w.part[i].hit);
	byte_search_release(&b);
}
