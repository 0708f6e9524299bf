/*
 * Wall-places: stacks and files of switches, which BPF programs tell once, and by a number from then on
 * (bpf/wall-switches-types.h). Each ring has numbers of its own.
 */
#ifndef PERF_RECORD_WALL_PLACES_H
#define PERF_RECORD_WALL_PLACES_H

#include "../base/vec.h"
#include "../bpf/wall-switches-types.h"

struct told_place {
	u32 nr_kernel, nr_user;
	bool has_file;
	struct { VEC(u64); } word;	/* frames, and a struct wall_file after them */
};

/* of one ring; a zeroed one is empty */
struct wall_places {
	struct { VEC(struct told_place); } place;	/* by number */
};

/*
 * Notes the place that a record of that length tells. Returns its frames, and a struct wall_file after them
 * if it has one: those of the record, or those told before; until the next call. NULL: damaged
 */
const u64 *wall_places_take(struct wall_places *p, const struct wall_switch *s, u32 len);
void wall_places_release(struct wall_places *p);

#endif
