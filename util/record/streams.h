/*
 * Streams: record --threads. The rings are distributed to threads, each with its own file data.N of the
 * output directory and its own packer. A stream sleeps until one of its rings reaches its watermark; nothing
 * is shared while the threads run. Owns files and threads, not the rings.
 */
#ifndef PERF_RECORD_STREAMS_H
#define PERF_RECORD_STREAMS_H

#include "../base/cpulist.h"
#include "../base/pool.h"
#include "../base/vec.h"
#include "../data/packer.h"
#include "../data/writer.h"
#include "../kernel/rings.h"
#include "aux-writer.h"

struct stream {
	struct { VEC(struct ring *); } rings;
	struct { VEC(struct aux_ring *); } aux;
	struct aux_writer aux_out;
	struct writer out;
	struct packer packer;
	struct ring_counts counts;
	u64 wakeups;
	struct cpulist near;	/* the CPUs on which the thread runs; empty: the scheduler chooses */
	int failed;		/* negative errno that ended it, or 0 */
};

struct observer;
struct streams {
	const struct observer *ob;	/* with AUX areas */
	struct { VEC(struct stream); } s;
	struct ring_plan plan;
	int stop_fd;		/* readable: the threads must end */
	bool ended;		/* the same, which their timers notice: atomic */
	int failed_fd;		/* readable: one of them has failed */
	struct pool *pool;
};

/*
 * "cpu" (also NULL), "core", "package", "numa", or lists of CPUs "0-1:2-3", where "0-1/4" means that the
 * thread for CPUs 0 and 1 runs on CPU 4; one stream for each, which runs on the CPUs that it serves unless
 * the list says otherwise. -EINVAL with err
 */
int streams_init(struct streams *st, const struct rings *rs, const char *spec, int comp_level,
		 const struct ring_plan *plan, struct err *err);
/* distributes the AUX areas beside the rings, which the observer owns */
void streams_add_aux(struct streams *st, struct observer *ob);
/* creates dir/data.0, ... */
int streams_open(struct streams *st, const char *dir, struct err *err);
/* the streams work while run(ctx) does; returns when both have ended */
void streams_run(struct streams *st, void (*run)(void *ctx), void *ctx);
/*
 * writes the rest of the rings, and adds the counts of all streams to c and aux; 0 or the negative errno
 * of a stream that failed
 */
int streams_finish(struct streams *st, struct ring_counts *c, u64 *wakeups, u64 *bytes, u64 *raw_bytes,
		   struct aux_writer *aux);
void streams_release(struct streams *st);

/*
 * writes one ring's bytes to a writer, packed or as they are, and counts them when they are written. Returns
 * the bytes taken, or negative errno
 */
s64 ring_write_out(struct ring *ring, struct writer *out, struct packer *packer, struct ring_counts *c,
		   const struct ring_plan *plan, u64 at_least);

#endif
