/*
 * Affinity: moves the recorder near the ring that it empties (--affinity): to the ring's CPU, or to the CPUs
 * of its NUMA node. Owns the affinity that it changes: release restores the old one.
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
/* cpu -1 (a ring of a thread): does not move. Failures do not matter */
void affinity_follow(struct affinity_state *a, int cpu);
/*
 * the calling thread runs on these CPUs from now on; an empty list changes nothing, and failures do not
 * matter
 */
void affinity_set(const struct cpulist *list);
/* adds the CPUs of the node of cpu; only cpu itself if nodes are not known */
void affinity_node_cpus(int cpu, struct cpulist *list);
void affinity_release(struct affinity_state *a);

#endif
