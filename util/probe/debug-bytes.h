/*
 * Debug-bytes: a debug file as the bytes of its sections, for searches. Owns the threads that read large
 * sections, and the texts and numbers of searches, which live as long as it does.
 */
#ifndef PERF_PROBE_DEBUG_BYTES_H
#define PERF_PROBE_DEBUG_BYTES_H

#include <libelf.h>
#include "../base/arena.h"
#include "needles.h"

struct debug_binary;
struct pool;

struct debug_bytes {
	const struct debug_binary *file;
	struct pool *pool;	/* NULL until a large section is searched */
	struct arena mem;
};

void debug_bytes_release(struct debug_bytes *b);
/* calls hit for the needles in a section of the file, or of another one, in the order of the section */
void debug_bytes_run(struct debug_bytes *b, Elf *elf, const char *name, const struct needles *group,
		     u32 nr_groups, hit_fn *hit, void *ctx);
/* the numbers as bytes of the file */
u8 *debug_bytes_u32s(struct debug_bytes *b, const u32 *v, size_t nr);

#endif
