/* Counting: chunks of the file into per-worker tables of raw rows and stacks. First half of hist_collect(). */
#ifndef PERF_HIST_COUNT_H
#define PERF_HIST_COUNT_H

#include "hist.h"
#include "../unwind/unwind.h"
#include "../world/locator.h"

struct frame_cache_slot;

/* distinct call chains of one worker: arrays of its frame ids, innermost first */
struct stacks {
	struct arena arena;
	struct { VEC(u32 *); } stack;	/* [0] is the length */
	struct hidx idx;
};

struct count_worker {
	struct locator locator;
	struct frames frames;
	struct frame_cache_slot *cache;
	struct stacks stacks;
	struct rows rows;		/* event | frame << 32, stack | cpumode << 32, slots... */
	struct stat_sums *total;	/* per event */
	struct unwind *unwind;		/* made when first needed */
	struct arena scratch;
	struct diag diag;
	u32 *frame_map;			/* own frame id -> merged id */
};

/* counts everything; workers is an array of pool_nr_workers() zeroed ones */
void count_run(struct session *s, const struct hist_opts *opts, struct count_worker *workers);
void count_worker_release(struct count_worker *w);

#define ROW_EVENT(key) ((u32)(key)[0])
#define ROW_FRAME(key) ((u32)((key)[0] >> 32))
#define ROW_STACK(key) ((u32)(key)[1])
#define ROW_MODE(key) ((u8)((key)[1] >> 32))
#define ROW_FIXED_KEYS 2

#endif
