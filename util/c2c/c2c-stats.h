/*
 * C2c stats: one memory access, from its data source to what it counts as, and sums of these. An access that
 * finds its line modified in another cache (HITM), or gets it from a peer, is what false sharing looks like.
 */
#ifndef PERF_C2C_C2C_STATS_H
#define PERF_C2C_C2C_STATS_H

#include "../base/types.h"

enum c2c_stat {
#define C2C_STAT(id) C2C_##id,
#include "c2c-stats.def"
#undef C2C_STAT
	C2C_NR_STATS
};

#define C2C_MAX_PER_ACCESS 32u

/* what one access counts as; some occur twice */
struct c2c_access {
	u8 nr;
	u8 stat[C2C_MAX_PER_ACCESS];
};

struct c2c_stats {
	u64 n[C2C_NR_STATS];
};

void c2c_access_add(struct c2c_access *a, enum c2c_stat stat);
/* adds what a sample with this data source and data address counts as */
void c2c_access_decode(struct c2c_access *a, u64 data_src, u64 addr);
void c2c_stats_add(struct c2c_stats *s, const struct c2c_access *a);
/* whether it counts as that */
bool c2c_access_is(const struct c2c_access *a, enum c2c_stat stat);

/* loads and stores whose level is known */
u64 c2c_loads(const struct c2c_stats *s);
u64 c2c_records(const struct c2c_stats *s);
static inline u64 c2c_hitm(const struct c2c_stats *s)
{
	return s->n[C2C_LCL_HITM] + s->n[C2C_RMT_HITM];
}
static inline u64 c2c_peer(const struct c2c_stats *s)
{
	return s->n[C2C_LCL_PEER] + s->n[C2C_RMT_PEER];
}

#endif
