/*
 * List: what can be counted or recorded here, as perf list shows it: the kernel's generic events (those
 * that this CPU has), PMUs' events from sysfs and event tables, tracepoints and probes, SDT markers of the
 * build-id cache, tool events, sensors, metrics. Collected once into entries that do not change, which are
 * the items of a view. The entries' strings belong to the list (or to the table source, which must outlive
 * it).
 */
#ifndef PERF_LIST_LIST_H
#define PERF_LIST_LIST_H

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/strbuf.h"
#include "../base/vec.h"
#include "../view/items.h"

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

/*
 * 0, also if nothing matches, or a negative errno with err (an event table that was named and cannot be read)
 */
int list_make(struct list *ret, const struct list_request *req, struct err *err);
void list_release(struct list *l);
/* the kind that a word of the command line names ("hw", "hardware"); false where it names none */
bool list_kind_find(const char *word, u32 *ret_bits);
/* appends the first word of each kind, one a line */
void list_kind_words(struct strbuf *out);

/* what a generic event of the kernel counts; "" if that is not known */
const char *list_describe_generic(u32 type, u64 config);
/*
 * whether the kernel can count it here. No answer (no permission, the limit of open files) counts as yes,
 * since nothing is known against it
 */
bool list_is_supported(u32 type, u64 config);

/* for a format of ui/; the list must outlive it */
void list_items(const struct list *l, struct view_items *ret);

/* a tracepoint with the fields of its records */
struct list_tracepoint {
	const char *name;
	const struct view_part *part;
	u32 nr_parts;
	struct view_value fields;	/* the same for programs */
	const char *prints;		/* its print format; NULL */
};

struct list_fields {
	VEC(struct list_tracepoint);
	struct arena arena;
	bool any_dev;			/* one of the fields is a device number */
};

/*
 * --fields: tracepoints that one of the patterns matches, with the fields of their records and how they
 * print. common: the fields that all tracepoints have, too. 0 (perhaps nothing matched), or negative errno
 * with err where tracefs cannot be read.
 */
int list_fields_make(struct list_fields *ret, const char *const *patterns, size_t nr, bool common,
		     struct err *err);
void list_fields_release(struct list_fields *l);
/* for a format of ui/; the fields must outlive it */
void list_fields_items(const struct list_fields *l, struct view_items *ret);

#endif
