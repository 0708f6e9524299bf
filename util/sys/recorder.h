/*
 * Recorder: from rings to an output file. Start-up state first, then spans straight from the ring mappings, a round mark after
 * each pass over all rings, features last. Owns rings and the output; events, features and options are the caller's.
 */
#ifndef PERF_SYS_RECORDER_H
#define PERF_SYS_RECORDER_H

#include "../base/err.h"
#include "../data/packer.h"
#include "../data/writer.h"
#include "affinity.h"
#include "bpf-programs.h"
#include "rings.h"
#include "streams.h"
#include "synthesize.h"
#include "target.h"

struct recorder_opts {
	const char *output;		/* file, "-" */
	u64 ring_pages;
	unsigned int aio_blocks;	/* --aio: writes under way at a time; 0: each is waited for */
	bool kcore;			/* --kcore: output is a directory */
	const char *threads;		/* --threads: output is a directory; or NULL */
	u64 flush_bytes;		/* a ring is written only when it holds as much; 0: always */
	bool tail_synthesize;		/* start-up state at the end of the output */
	bool synth_tasks, synth_cgroups, synth_bpf;
	bool follow;			/* children are observed too: later outputs tell of those that run by then */
	struct synth_opts synth;
	bool vdso_id;			/* the vdso's build-id as a record */
	bool buildid_table;		/* BUILD_ID feature: build ids are not in the map records */
	enum affinity affinity;
	int comp_level;			/* 0: records are written as they are */
	bool no_kernel;			/* no event sees the kernel: its map is not needed */
};

struct recorder {
	struct recorder_opts o;
	const struct evset *set;
	const struct open_fds *fds;
	const struct target *target;
	s32 workload_pid;		/* 0: none */
	struct features *feat;
	struct rings rings;
	struct writer out;
	struct packer packer;
	struct streams streams;
	u64 stream_bytes;
	struct affinity_state affinity;
	struct ring_counts counts;	/* of this output */
	struct ring_plan plan;
	struct synth_notes notes;
	struct bpf_programs bpf;
	u64 wakeups;
	struct strbuf state;		/* what there was when the output was opened, until it is written */
	u32 nr_outputs;			/* opened so far */
	u64 *lost_seen;			/* per descriptor, as it was at the end of the last output */
	u64 lost_total;			/* samples that found no room, as the kernel counted them for each event */
	u64 last_size;			/* bytes of records in the output that was finished last */
	double comp_ratio;		/* 0: not compressed */
};

/* maps the rings; nothing is enabled yet */
int recorder_init(struct recorder *r, const struct recorder_opts *o, const struct evset *set, const struct open_fds *fds,
		  const struct target *target, struct features *feat, struct err *err);
/* creates the output and writes the start-up state (unless that comes at the end) */
int recorder_open(struct recorder *r, struct err *err);
/* one pass over the rings; all: whatever --mmap-flush says. 0 or the negative errno of a write (see r->out.failed) */
int recorder_drain(struct recorder *r, bool all);
/* writes what the overwritable rings hold now */
int recorder_snapshot(struct recorder *r);
/* finishes the output: state at the end, features, header */
int recorder_finish(struct recorder *r, struct err *err);
/* bytes of records in the output so far */
static inline u64 recorder_bytes(const struct recorder *r)
{
	return r->out.size;
}
void recorder_release(struct recorder *r);

#endif
