/* C2c stats: see c2c-stats.h. Bits: union perf_mem_data_src of the UAPI. */
#include "c2c-stats.h"

enum { OP_LOAD = 1 << 1, OP_STORE = 1 << 2 };
enum { LVL_NA = 1 << 0, LVL_HIT = 1 << 1, LVL_MISS = 1 << 2, LVL_L1 = 1 << 3, LVL_LFB = 1 << 4,
       LVL_L2 = 1 << 5, LVL_L3 = 1 << 6, LVL_LOCAL_RAM = 1 << 7, LVL_REMOTE_RAM = 3 << 8,
       LVL_REMOTE_CACHE = 3 << 10, LVL_IO = 1 << 12, LVL_UNCACHED = 1 << 13 };
enum { SNOOP_HIT = 1 << 2, SNOOP_HITM = 1 << 4 };
enum { SNOOPX_PEER = 1 << 1 };
enum { LOCKED = 1 << 1 };
enum { BLOCKED_BY_DATA = 1 << 1, BLOCKED_BY_ADDR = 1 << 2 };

struct c2c_source {
	u32 op, level, snoop, lock, snoopx, blocked;
	bool remote;		/* in another node */
};

static struct c2c_source source_of(u64 v)
{
	return (struct c2c_source){ .op = v & 31, .level = v >> 5 & 0x3fff, .snoop = v >> 19 & 31,
				.lock = v >> 24 & 3, .remote = v >> 37 & 1 && !(v >> 43 & 7),
				.snoopx = v >> 38 & 3, .blocked = v >> 40 & 7 };
}

void c2c_access_add(struct c2c_access *a, enum c2c_stat stat)
{
	if (a->nr < C2C_MAX_PER_ACCESS)
		a->stat[a->nr++] = stat;
}

bool c2c_access_is(const struct c2c_access *a, enum c2c_stat stat)
{
	for (u32 i = 0; i < a->nr; i++)
		if (a->stat[i] == stat)
			return true;
	return false;
}

/* a cache that more than one core can see */
static void shared_cache(struct c2c_access *a, const struct c2c_source *s, enum c2c_stat plain)
{
	c2c_access_add(a, s->snoop & SNOOP_HITM ? C2C_LCL_HITM : plain);
	if (s->snoopx & SNOOPX_PEER)
		c2c_access_add(a, C2C_LCL_PEER);
}

static void add_both(struct c2c_access *a, enum c2c_stat one, enum c2c_stat two)
{
	c2c_access_add(a, one);
	c2c_access_add(a, two);
}

static void memory(struct c2c_access *a, const struct c2c_source *s, enum c2c_stat where)
{
	add_both(a, where, s->snoop & SNOOP_HIT ? C2C_LD_SHARED : C2C_LD_EXCLUSIVE);
}

static void load_hit(struct c2c_access *a, const struct c2c_source *s)
{
	if (s->level & LVL_UNCACHED)
		c2c_access_add(a, C2C_LD_UNCACHED);
	if (s->level & LVL_IO)
		c2c_access_add(a, C2C_LD_IO);
	if (s->level & LVL_LFB)
		c2c_access_add(a, C2C_LD_FB);
	if (s->level & LVL_L1)
		c2c_access_add(a, C2C_LD_L1);
	if (s->level & LVL_L2)
		shared_cache(a, s, C2C_LD_L2);
	if (s->level & LVL_L3)
		shared_cache(a, s, C2C_LD_L3);
	if (s->level & LVL_LOCAL_RAM)
		memory(a, s, C2C_LCL_DRAM);
	if (s->level & LVL_REMOTE_RAM || s->remote)
		memory(a, s, C2C_RMT_DRAM);
}

static void load(struct c2c_access *a, const struct c2c_source *s)
{
	if (s->level & LVL_HIT)
		load_hit(a, s);
	if (s->level & LVL_REMOTE_CACHE || s->remote) {
		if (s->snoop & SNOOP_HIT)
			c2c_access_add(a, C2C_RMT_HIT);
		else if (s->snoop & SNOOP_HITM)
			c2c_access_add(a, C2C_RMT_HITM);
		else if (s->snoopx & SNOOPX_PEER)
			add_both(a, C2C_RMT_HIT, C2C_RMT_PEER);
	}
	if (s->level & LVL_MISS)
		c2c_access_add(a, C2C_LD_MISS);
}

static void store(struct c2c_access *a, const struct c2c_source *s)
{
	if (s->level & LVL_HIT && s->level & LVL_UNCACHED)
		c2c_access_add(a, C2C_ST_UNCACHED);
	if (s->level & LVL_HIT && s->level & LVL_L1)
		c2c_access_add(a, C2C_ST_L1_HIT);
	if (s->level & LVL_MISS && s->level & LVL_L1)
		c2c_access_add(a, C2C_ST_L1_MISS);
	if (s->level & LVL_NA)
		c2c_access_add(a, C2C_ST_NA);
}

void c2c_access_decode(struct c2c_access *a, u64 data_src, u64 addr)
{
	struct c2c_source s = source_of(data_src);
	bool is_load = s.op & OP_LOAD;

	if (s.lock & LOCKED)
		c2c_access_add(a, C2C_LOCKED);
	if (s.blocked & BLOCKED_BY_DATA)
		c2c_access_add(a, C2C_BLOCKED_DATA);
	if (s.blocked & BLOCKED_BY_ADDR)
		c2c_access_add(a, C2C_BLOCKED_ADDR);
	if (!(s.op & (OP_LOAD | OP_STORE)))
		return c2c_access_add(a, C2C_UNKNOWN);
	c2c_access_add(a, is_load ? C2C_LOAD : C2C_STORE);
	if (!addr)
		return c2c_access_add(a, is_load ? C2C_LD_NO_ADDR : C2C_ST_NO_ADDR);
	(is_load ? load : store)(a, &s);
}

void c2c_stats_add(struct c2c_stats *s, const struct c2c_access *a)
{
	for (u32 i = 0; i < a->nr; i++)
		s->n[a->stat[i]]++;
}

u64 c2c_loads(const struct c2c_stats *s)
{
	return s->n[C2C_LD_FB] + s->n[C2C_LD_L1] + s->n[C2C_LD_L2] + s->n[C2C_LD_L3] + c2c_hitm(s) +
	       s->n[C2C_RMT_HIT] + s->n[C2C_LCL_DRAM] + s->n[C2C_RMT_DRAM];
}

u64 c2c_records(const struct c2c_stats *s)
{
	return c2c_loads(s) + s->n[C2C_ST_L1_HIT] + s->n[C2C_ST_L1_MISS] + s->n[C2C_ST_NA];
}
