/*
 * Sort order: what --sort and --fields mean: the keys that entries are made by and the columns that are shown, in order.
 */
#ifndef PERF_HIST_SORT_ORDER_H
#define PERF_HIST_SORT_ORDER_H

#include "../base/err.h"
#include "../fields/field.h"
#include "hist.h"

/* different ones: keys, and other fields of the table */
enum {
#define FIELD(id) SORT_FIELD_##id,
#include "../fields/fields.def"
#undef FIELD
	SORT_MAX_FIELDS
};
#define SORT_MAX_COLUMNS (HIST_MAX_KEYS + SORT_MAX_FIELDS)

struct sort_order {
	const struct field *key[SORT_MAX_COLUMNS];	/* no FIELD_STAT, in order of importance */
	u32 nr_keys;
	const struct field *column[SORT_MAX_COLUMNS];	/* as shown */
	u32 nr_columns;
	struct { const char *key, *value; } only[3];	/* keys that a filter leaves one value of: "comm", "bash" */
	u32 nr_only;
	const struct field *by[SORT_MAX_COLUMNS];	/* what rows are ordered by in turn: keys, and numbers, the largest first */
	u32 nr_by;
	bool maybe_latency;		/* nobody asked for latency, it stands there because the file has it */
	bool names_rows;		/* the keys of --sort, and no --fields, say what is shown, and the function is the first of them */
	bool self;			/* overhead stands beside that of callees, and is called so */
};

struct sort_spec {
	const char *sort, *fields;	/* as typed, NULL: not given */
	const char *default_sort;	/* "comm,dso,symbol" */
	struct trace_keys *trace;	/* for fields of tracepoints; NULL: there are none */
	bool children, show_nr, show_total_period, show_cpu_utilization;
	bool hierarchy;			/* rows are a tree */
	bool has_latency;		/* the file tells when tasks ran: where shares are not chosen, latency stands beside overhead */
	bool latency_first;		/* and rows are ordered by it */
	u32 has;			/* needs of fields that are there in this mode: NEEDS_BRANCH, NEEDS_MEM */
};

/* a key that is not shown, where it is none yet and there is room for one */
void sort_order_add_key(struct sort_order *o, const struct field *f);
/* the same, shown as the last column */
void sort_order_show_key(struct sort_order *o, const struct field *f);
/* takes a number away from columns and order */
void sort_order_drop(struct sort_order *o, const struct field *f);
bool sort_order_has_key(const struct sort_order *o, const struct field *f);
/* 0, or -EINVAL with the name that is unknown and the nearest ones, or cannot be had here */
int sort_order_parse(struct sort_order *o, const struct sort_spec *spec, struct err *err);

#endif
