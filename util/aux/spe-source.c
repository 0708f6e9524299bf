/* Data sources of Arm SPE: see spe-source.h. */
#include "spe-source.h"
#include "spe-packet.h"

#include <linux/perf_event.h>

/* parts of data_src, as <linux/perf_event.h> numbers them; what older headers lack is written out */
#define LVL_RAM		PERF_MEM_LVL_LOC_RAM
#define LVL_L1		PERF_MEM_LVL_L1
#define LVL_L2		PERF_MEM_LVL_L2
#define LVL_L3		PERF_MEM_LVL_L3
#define LVL_NA		PERF_MEM_LVL_NA
#define LVL_HIT		PERF_MEM_LVL_HIT
#define LVL_MISS	PERF_MEM_LVL_MISS
#define NUM_L1		0x01
#define NUM_L2		0x02
#define NUM_L3		0x03
#define NUM_LFB		0x0c
#define NUM_RAM		0x0d
#define NUM_NA		0x0f
#define SNOOP_NA	0x01
#define SNOOP_NONE	0x02
#define SNOOP_HIT	0x04
#define SNOOP_HITM	0x10
#define SNOOPX_NA	0x00
#define SNOOPX_PEER	0x02

#define LVL(bits)	((u64)(bits) << 5)
#define SNOOP(bits)	((u64)(bits) << 19)
#define TLB(bits)	((u64)(bits) << 26)
#define NUM(n)		((u64)(n) << 33)
#define REMOTE		(1ull << 37)
#define SNOOPX(bits)	((u64)(bits) << 38)

enum family { FAMILY_NONE, NEOVERSE };

u32 spe_family(u64 midr)
{
	static const struct { u32 implementer, part, family; } cpus[] = {
#define SPE_CPU(implementer, part, family) { implementer, part, family },
#define SPE_SOURCE(...)
#include "spe-sources.def"
#undef SPE_CPU
#undef SPE_SOURCE
	};

	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++)
		if (cpus[i].implementer == (midr >> 24 & 0xff) && cpus[i].part == (midr >> 4 & 0xfff))
			return cpus[i].family;
	return FAMILY_NONE;
}

/* 0: not known */
static u64 of_source(u32 family, s32 source)
{
	static const struct { u32 family; s32 source; u64 bits; } rows[] = {
#define SPE_CPU(...)
#define SPE_SOURCE(family, number, level, hit, nr, snoop, snoopx, remote) \
		{ family, number, LVL(LVL_##level | LVL_##hit) | NUM(NUM_##nr) | SNOOP(SNOOP_##snoop) | \
				  SNOOPX(SNOOPX_##snoopx) | (remote ? REMOTE : 0) },
#include "spe-sources.def"
#undef SPE_CPU
#undef SPE_SOURCE
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].family == family && rows[i].source == source)
			return rows[i].bits;
	return 0;
}

static bool has(u64 events, u32 bit)
{
	return events >> bit & 1;
}

static u64 level(u64 lvl, u64 nr, bool miss)
{
	return LVL(lvl | (miss ? LVL_MISS : LVL_HIT)) | NUM(nr);
}

static u64 of_events(bool store, u64 events)
{
	bool l1_miss = has(events, SPE_EV_L1D_REFILL), l1 = has(events, SPE_EV_L1D_ACCESS) || l1_miss;
	bool l2_miss = has(events, SPE_EV_L2D_MISS), l2 = has(events, SPE_EV_L2D_ACCESS) || l2_miss;
	bool l3_miss = has(events, SPE_EV_LLC_MISS), l3 = has(events, SPE_EV_LLC_ACCESS) || l3_miss;

	/* a load ends at the first level that has its data */
	if (!store && l1 && !l1_miss)
		return level(LVL_L1, NUM_L1, false);
	if (!store && has(events, SPE_EV_RECENTLY_FETCHED))
		return level(PERF_MEM_LVL_LFB, NUM_LFB, false);
	if (!store && l2 && !l2_miss)
		return level(LVL_L2, NUM_L2, false);
	if (l3)
		return level(LVL_L3, NUM_L3, l3_miss);
	if (l2)
		return level(LVL_L2, NUM_L2, l2_miss);
	return l1 ? level(LVL_L1, NUM_L1, l1_miss) : LVL(LVL_NA) | NUM(NUM_NA);
}

static u64 of_snoop(u64 events)
{
	if (!has(events, SPE_EV_SNOOPED))
		return SNOOP(SNOOP_NA);
	return SNOOP(has(events, SPE_EV_CACHE_MODIFIED) ? SNOOP_HITM : SNOOP_HIT);
}

u64 spe_data_src(u32 family, bool store, u64 events, s32 source)
{
	u64 v = store || source < 0 ? 0 : of_source(family, source);

	if (!v)
		v = of_events(store, events) | of_snoop(events) | (has(events, SPE_EV_REMOTE) ? REMOTE : 0);
	v |= store ? PERF_MEM_OP_STORE : PERF_MEM_OP_LOAD;
	if (has(events, SPE_EV_TLB_WALK))
		v |= TLB(PERF_MEM_TLB_WK | PERF_MEM_TLB_MISS);
	else if (has(events, SPE_EV_TLB_ACCESS))
		v |= TLB(PERF_MEM_TLB_WK | PERF_MEM_TLB_HIT);
	return v;
}
