/*
 * Debug-sections: finds strings of bytes in the sections of a debug file, or of one that it refers to (dwz).
 */
#ifndef PERF_PROBE_DEBUG_SECTIONS_H
#define PERF_PROBE_DEBUG_SECTIONS_H

#include <libelf.h>
#include "byte-search.h"

struct debug_binary;
struct pool;

struct debug_section {
	const u8 *data;
	u64 size;
	bool is_mapped;		/* bytes of a mapped file; false: memory */
};

/* elf is b->elf or another file's; also finds packed sections. False: there is none */
bool debug_section_find(const struct debug_binary *b, Elf *elf, const char *name, struct debug_section *ret);
/* libdw's bytes of a section, if they are mapped from the file and nobody writes to them; false: others */
bool debug_section_mapped(const struct debug_binary *b, const char *name, struct debug_section *ret);
/* mapped pages stay in the kernel's cache, but no longer count as memory of this process */
void debug_pages_drop(const u8 *start, const u8 *end);
/*
 * calls hit for the needles from offset start up to end of the section, in the order of the file. *pool: NULL
 * until a large section is searched
 */
void debug_section_search(const struct debug_section *s, struct pool **pool, u64 start, u64 end,
			  const struct needles *group, u32 nr_groups, hit_fn *hit, void *ctx);

#endif
