/*
 * Out: the outputs of stat. Each appends blocks to a strbuf, as columns (CSV), as JSON objects or one JSON document, or as a
 * table of metrics alone. Numbers are the same under any locale; names that hold separators, quotes or control characters are
 * quoted or escaped. What is printed that is no number (nan) is an empty field, or null.
 */
#ifndef PERF_STAT_OUT_H
#define PERF_STAT_OUT_H

#include "lines.h"

/* -x (the separator is set): a line for each event and aggregate, and for each further metric */
stat_out_fn stat_out_csv;
/* -j: an object for each event and aggregate, and for each further metric, one a line */
stat_out_fn stat_out_json_lines;
/* --json=doc: stat_out_json_doc_end() makes the document whole, also when there was no block at all */
stat_out_fn stat_out_json_doc;
stat_out_end_fn stat_out_json_doc_end;
/* --metric-only: a row for each aggregate (and cgroup), a column for each metric; the line of columns comes first, and again
 * where the columns have changed */
stat_out_fn stat_only_text, stat_only_csv, stat_only_json;

/* pieces that outputs share */

/* the lines around a table of text: what was measured; times and notes */
void stat_text_head(const struct stat_block *b, struct strbuf *out);
void stat_text_foot(const struct stat_block *b, const struct stat_out_opts *o, struct strbuf *out);
/* how an aggregation mode is called in columns and keys */
struct stat_mode_name {
	const char *key;	/* "socket"; NULL: the mode has no id */
	bool counters;		/* the number of counters in it is shown as well */
	bool titled;		/* its column has a title in tables without times, too */
};
const struct stat_mode_name *stat_mode_name(enum aggr_mode mode);
/* "S0-D0-C1", "CPU0", "sleep-1234"; nothing where the whole is one aggregate */
void stat_location_add(struct strbuf *out, const struct aggr *aggr, u32 id);
/* "seconds.nanoseconds" */
void stat_time_add(struct strbuf *out, u64 ns);
/* v with that many decimals and a point */
void stat_fixed_add(struct strbuf *out, double v, int decimals);
/* decimals that the metric's text format asks for */
int stat_metric_decimals(const struct stat_metric *m);
/* one field of a line of columns, in quotes where it holds the separator or a quote */
void stat_csv_field(struct strbuf *out, const char *separator, const char *text);
/* a writer of JSON lines; the keys of an object that say when and where; a number in quotes, null where it is none */
struct json stat_json_writer(struct strbuf *out);
void stat_json_front(struct json *w, const struct stat_block *b, u32 id, u32 nr);
void stat_json_quoted(struct json *w, const char *key, double value, int decimals);
/* true where an event of the block belongs to a cgroup */
bool stat_has_cgroups(const struct stat_block *b);
/* true where the block tells of repeated runs */
bool stat_is_repeated(const struct stat_block *b);

#endif
