/*
 * List: what can be counted or recorded here, as perf list shows it: the kernel's generic events (those
 * that this CPU has), PMUs' events from sysfs and event tables, tracepoints and probes, SDT markers of the
 * build-id cache, tool events, sensors, metrics. Collected once into entries that do not change, which are
 * the items of a view. The entries' strings belong to the list (or to the table source, which must outlive
 * it).
 */
#ifndef PERF_LIST_LIST_H
#define PERF_LIST_LIST_H

#include "entries.h"
#include "../base/err.h"
#include "../view/items.h"

/*
 * 0, also if nothing matches, or a negative errno with err (an event table that was named and cannot be read)
 */
int list_make(struct list *ret, const struct list_request *req, struct err *err);
void list_release(struct list *l);
/* the kind that a word of the command line names ("hw", "hardware"); false where it names none */
bool list_kind_find(const char *word, u32 *ret_bits);
/* appends the first word of each kind, one a line */
void list_kind_words(struct strbuf *out);

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
