/* Debug-bytes: whole sections, and numbers in the byte order of the file. */
#include "debug-bytes.h"

#include "../base/pool.h"
#include "debug-binary.h"
#include "debug-sections.h"

void debug_bytes_release(struct debug_bytes *b)
{
	pool_free(b->pool);
	arena_release(&b->mem);
}

void debug_bytes_run(struct debug_bytes *b, Elf *elf, const char *name, const struct needles *group,
		     u32 nr_groups, hit_fn *hit, void *ctx)
{
	struct debug_section section;

	if (debug_section_find(b->file, elf, name, &section))
		debug_section_search(&section, &b->pool, 0, UINT64_MAX, group, nr_groups, hit, ctx);
}

u8 *debug_bytes_u32s(struct debug_bytes *b, const u32 *v, size_t nr)
{
	u8 *bytes = arena_alloc(&b->mem, MAX(nr, (size_t)1) * 4);

	for (size_t i = 0; i < nr; i++)
		for (int k = 0; k < 4; k++)
			bytes[i * 4 + k] = v[i] >> (b->file->is_big_endian ? 24 - 8 * k : 8 * k);
	return bytes;
}
