/*
 * Recorder: from rings to an output file. The state at the start comes first, then spans straight from the
 * ring mappings, with a round mark after each pass over all rings; features come last. Owns the output; rings
 * and events belong to the observer, features and options to the caller.
 */
#ifndef PERF_RECORD_RECORDER_H
#define PERF_RECORD_RECORDER_H

#include "../base/err.h"
#include "../data/packer.h"
#include "../data/writer.h"
#include "../kernel/bpf-programs.h"
#include "aux-writer.h"
#include "live-tasks.h"
#include "record-opts.h"
#include "rewrite.h"
#include "streams.h"
#include "synthesize.h"
#include "trace-setup.h"

struct recorder {
	const struct record_opts *o;
	struct observer *ob;
	struct features *feat;
	struct synth_opts synth;
	struct synth_place kernel;
	/* children are observed, too: later outputs describe those that run by then */
	bool follow;
	bool buildid_table;		/* BUILD_ID feature: map records contain no build-ids */
	bool no_kernel;			/* no event sees the kernel, so its map is not needed */
	u64 flush_bytes;
	struct writer out;
	struct packer packer;
	struct streams streams;
	const struct trace_setup *trace;	/* NULL: no trace is recorded */
	struct aux_writer aux;
	u64 stream_bytes;
	struct ring_counts counts;	/* of this output */
	struct ring_plan plan;
	struct synth_notes notes;
	struct bpf_programs bpf;
	u64 wakeups;			/* of streams */
	struct strbuf state;		/* the state when the output was opened, until it is written */
	u32 nr_outputs;			/* opened so far */
	u64 *lost_seen;			/* per descriptor: the value at the end of the last output */
	/* samples for which there was no room, as the kernel counted them for each event */
	u64 lost_total;
	u64 lost_before;		/* records that outputs before this one say are lost */
	struct live_tasks *tasks;	/* for the state of the next output; NULL: it is read from /proc */
	u64 *filtered_seen;		/* the same: how many samples the filter of each event had left out */
	struct filtered filtered;	/* of all events since the start, when an output was finished */
	u64 last_size;			/* bytes of records in the output that was finished last */
	double comp_ratio;		/* 0: not compressed */
	void *rewriting;		/* of o->rewrite; NULL: not begun */
	struct strbuf rewritten;	/* records of this pass */
	struct strbuf names;		/* the feature PACKED_SYMBOLS of this output */
	u32 passes;			/* since the last mark of a round */
};
/* nothing is open yet; may be released */
#define RECORDER_NONE { .out.fd = -1 }

/*
 * to be called when the observer's events are open and its rings mapped, but nothing is enabled yet; trace:
 * with a row, or NULL; it stays as long as r
 */
int recorder_init(struct recorder *r, const struct record_opts *o, struct observer *ob, struct features *feat,
		  const struct trace_setup *trace, struct err *err);
/* creates the output and writes the state at the start (unless it is written at the end) */
int recorder_open(struct recorder *r, struct err *err);
/*
 * one pass over the rings; all: ignores --mmap-flush. 0 or the negative errno of a write (see r->out.failed)
 */
int recorder_drain(struct recorder *r, bool all);
/* writes what the overwritable rings hold now, and with -S the newest part of the trace */
int recorder_snapshot(struct recorder *r);
/* the same at the end: of the trace only if users asked for that */
int recorder_last_snapshot(struct recorder *r);
/*
 * writes tasks that targets have started while the events were off: these are observed, too, and the kernel
 * told nobody of them; 0 or a negative errno
 */
int recorder_add_children(struct recorder *r);
/* writes samples that did not come from a ring; 0 or a negative errno */
int recorder_add(struct recorder *r, const struct strbuf *records);
/* finishes the output: state at the end, features, header */
int recorder_finish(struct recorder *r, struct err *err);
/* bytes of records in the output so far */
static inline u64 recorder_bytes(const struct recorder *r)
{
	return r->out.size;
}
void recorder_release(struct recorder *r);

#endif
