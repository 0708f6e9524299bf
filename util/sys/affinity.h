/*
 * Affinity: moves the recorder near the ring it empties (--affinity): to the ring's CPU, or to the CPUs of its NUMA node. Owns the
 * affinity that it changes: release gives the old one back.
 */
#ifndef PERF_SYS_AFFINITY_H
#define PERF_SYS_AFFINITY_H

#include "../base/types.h"

enum affinity { AFFINITY_NONE, AFFINITY_CPU, AFFINITY_NODE };

struct affinity_state {
	enum affinity mode;
	int cpu;		/* of the last move; -1: none yet */
	void *saved;
};

void affinity_init(struct affinity_state *a, enum affinity mode);
/* cpu -1 (a ring of a thread): stays where it is. What cannot be set does not matter */
void affinity_follow(struct affinity_state *a, int cpu);
void affinity_release(struct affinity_state *a);

#endif
