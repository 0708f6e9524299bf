/*
 * Debug-sections: sections are read in windows, not mapped, so that a search needs little memory.
 */
#include "debug-sections.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "debug-file.h"

#define WINDOW (256u << 10)	/* fits into the second-level cache */

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

/* libdw unpacks sections in place and changes their headers: d->debug has the headers of the file */
bool debug_section_find(struct debug_file *d, Elf *elf, const char *name, struct debug_section *ret)
{
	bool packed;
	GElf_Shdr sh;
	Elf_Scn *scn;
	Elf_Data *data;

	if (elf == d->elf) {
		if (!section_by_name(d->debug->elf, name, &sh, &packed))
			return false;
		*ret = (struct debug_section){ .off = sh.sh_offset, .size = sh.sh_size };
		if (!packed)
			return true;
	}
	scn = section_by_name(elf, name, &sh, &packed);
	data = scn ? elf_rawdata(scn, NULL) : NULL;
	if (!data || !data->d_buf)
		return false;
	*ret = (struct debug_section){ .data = data->d_buf, .size = data->d_size };
	return true;
}

/* the part of a section; a window overlaps the next one by what a needle may reach beyond its first byte */
void debug_section_search(struct debug_file *d, Elf *elf, const char *name, u64 start, u64 end,
			  const struct needles *group, u32 nr_groups, hit_fn *hit, void *ctx)
{
	struct byte_search b;
	struct debug_section s;
	u8 *buf;

	if (!byte_search_init(&b, group, nr_groups) || b.reach >= WINDOW ||
	    !debug_section_find(d, elf, name, &s)) {
		byte_search_release(&b);
		return;
	}
	end = MIN(end, s.size);
	if (s.data) {
		if (start < end)
			byte_search_run(&b, s.data + start, end - start, start, hit, ctx);
		byte_search_release(&b);
		return;
	}
	buf = xmalloc(WINDOW);
	for (u64 pos = start; pos < end; pos += WINDOW - b.reach) {
		ssize_t len = pread(d->fd, buf, MIN((u64)WINDOW, end - pos), s.off + pos);

		if (len <= 0 || !byte_search_run(&b, buf, len, pos, hit, ctx) || len < WINDOW)
			break;
	}
	free(buf);
	byte_search_release(&b);
}
