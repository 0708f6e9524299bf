/* Wall-tids: a set of threads: those that a recording names. A zeroed one is empty. */
#ifndef PERF_INJECT_WALL_TIDS_H
#define PERF_INJECT_WALL_TIDS_H

#include "../base/hash.h"
#include "../base/vec.h"

struct wall_tids {
	struct { VEC(u32); } tid;
	struct hidx by_tid;
};

bool wall_tids_has(const struct wall_tids *t, u32 tid);
void wall_tids_add(struct wall_tids *t, u32 tid);
void wall_tids_release(struct wall_tids *t);

#endif
