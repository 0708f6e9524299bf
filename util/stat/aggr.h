/*
 * Aggregation: which CPUs or threads one line of output stands for, and the sums. The topology comes from
 * whoever has it (the machine, or a file's header), so that recorded counts aggregate as live ones do.
 */
#ifndef PERF_STAT_AGGR_H
#define PERF_STAT_AGGR_H

#include "../base/vec.h"
#include "../event/counts.h"
#include "../event/event.h"

enum aggr_mode {
	AGGR_GLOBAL, AGGR_NONE /* -A: each CPU */, AGGR_SOCKET, AGGR_DIE, AGGR_CLUSTER, AGGR_CACHE, AGGR_CORE,
	AGGR_NODE, AGGR_THREAD,
};

/* where a CPU sits; -1: unknown or does not apply */
struct cpu_location {
	s32 cpu, socket, die, cluster, core, node;
	s32 cache, cache_level;	/* id of the cache of the wanted level, and that level */
};

struct aggr_id {
	/* only the members that the mode tells apart are set, others are -1 */
	struct cpu_location place;
	s32 tid;		/* AGGR_THREAD, else -1 */
	const char *comm;	/* AGGR_THREAD: its name; else NULL */
};

struct aggr {
	enum aggr_mode mode;
	struct { VEC(struct aggr_id); } id;	/* in the order in which they are shown */
	u32 *of;		/* by CPU position (by thread position for AGGR_THREAD): index into id */
	u32 nr_of;
	const struct cpu_location *place;	/* by CPU position; the caller's */
	/* by CPU position: id of its core, for events of the term percore (aggr_add_cores); or NULL */
	u32 *core_of;
	bool own_cpus;		/* CPU -1 is among the counts' CPUs: tasks on any CPU */
};

/* one event in one aggregate */
struct tally {
	u32 event;		/* idx in the set */
	u32 id;			/* index into aggr.id */
	u64 val, ena, run;	/* sums over the members; val is as read, not scaled for multiplexing */
	/*
	 * val, scaled by ena / run where they differ and scaling is on; unit and scale of the
	 * event not applied
	 */
	double scaled;
	u32 nr;			/* how many counters are in it */
	enum count_state state;	/* COUNT_READ where at least one was read */
	u16 refused;		/* COUNT_UNSUPPORTED: the errno, 0 where it is not known */
	double stddev;		/* of the mean over repeated runs (-r), same unit as scaled; 0 */
};

/* all of one printing: [event][id]. Events of one name on several PMUs are summed up in the first of them */
struct tallies {
	u32 nr_events, nr_ids;
	struct tally *v;
	/* by event: the event it was merged into, itself where it was not; the caller's */
	const u32 *first;
};

static inline struct tally *tally_at(const struct tallies *t, u32 event, u32 id)
{
	return &t->v[(size_t)event * t->nr_ids + id];
}

/*
 * What one line stands for. place: by CPU position of c (kept, not copied); comm: by thread position, for
 * AGGR_THREAD. CPU -1 (tasks, on whichever CPU they run) belongs to all: there is one aggregate then,
 * whatever the mode, except AGGR_THREAD.
 */
void aggr_init(struct aggr *a, enum aggr_mode mode, const struct counts *c, const struct cpu_location *place,
	       const char *const *comm);
/* AGGR_NONE: ids of the cores after those of the CPUs (place.cpu is -1), for the sums of percore events */
void aggr_add_cores(struct aggr *a);
void aggr_release(struct aggr *a);

/* tallies.first of a set; no_merge (-A, --no-merge): each PMU's event by itself. To be freed */
u32 *tally_merging(const struct evset *set, bool no_merge);
/* scale: multiplexed counts are scaled up to the time they were enabled */
void tallies_init(struct tallies *t, const struct aggr *a, const struct counts *c, const struct evset *set,
		  const u32 *first, bool scale);
/* AGGR_NONE without such ids: the sum of the core beside each of its CPUs (--percore-show-thread) */
void tallies_share_cores(struct tallies *t, const struct aggr *a, const struct evset *set);
void tallies_release(struct tallies *t);

/* mean and deviation over repeated runs (-r): the tallies of each run are added, then taken out once */
struct tally_runs {
	u32 nr_runs;
	size_t nr;
	struct tally_sum { double scaled, squares, val, ena, run; } *sum;
};
void tally_runs_add(struct tally_runs *r, const struct tallies *t);
/* t, of the last run, becomes the mean of all */
void tally_runs_mean(const struct tally_runs *r, struct tallies *t);
void tally_runs_release(struct tally_runs *r);
/* standard deviation of the mean of nr values, from their sum and the sum of their squares */
double stddev_of_mean(double sum, double squares, u32 nr);

#endif
