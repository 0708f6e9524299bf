/*
 * Memory events: what a machine has to sample loads and stores with, by its PMUs:
 *
 *	mem-loads, mem-stores	events that a PMU of CPU cores names in sysfs (Intel, POWER). Where there is
 *				mem-loads-aux, too, a load is only counted in a group that it leads
 *	ibs_op			AMD's PMU samples every instruction; loads and stores are among them
 */
#ifndef PERF_MEM_MEM_EVENTS_H
#define PERF_MEM_MEM_EVENTS_H

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/vec.h"

enum mem_kind { MEM_LOAD = 1, MEM_STORE = 2 };	/* bits */

struct mem_event {
	const char *name;	/* as -e calls it: "ldlat-loads", "ldlat-stores", "mem-ldst" */
	u32 kinds;		/* enum mem_kind */
	const char *spec;	/* for perf record -e */
};
struct mem_events {
	struct { VEC(struct mem_event); } ev;
	struct arena arena;
};

/* ldlat: loads that took fewer cycles are not sampled, where the PMU can say so; 0: the default of the PMU */
void mem_events_find(struct mem_events *m, u32 ldlat);
void mem_events_release(struct mem_events *m);

/* "load,store" to bits; -EINVAL with err */
int mem_kinds_parse(const char *list, u32 *ret, struct err *err);

#endif
