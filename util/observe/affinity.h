/*
 * Affinity: moves the calling thread near what it reads: the recorder to the CPU of a ring or the CPUs of its
 * NUMA node (--affinity), the reader of counters from CPU to CPU. Owns the affinity that it changes: release
 * restores the old one.
 */
#ifndef PERF_OBSERVE_AFFINITY_H
#define PERF_OBSERVE_AFFINITY_H

#include "../base/cpulist.h"

enum affinity { AFFINITY_NONE, AFFINITY_CPU, AFFINITY_NODE };

struct affinity_state {
	enum affinity mode;
	int cpu;		/* of the last move; -1: none yet */
	void *saved;
};

void affinity_init(struct affinity_state *a, enum affinity mode);
/*
 * cpu -1 (a ring of a thread): does not move. Failures (limits of a cgroup) do not matter. Allocates nothing
 * if the mode is CPU
 */
void affinity_follow(struct affinity_state *a, int cpu);
/*
 * the calling thread runs on these CPUs from now on; an empty list changes nothing, and failures do not
 * matter
 */
void affinity_set(const struct cpulist *list);
/* adds the CPUs of the node of cpu; only cpu itself if nodes are not known */
void affinity_node_cpus(int cpu, struct cpulist *list);
/* back to where the thread was, until the next move */
void affinity_return(struct affinity_state *a);
void affinity_release(struct affinity_state *a);

#endif
