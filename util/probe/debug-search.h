/*
 * Debug-search: which units and entries a name, a source file or an entry concerns, found by the bytes that
 * refer to it. Nothing is kept between runs, and tables that compilers write for this (.debug_names,
 * .gdb_index) are not read: they may be incomplete. One thread at a time; texts and numbers live as long as
 * the search.
 */
#ifndef PERF_PROBE_DEBUG_SEARCH_H
#define PERF_PROBE_DEBUG_SEARCH_H

#include "debug-bytes.h"
#include "die.h"
#include "known-names.h"

struct debug_unit;
struct debug_units;

/* a global variable that was looked for: definitions by globs look for the same one at each function */
struct debug_global {
	const char *name;
	const struct debug_unit *unit;	/* NULL: all units */
	bool found;
	Dwarf_Die die;
};

struct debug_search {
	struct debug_bytes bytes;
	struct debug_units *units;
	bool has_foreign_origins, origins_searched;
	struct known_names known;	/* of the target's functions */
	struct { VEC(struct debug_global); } global;
};

void debug_search_release(struct debug_search *s);

struct debug_unit_set {
	VEC(u32);	/* indexes in debug_units */
};

/* an entry of debug information */
struct debug_entry {
	u32 unit;
	Dwarf_Die die;
	bool is_nested;		/* of debug_search_instances(): in something else than namespaces */
};

struct debug_entries {
	VEC(struct debug_entry);
};

/*
 * Where word is the name of something: the text of DW_AT_name, its beginning up to '<', or a linkage name.
 * Entries that are found by themselves go to ret_entries; ret gets units that have to be read, because only
 * an index in them refers to the name. If ret_entries is NULL, ret gets all units.
 */
void debug_search_name(struct debug_search *s, const char *word, struct debug_unit_set *ret,
		       struct debug_entries *ret_entries);
/*
 * The same, but only in units that also name all of scope: the namespaces and types around word. Units of
 * programs whose units refer to each other are not left out.
 */
void debug_search_scoped(struct debug_search *s, const char *word, const char *const *scope, u32 nr_scopes,
			 struct debug_unit_set *ret, struct debug_entries *ret_entries);
/*
 * Entries of the unit that are instances of one of these, or complete it: they refer to it directly, by
 * DW_AT_abstract_origin or DW_AT_specification. In the order of the file. False: they can only be found by
 * reading the unit, or other units may have some
 */
bool debug_search_instances(struct debug_search *s, struct debug_unit *unit, const struct debug_entries *of,
			    struct debug_entries *ret);
/* units with instances of an abstract function of another unit, by its offset in .debug_info */
void debug_search_origin(struct debug_search *s, u64 die, struct debug_unit_set *ret);
/* units whose line table may name a source file with that base name */
void debug_search_source(struct debug_search *s, const char *base, struct debug_unit_set *ret);

#endif
