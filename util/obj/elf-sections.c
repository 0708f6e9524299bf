/* Elf-sections: see elf-sections.h. */
#include "elf-sections.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include "../lib/lib.h"
#include "compress.h"

#define PACKED_ZSTD 2u		/* ELFCOMPRESS_ZSTD, which older elf.h lack */

/* a section that claims to contain more is damaged, or made to fill memory */
#define RATIO_MAX 1024u
#define UNPACKED_MAX (4ull << 30)

void elf_sections_keep(Elf *elf, bool (*keep)(const char *name, const void *ctx), const void *ctx)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;

		if (!name || keep(name, ctx))
			continue;
		sh.sh_type = SHT_NOBITS;
		gelf_update_shdr(scn, &sh);
	}
}

void elf_section_replace(Elf_Scn *scn, void *bytes, size_t len)
{
	Elf_Data *data[2];
	GElf_Shdr sh;

	if (!gelf_getshdr(scn, &sh))
		return;
	sh.sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
	gelf_update_shdr(scn, &sh);
	/* libdw reads either of them, depending on its version */
	data[0] = elf_rawdata(scn, NULL);
	data[1] = elf_getdata(scn, NULL);
	for (int i = 0; i < 2; i++) {
		if (!data[i])
			continue;
		data[i]->d_buf = bytes;
		data[i]->d_size = len;
	}
}

void elf_section_unpack(struct elf_unpacked *u, Elf *elf, Elf_Scn *scn)
{
	Elf_Data *data;
	GElf_Ehdr eh;
	GElf_Shdr sh;
	GElf_Chdr ch;
	size_t head, len;
	u8 *bytes;

	if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS || !(sh.sh_flags & SHF_COMPRESSED) ||
	    !gelf_getchdr(scn, &ch) || ch.ch_type != PACKED_ZSTD || !gelf_getehdr(elf, &eh) ||
	    !lib_usable(LIB_zstd))
		return;
	head = eh.e_ident[EI_CLASS] == ELFCLASS64 ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
	data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf || data->d_size < head || ch.ch_size > UNPACKED_MAX ||
	    ch.ch_size / RATIO_MAX > data->d_size)
		return;
	/* one byte more, or the end of the data would not be seen */
	if (compress_unpack(COMPRESS_ZST, (const u8 *)data->d_buf + head, data->d_size - head, ch.ch_size + 1,
			    &bytes, &len, NULL))
		return;
	vec_push(u, bytes);
	elf_section_replace(scn, bytes, len);
}

void elf_sections_unpack(struct elf_unpacked *u, Elf *elf)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn)))
		elf_section_unpack(u, elf, scn);
}

Elf_Data *elf_section_data(Elf *elf, const char *name, struct elf_unpacked *u)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh;
	size_t names;

	if (!elf || elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *s = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;

		if (s && !strcmp(s, name))
			break;
	}
	if (!scn || sh.sh_type == SHT_NOBITS)
		return NULL;
	if (u)
		elf_section_unpack(u, elf, scn);
	if (!gelf_getshdr(scn, &sh) || (sh.sh_flags & SHF_COMPRESSED && elf_compress(scn, 0, 0) < 0))
		return NULL;
	data = elf_getdata(scn, NULL);
	return data && data->d_buf ? data : NULL;
}

void elf_unpacked_release(struct elf_unpacked *u)
{
	vec_foreach(u, bytes)
		free(*bytes);
	vec_release(u);
}
