/* Elf-image: see elf-image.h. */
#include "elf-image.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define POINTERS_MAX 16000000u

struct elf_image {
	struct elf_obj *o;
	const char *raw;
	size_t size;
	u16 relative;
	bool has_pointers;
	struct { VEC(struct elf_pointer); } pointer;
};

struct elf_image *elf_image_new(struct elf_obj *o, u16 relative)
{
	struct elf_image *im;

	if (!o)
		return NULL;
	im = xcalloc(1, sizeof(*im));
	im->o = o;
	im->relative = relative;
	if (o->ehdr.e_ident[EI_DATA] == ELFDATA2LSB && o->ehdr.e_ident[EI_CLASS] == ELFCLASS64)
		im->raw = elf_rawfile(o->elf, &im->size);
	return im;
}

void elf_image_free(struct elf_image *im)
{
	if (!im)
		return;
	vec_release(&im->pointer);
	elf_obj_free(im->o);
	free(im);
}

const struct elf_obj *elf_image_file(const struct elf_image *im)
{
	return im->o;
}

const u8 *elf_image_at(const struct elf_image *im, u64 svma, u64 len)
{
	vec_foreach(&im->o->seg, s) {
		u64 at = svma - s->vaddr;

		if (svma < s->vaddr || at >= s->filesz || len > s->filesz - at)
			continue;
		if (!im->raw || s->off > im->size || at > im->size - s->off || len > im->size - s->off - at)
			return NULL;
		return (const u8 *)im->raw + s->off + at;
	}
	return NULL;
}

static int by_place(const void *x, const void *y)
{
	const struct elf_pointer *a = x, *b = y;

	return a->at < b->at ? -1 : a->at > b->at;
}

static void add_pointers(struct elf_image *im, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	u64 nr = data && sh->sh_entsize ? data->d_size / sh->sh_entsize : 0;
	GElf_Rela rela;

	for (u64 i = 0; i < nr && im->pointer.nr < POINTERS_MAX && gelf_getrela(data, i, &rela); i++)
		if (GELF_R_TYPE(rela.r_info) == im->relative)
			vec_push(&im->pointer, (struct elf_pointer){ rela.r_offset, rela.r_addend });
}

const struct elf_pointer *elf_image_pointers(struct elf_image *im, size_t *ret_nr)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while (!im->has_pointers && im->raw && im->relative && (scn = elf_nextscn(im->o->elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA && sh.sh_flags & SHF_ALLOC)
			add_pointers(im, scn, &sh);
	if (!im->has_pointers && im->pointer.nr)
		qsort(im->pointer.v, im->pointer.nr, sizeof(*im->pointer.v), by_place);
	im->has_pointers = true;
	*ret_nr = im->pointer.nr;
	return im->pointer.v;
}

bool elf_image_number(struct elf_image *im, u64 svma, u32 size, u64 *ret)
{
	const u8 *p = elf_image_at(im, svma, size);
	const struct elf_pointer key = { .at = svma }, *found = NULL, *all;
	size_t nr;

	if (!p)
		return false;
	all = elf_image_pointers(im, &nr);
	if (size == 8 && nr)
		found = bsearch(&key, all, nr, sizeof(*all), by_place);
	*ret = 0;
	for (u32 i = size; i-- > 0;)
		*ret = *ret << 8 | p[i];
	if (found)
		*ret = found->to;
	return true;
}
