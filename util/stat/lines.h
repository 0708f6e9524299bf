/*
 * Lines: the one set of cells that every output of stat shows: text, CSV, JSON lines, the JSON document, --metric-only. A
 * block is one printing: the end of the run, one interval, or the summary. Whoever writes an output reads only this header.
 * Strings belong to the block's arena or outlive it.
 */
#ifndef PERF_STAT_LINES_H
#define PERF_STAT_LINES_H

#include "../base/arena.h"
#include "../base/json-out.h"
#include "../base/strbuf.h"
#include "../base/vec.h"
#include "aggr.h"

enum stat_grade { STAT_PLAIN, STAT_GOOD, STAT_BAD };	/* what a metric's threshold says */

/* a derived value */
struct stat_metric {
	const char *name;	/* "insn per cycle", "tma_retiring": what stands behind the number */
	double value;		/* NAN: could not be derived; then why says so */
	const char *format;	/* printf format of the text layout for one double: "%8.3f" */
	const char *unit;	/* "", "GHz", "%", "K/sec": in front of name; kept apart so that machines get numbers */
	enum stat_grade grade;
	const char *why;	/* or NULL */
	bool by_name;		/* asked for by name (-M): the name is a word for machines */
};

enum stat_state { STAT_COUNTED, STAT_NOT_COUNTED, STAT_NOT_SUPPORTED };

/* one event in one aggregate, or (event NULL) only more metrics of the line above */
struct stat_line {
	u32 id;			/* index into block.aggr->id */
	u32 idx;		/* of the event in the set; of the first where several are summed up */
	u32 nr;			/* counters summed up */
	enum stat_state state;
	double value;		/* scaled, times the event's scale */
	const char *unit;	/* "", "msec", "Joules" */
	bool fraction;		/* shown with decimals (clocks, scaled events) */
	const char *event;	/* name as shown, modifiers included */
	const char *cgroup;	/* or NULL */
	double stddev_percent;	/* of repeated runs; negative: not repeated */
	u64 run_ns;
	bool enabled;		/* it was there to be counted, for some time */
	double running_percent;	/* 100: was never multiplexed */
	const char *why;	/* not counted or not supported: the reason in words; or NULL */
	u32 metric, nr_metrics;	/* into block.metric */
};

struct stat_block {
	struct arena arena;
	const struct aggr *aggr;
	bool interval, summary;
	u64 time_ns;		/* since the start, of an interval */
	u64 span_ns;		/* what the counts cover: the run, the interval */
	u64 interval_ns;	/* -I; 0 */
	struct { VEC(struct stat_line); } line;
	struct { VEC(struct stat_metric); } metric;
	/* the end of a run: negative where it is not known */
	double elapsed_sec, user_sec, sys_sec, elapsed_stddev;
	u32 nr_runs;		/* -r; 1 */
	struct { VEC(double); } run_sec;	/* elapsed time of each run, for --table */
	const char *title;	/* "'sleep 1'", "process id '12'", "'system wide'" */
	struct { VEC(const char *); } note;	/* sentences for the end: why something was not counted, advice */
};

struct stat_out_opts {
	const char *separator;	/* -x; NULL */
	bool csv_header;	/* --header */
	bool metric_only, big_num, no_csv_summary, table, quiet;
	bool color;		/* a terminal is there: grades are coloured */
	u32 metric_columns;	/* width of a --metric-only column; 0: default */
};

void stat_block_release(struct stat_block *b);

/* what an output has written so far in this run; zeroed at the start */
struct stat_out_state {
	u32 nr_blocks;
	struct strbuf header;	/* the column line that was written last */
	struct json json;	/* the document, open from the first block to its end */
};
void stat_out_state_release(struct stat_out_state *st);

/* an output's way to write one block, and what comes behind the last one (also where there was no block) */
typedef void stat_out_fn(const struct stat_block *b, const struct stat_out_opts *o, struct stat_out_state *st, struct strbuf *out);
typedef void stat_out_end_fn(struct stat_out_state *st, struct strbuf *out);

/* output formats: rows of outputs.def */
struct stat_output {
	const char *name;	/* "text", "csv", "json", "json-doc", "only-text", "only-csv", "only-json" (--metric-only) */
	stat_out_fn *block;
	stat_out_end_fn *end;	/* or NULL */
};
/* NULL where no such format is built */
const struct stat_output *stat_output_find(const char *name);

/* the classic table: counts, comments, times, notes */
stat_out_fn stat_out_text;

#endif
