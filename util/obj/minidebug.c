/* Minidebug: unpacks .gnu_debugdata and reads it as the ELF file that it is. */
#include "minidebug.h"

#include "compress.h"

#define MINIDEBUG_MAX (64ull << 20)

size_t minidebug_symbols(const struct elf_obj *o, const struct elf_addr_map *map, struct symvec *v)
{
	GElf_Shdr sh;
	Elf_Scn *scn = elf_obj_section(o, ".gnu_debugdata", &sh);
	Elf_Data *d = scn ? elf_rawdata(scn, NULL) : NULL;
	struct elf_obj *mini;
	size_t added, len;
	u8 *image;

	if (!d || !d->d_buf)
		return 0;
	if (compress_unpack(COMPRESS_XZ, d->d_buf, d->d_size, MINIDEBUG_MAX, &image, &len, NULL))
		return 0;
	mini = elf_obj_from_image(image, len, ".gnu_debugdata", NULL);
	if (!mini)
		return 0;
	added = elf_obj_symbols(mini, ELF_SYMBOLS_SYMTAB, map, v);
	elf_obj_free(mini);
	return added;
}
