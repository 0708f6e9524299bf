/* Collect: what the collectors of perf list share; for util/list/ only. */
#ifndef PERF_LIST_COLLECT_H
#define PERF_LIST_COLLECT_H

#include "entries.h"
#include "../base/err.h"

/* one run of collecting */
struct collect {
	struct list *l;
	const struct list_request *req;
	struct err *err;
};

/* each appends its entries; 0 or a negative errno with err */
#define SECTION(kind, words, fn, heading, none) int fn(struct collect *c);
#include "sections.def"
#undef SECTION

/* an entry with every string "" and the kind's own bit */
struct list_entry *list_add(struct list *l, enum list_kind kind, const char *name, const char *tag);
/* printf into the list's arena */
const char *list_printf(struct list *l, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "7", "0xa": configs as upstream writes them */
const char *list_encoding(struct list *l, const char *pmu, u64 config);
/* a line for the user, once */
void list_note(struct list *l, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* the same for an error, with its hints */
void list_note_err(struct list *l, const struct err *err);
/* whether a PMU's events are wanted (--unit, --cputype) */
bool list_wants_pmu(const struct list_request *req, const char *pmu);
/* whether one of the patterns matches one of these; NULL ones match nothing */
bool list_pattern_matches(const char *pattern, const char *name);

#endif
