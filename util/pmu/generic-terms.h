/* Generic terms, which any event accepts: period=, call-graph=, name=, cpu=, ... One row each. */
#ifndef PERF_PMU_GENERIC_TERMS_H
#define PERF_PMU_GENERIC_TERMS_H

#include "parse-state.h"

#define TERM_PMU	(1u << 0)	/* makes no sense for the kernel's generic events */
#define TERM_ENCODES	(1u << 1)	/* part of an event's definition: sysfs and tables contain it, too */
#define TERM_SAMPLING	(1u << 2)
struct term_row {
	const char *name;
	enum { VALUE_NUM, VALUE_STR } value;
	u32 flags;
	int (*set)(struct parser *ps, struct event *ev, const struct term *t, u64 v);
	const char *excludes;	/* the term that means the opposite, or NULL */
};
/* the row at i, in the order in which they are listed; NULL after the last one */
const struct term_row *term_row_at(size_t i);
const struct term_row *term_row_find(struct span name);
/* applies the i-th term, of this row, after checking its value and the terms before it */
int term_row_apply(struct parser *ps, struct event *ev, const struct term_row *row, const struct terms *terms,
		   size_t i);
/* " of 64 bits" if that is why digits are not a number, else "" */
const char *span_of_64_bits(struct span s);

#endif
