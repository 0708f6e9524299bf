/*
 * Known-names: positions of several names in debug information, found in one pass for all definitions of a
 * command. Belongs to the search.
 */
#ifndef PERF_PROBE_KNOWN_NAMES_H
#define PERF_PROBE_KNOWN_NAMES_H

#include "../base/hash.h"
#include "../base/vec.h"
#include "debug-bytes.h"

struct known_name {
	const char *name;
	struct { VEC(u32); } str;	/* in .debug_str: the name ends a string, or '<' follows */
	/* offsets of bytes that look like a reference to the string, or like the name; ascending */
	struct { VEC(u64); } info;	/* in .debug_info */
	struct { VEC(u64); } index;	/* in .debug_str_offsets */
	bool is_many;			/* too many: treated as unknown */
};

struct known_names {
	struct { VEC(struct known_name); } name;
	struct hidx by_name;
	bool searched;
};

/* NULL unless word is one of several function names of the target (point.h) */
const struct known_name *known_name(struct known_names *k, struct debug_bytes *b, const char *word);
void known_names_release(struct known_names *k);

#endif
