/*
 * Script: every record of a profile as text, in order, as "perf script" prints it. Batches of records come
 * from the ordered cursor; slices of a batch are formatted by the pool's workers and written in order. Symbol
 * tables are loaded when the first frame needs them. Never prints but to the sink it is given.
 */
#ifndef PERF_SCRIPT_SCRIPT_H
#define PERF_SCRIPT_SCRIPT_H

#include "../base/err.h"
#include "../resolve/resolver.h"
#include "fields.h"
#include "../fields/sample-filter.h"
#include "../session/fp-count.h"
#include "dlfilter.h"
#include "engine.h"
#include "frame.h"

/* side-band lines that --show-* asks for */
#define SHOW_TASK	(1u << 0)
#define SHOW_MMAP	(1u << 1)
#define SHOW_SWITCH	(1u << 2)
#define SHOW_NAMESPACE	(1u << 3)
#define SHOW_LOST	(1u << 4)
#define SHOW_ROUND	(1u << 5)
#define SHOW_BPF	(1u << 6)
#define SHOW_CGROUP	(1u << 7)
#define SHOW_TEXT_POKE	(1u << 8)
#define SHOW_ON_OFF	(1u << 9)
#define SHOW_DEFERRED	(1u << 10)
#define SHOW_ERROR	(1u << 11)	/* errors in a hardware trace */

/* which samples are shown */
struct script_filter {
	struct sample_filter sample;
	struct { VEC(u64); } addrs;	/* -S ADDR */
	u64 addr_range;			/* --addr-range: bytes after each of addrs */
};

struct script_opts {
	struct script_fields fields;
	struct script_filter filter;
	struct dlfilter_opts dlfilter;
	struct engine_opts engine;	/* samples go to a script, not to the sink */
	struct frame_opts frame;
	const struct stream_format *format;	/* lines are cells in this format; NULL: text */
	const struct stream_format *words;	/* text of dumps, and of records that dumps show */
	u32 show;			/* SHOW_* */
	bool ns, reltime, deltatime;
	bool hide_chain;		/* -G */
	bool inlines;
	bool per_event;			/* --per-event-dump: one file an event */
	bool latency;			/* -L */
	/* call chains that were recorded later are shown where they are, not joined */
	bool keep_deferred;
	bool unsorted;			/* records as the file has them */
	bool dump;			/* -D: every record as bytes and words, too */
	u32 max_stack;
	u32 max_blocks;			/* of brstackinsn: newest branches of a sample; 0: all */
	const char *graph_functions;	/* "a,b": only these, and what they call; NULL: everything */
	const char *stop_bt;		/* "a,b": chains end at these symbols */
	const char *switch_on, *switch_off;
	/* filled by the run: records whose time is before that of the one in front */
	u64 nr_misordered;
	struct diag diag;		/* filled by the run: trouble in the data */
	/* filled by the run: how far frame pointers led; the caller releases it */
	struct fp_counts fp;
	bool passed;			/* filled by the run: a sample passed all filters */
	/* filled by the run with per_event: samples shown, by event idx; the caller frees it */
	u64 *nr_lines;
};

/*
 * Writes len bytes; with per_event those of one event (its idx; ID_NONE: lines of no event, as of side-band).
 * Negative errno ends the run.
 */
typedef int (*script_sink)(void *ctx, u32 event, const char *text, size_t len);

/* Fits opts->fields to the events of the file, before the run: -EINVAL with err for those that it lacks. */
int script_check(const struct session *s, struct script_opts *opts, struct err *err);
/*
 * A session that is read live is shown as it comes. 0, -EPIPE where the reader went away, or another
 * negative errno with err.
 */
int script_run(struct session *s, struct script_opts *opts, script_sink sink, void *ctx, struct err *err);
/* the first line where lines are cells: what the file says of itself */
void script_header_cells(const struct session *s, const struct stream_format *f, struct strbuf *out);

#endif
