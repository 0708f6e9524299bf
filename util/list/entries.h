/* Entries: what perf list collects, and what it is asked for: see list.h. */
#ifndef PERF_LIST_ENTRIES_H
#define PERF_LIST_ENTRIES_H

#include "../base/arena.h"
#include "../base/strbuf.h"
#include "../base/vec.h"

/* kinds, in the order in which they are listed; sections.def has a row for each */
enum list_kind {
#define SECTION(kind, words, fn, heading, none) LIST_##kind,
#include "sections.def"
#undef SECTION
	LIST_NR_KINDS
};
#define LIST_BIT(kind) (1u << LIST_##kind)
#define LIST_ALL (~0u)

struct list_entry {
	enum list_kind kind;
	u32 also;		/* bits of further kinds it belongs to: a probe is a tracepoint, too */
	const char *name;	/* what to type */
	const char *alias;	/* "" */
	const char *tag;	/* "Software event" */
	const char *json_tag;	/* EventType in JSON; NULL: tag. Both are "" for metrics */
	const char *pmu;	/* "software"; "" */
	const char *topic, *desc, *long_desc, *encoding, *scale_unit;	/* "" where there is none */
	bool deprecated;
	/* metrics only */
	const char *expr, *threshold, *groups;
};

struct table_source;
struct list_request {
	u32 kinds;			/* bits; listed whole */
	const char *const *patterns;	/* and whatever these match: globs, or parts of a name */
	size_t nr_patterns;
	bool deprecated;		/* deprecated events, too */
	bool instances;			/* every PMU of a numbered kind, not one for all of them */
	bool formats;			/* long_desc of tracepoints: their format */
	const char *unit;		/* events of this PMU only (name, glob, or without number); NULL */
	const char *cputype;		/* of hybrid CPUs: "core" or "atom"; NULL */
	struct table_source *tables;
};

struct list {
	VEC(struct list_entry);
	struct arena arena;
	struct strbuf notes;		/* lines for the user: why something is absent */
	struct table_source *tables;
	bool has_metrics;
};

#endif
