/* Script-opts: what lines of perf script show, of which samples, and what a run says of them. */
#ifndef PERF_SCRIPT_SCRIPT_OPTS_H
#define PERF_SCRIPT_SCRIPT_OPTS_H

#include "../fields/sample-filter.h"
#include "../resolve/resolver.h"
#include "../session/fp-count.h"
#include "dlfilter-opts.h"
#include "engine-opts.h"
#include "fields.h"
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

#endif
