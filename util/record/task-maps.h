/*
 * Task maps: the executable maps of processes, for live tasks. What map records of different processes have
 * in common, which is all but the process and the address, is kept once: 5,000 processes of the same programs
 * take half a megabyte, as records they take eleven. Bodies that no process uses any more are freed.
 */
#ifndef PERF_RECORD_TASK_MAPS_H
#define PERF_RECORD_TASK_MAPS_H

#include "../base/strbuf.h"

struct map_body;
struct task_maps;

/* zeroed: empty */
struct map_bodies {
	struct map_body **bucket;	/* chains, by hash; their number is a power of two */
	size_t nr, nr_buckets;
};

/* when all maps were dropped */
void map_bodies_release(struct map_bodies *b);

/* forked processes share their maps until those of one change. NULL: none */
struct task_maps *task_maps_share(struct task_maps *m);
void task_maps_drop(struct map_bodies *b, struct task_maps *m);
/*
 * Adds the map of a MMAP or MMAP2 record of size bytes, at least 32, in the order of this processor, without
 * trailer; maps that it covers are removed. Returns what takes the place of m
 */
struct task_maps *task_maps_add(struct map_bodies *b, struct task_maps *m, const void *record, size_t size);
/* bytes of task_maps_put() */
size_t task_maps_bytes(const struct task_maps *m);
/* appends the records, with that process and trailer bytes of zeros, in the order in which they were added */
void task_maps_put(const struct task_maps *m, s32 pid, size_t trailer, struct strbuf *out);

#endif
