/*
 * Aggregation: which CPUs or threads one line of output stands for, and the sums. The topology comes from whoever has it (the
 * machine, or a file's header), so that recorded counts aggregate as live ones do.
 */
#ifndef PERF_STAT_AGGR_H
#define PERF_STAT_AGGR_H

#include "../base/vec.h"
#include "../event/event.h"
#include "counts.h"

enum aggr_mode {
	AGGR_GLOBAL, AGGR_NONE /* -A: each CPU */, AGGR_SOCKET, AGGR_DIE, AGGR_CLUSTER, AGGR_CACHE, AGGR_CORE, AGGR_NODE,
	AGGR_THREAD,
};

/* where a CPU sits; -1: unknown or does not apply */
struct cpu_place {
	s32 cpu, socket, die, cluster, core, node;
	s32 cache, cache_level;	/* id of the cache of the wanted level, and that level */
};

struct aggr_id {
	struct cpu_place place;	/* only the members that the mode tells apart are set, others are -1 */
	s32 tid;		/* AGGR_THREAD, else -1 */
	const char *comm;	/* AGGR_THREAD, else NULL */
};

struct aggr {
	enum aggr_mode mode;
	struct { VEC(struct aggr_id); } id;	/* in the order in which they are shown */
	u32 *of;		/* by CPU position (by thread position for AGGR_THREAD): index into id */
};

/* one event in one aggregate */
struct tally {
	u32 event;		/* idx in the set */
	u32 id;			/* index into aggr.id */
	u64 val, ena, run;	/* sums over the members; val is as read, not scaled for multiplexing */
	double scaled;		/* val, scaled by ena / run where they differ and scaling is on; unit and scale of the event not applied */
	u32 nr;			/* how many counters are in it */
	enum count_state state;	/* COUNT_READ where at least one was read */
	double stddev;		/* of the mean over repeated runs (-r), same unit as scaled; 0 */
};

#endif
