/*
 * Debug-sections: finds strings of bytes in the sections of a debug file, or of one that it refers to (dwz).
 */
#ifndef PERF_PROBE_DEBUG_SECTIONS_H
#define PERF_PROBE_DEBUG_SECTIONS_H

#include <libelf.h>
#include "byte-search.h"

struct debug_file;

struct debug_section {
	const u8 *data;
	u64 size;
	bool is_mapped;		/* bytes of a mapped file; false: memory */
};

/* elf is d->elf or that of another file; also finds packed sections. False: there is none */
bool debug_section_find(struct debug_file *d, Elf *elf, const char *name, struct debug_section *ret);
/* mapped pages stay in the kernel's cache, but do not count as memory of this process any more */
void debug_pages_drop(const u8 *start, const u8 *end);
/*
 * The bytes of a unit, which was read as a whole, do not count as memory any more, and now and then strings
 * do not either: they are read again where they are needed
 */
struct debug_unit;
void debug_unit_drop(struct debug_file *d, const struct debug_unit *unit);
/* addresses of the unit are looked up next; drops the one of which they were before */
void debug_unit_use(struct debug_file *d, const struct debug_unit *unit);
/* calls hit for the needles from offset start up to end of the section, in the order of the file */
void debug_section_search(struct debug_file *d, Elf *elf, const char *name, u64 start, u64 end,
			  const struct needles *group, u32 nr_groups, hit_fn *hit, void *ctx);

#endif
