/*
 * Sort order: the meaning of --sort and --fields: the keys by which entries are made and the columns that are
 * shown, in order.
 */
#ifndef PERF_HIST_SORT_ORDER_H
#define PERF_HIST_SORT_ORDER_H

#include "../base/err.h"
#include "../fields/field.h"
#include "hist-opts.h"

/* maximum number of distinct keys, and of other fields of the table */
enum {
#define FIELD(id) SORT_FIELD_##id,
#include "../fields/fields.def"
#undef FIELD
	SORT_MAX_FIELDS
};
#define SORT_MAX_COLUMNS (HIST_MAX_KEYS + SORT_MAX_FIELDS + DATA_SRC_NR_PARTS)

struct sort_order {
	const struct field *key[SORT_MAX_COLUMNS];	/* without FIELD_STAT, in order of importance */
	u32 nr_keys;
	const struct field *column[SORT_MAX_COLUMNS];	/* as shown */
	u32 nr_columns;
	/* keys of which a filter leaves one value: "comm", "bash" */
	struct { const char *key, *value; } only[3];
	u32 nr_only;
	/* rows are ordered by these in turn: keys, and numbers, largest first */
	const struct field *by[SORT_MAX_COLUMNS];
	u32 nr_by;
	bool maybe_latency;		/* nobody asked for latency; it is shown because the file has it */
	/* the keys of --sort, without --fields, select the columns, and the function is the first of them */
	bool names_rows;
	bool self;			/* overhead is called "self": the one with callees is shown, too */
};

struct sort_spec {
	const char *sort, *fields;	/* as typed; NULL: not given */
	const char *default_sort;	/* "comm,dso,symbol" */
	struct trace_keys *trace;	/* for fields of tracepoints; NULL: there are none */
	bool children, show_nr, show_total_period, show_cpu_utilization;
	u32 wall_states;		/* bits 1 << enum wall_state: these have a column */
	bool wall_path;			/* slices are those of a critical path */
	bool hierarchy;			/* rows are a tree */
	/* the file tells when tasks ran: if shares were not chosen, latency is shown beside overhead */
	bool has_latency;
	bool latency_first;		/* and rows are ordered by latency */
	u32 has;			/* needs of fields that exist in this mode: NEEDS_BRANCH, NEEDS_MEM */
};

/* adds a key that is not shown, if it is not yet a key and there is room */
void sort_order_add_key(struct sort_order *o, const struct field *f);
/* the same, shown as the last column */
void sort_order_show_key(struct sort_order *o, const struct field *f);
/* removes a number from columns and order */
void sort_order_drop(struct sort_order *o, const struct field *f);
/* what samples are counted by: the keys, and what they and the columns need */
void sort_order_keys(const struct sort_order *o, struct hist_opts *ho);
/* whether a key or column has one of these needs */
bool sort_order_needs(const struct sort_order *o, u32 needs);
/* PERF_SAMPLE_*: what samples must have for these keys and columns */
u64 sort_order_samples(const struct sort_order *o);
/* warns of columns whose values no sample has, and names the option that records them */
void sort_order_warn_unrecorded(const struct sort_order *o, const struct evset *events);
bool sort_order_has_key(const struct sort_order *o, const struct field *f);
/* 0, or -EINVAL with err: a name is unknown (with the nearest ones), or is not available here */
int sort_order_parse(struct sort_order *o, const struct sort_spec *spec, struct err *err);

#endif
