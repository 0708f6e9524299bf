/*
 * Known-names: where many names are in debug information, found by one reading of it for all definitions of
 * a command. Belongs to the search.
 */
#ifndef PERF_PROBE_KNOWN_NAMES_H
#define PERF_PROBE_KNOWN_NAMES_H

#include "../base/hash.h"
#include "../base/vec.h"

struct debug_search;

struct known_name {
	const char *name;
	struct { VEC(u32); } str;	/* in .debug_str: there the name ends a string, or begins one of <> */
	/* bytes that look like a reference to it, or like itself, in the order of the file */
	struct { VEC(u64); } info;	/* in .debug_info */
	struct { VEC(u64); } index;	/* in .debug_str_offsets */
	bool is_many;			/* too many of them: not known */
};

struct known_names {
	struct { VEC(struct known_name); } name;
	struct hidx by_name;
	bool searched;
};

/* the name, if it is one of the target's (point.h) and these are several; else NULL */
const struct known_name *known_name(struct debug_search *s, const char *word);
void known_names_release(struct known_names *k);

#endif
