/* Data sources: see data-src.h. */
#include "data-src.h"

/* appends "A or B" for the bits that are set */
static bool put_set(struct strbuf *out, u64 bits, const char *const *names, u32 nr, bool any)
{
	for (u32 i = 0; i < nr; i++) {
		if (!(bits >> i & 1))
			continue;
		if (any)
			strbuf_addstr(out, " or ");
		strbuf_addstr(out, names[i]);
		any = true;
	}
	return any;
}

void data_src_op(struct strbuf *out, u64 v)
{
	static const char *const names[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };

	strbuf_addstr(out, v & 31 ? names[__builtin_ctz(v & 31)] : "No");
}

void data_src_level(struct strbuf *out, u64 v)
{
	static const char *const bits[] = {
		"L1", "LFB/MAB", "L2", "L3", "Local RAM", "Remote RAM (1 hop)", "Remote RAM (2 hops)",
		"Remote Cache (1 hop)", "Remote Cache (2 hops)", "I/O", "Uncached",
	};
	static const char *const nums[] = {
		NULL, "L1", "L2", "L3", "L4", "L2 MHB", "Memory-side Cache", "Unknown level 7", "Uncached",
		"CXL", "I/O", "Any cache", "LFB/MAB", "RAM", "PMEM",
	};
	static const char *const hops[] = { NULL, "core, same node", "node, same socket",
					    "socket, same board", "board" };
	u32 lvl = v >> 5 & 0x3fff, num = v >> 33 & 15, hop = v >> 43 & 7;

	if (num && num < ARRAY_SIZE(nums)) {
		if (v >> 37 & 1)
			strbuf_addstr(out, "Remote ");
		if (hop)
			strbuf_addf(out, "%s ", hop < ARRAY_SIZE(hops) ? hops[hop] : "(null)");
		strbuf_addstr(out, nums[num]);
	} else if (!put_set(out, lvl >> 3, bits, ARRAY_SIZE(bits), false)) {
		strbuf_addstr(out, "N/A");
		return;
	}
	strbuf_addstr(out, lvl & 2 ? " hit" : lvl & 4 ? " miss" : " ");
}

void data_src_snoop(struct strbuf *out, u64 v)
{
	static const char *const snoop[] = { "N/A", "None", "Hit", "Miss", "HitM" };
	static const char *const more[] = { "Fwd", "Peer" };
	bool any;

	any = put_set(out, v >> 19 & 31, snoop, ARRAY_SIZE(snoop), false);
	if (!put_set(out, v >> 38 & 3, more, ARRAY_SIZE(more), any))
		strbuf_addstr(out, "N/A");
}

void data_src_tlb(struct strbuf *out, u64 v)
{
	static const char *const names[] = { "L1", "L2", "Walker", "Fault" };
	static const char *const na[] = { "N/A" };
	u32 tlb = v >> 26 & 127;
	bool any = put_set(out, tlb & 1, na, 1, false);

	if (!put_set(out, tlb >> 3, names, ARRAY_SIZE(names), any))
		strbuf_addstr(out, "N/A");
	if (tlb & 2)
		strbuf_addstr(out, " hit");
	if (tlb & 4)
		strbuf_addstr(out, " miss");
}

void data_src_lock(struct strbuf *out, u64 v)
{
	static const char *const names[] = { "No", "N/A", "Yes", "N/A" };

	strbuf_addstr(out, names[v >> 24 & 3]);
}

void data_src_blocked(struct strbuf *out, u64 v)
{
	u32 blk = v >> 40 & 7;

	if (!blk || blk & 1) {
		strbuf_addstr(out, " N/A");
		return;
	}
	strbuf_addstr(out, blk & 2 ? " Data" : "");
	strbuf_addstr(out, blk & 4 ? " Addr" : "");
}

static u8 part_of_op(u64 v)
{
	enum { LOAD = 2, STORE = 4, PREFETCH = 8, EXEC = 16 };
	u32 op = v & 31;

	if (op & PREFETCH)
		return DATA_SRC_op_pfetch;
	if (op & EXEC)
		return DATA_SRC_op_exec;
	return op == LOAD ? DATA_SRC_op_load : op == STORE ? DATA_SRC_op_store :
	       op == (LOAD | STORE) ? DATA_SRC_op_ldst : DATA_SRC_op_other;
}

static u8 part_of_snoop(u64 v)
{
	switch (v >> 19 & 31) {
	case 4:
		return DATA_SRC_snoop_hit;
	case 8:
		return DATA_SRC_snoop_miss;
	case 16:
		return DATA_SRC_snoop_hitm;
	default:
		return DATA_SRC_snoop_other;
	}
}

static u8 part_of_tlb(u64 v)
{
	enum { HIT = 2, MISS = 4, L1 = 8, L2 = 16 };
	u32 tlb = v >> 26 & 127;

	if (tlb & MISS)
		return DATA_SRC_dtlb_miss;
	switch (tlb) {
	case HIT | L1:
		return DATA_SRC_dtlb_l1hit;
	case HIT | L2:
		return DATA_SRC_dtlb_l2hit;
	case HIT | L1 | L2:
		return DATA_SRC_dtlb_anyhit;
	default:
		return DATA_SRC_dtlb_other;
	}
}

/* mem_lvl_num, or what the older bits of mem_lvl mean there: L1, LFB, L2, L3, RAM, ..., I/O, uncached */
static u32 level_number(u64 v)
{
	static const u8 of_bit[] = { 1, 12, 2, 3, 13, 13, 13, 0, 0, 10, 8 };
	u32 bits = v >> 8 & 0x7ff, num = v >> 33 & 15;

	return num || !bits ? num : of_bit[__builtin_ctz(bits)];
}

void data_src_parts(u64 v, u8 ret[DATA_SRC_NR_GROUPS])
{
	/* by mem_lvl_num; 0: other */
	static const u8 cache[16] = {
		[1] = DATA_SRC_cache_l1, [2] = DATA_SRC_cache_l2, [3] = DATA_SRC_cache_l3,
		[4] = DATA_SRC_cache_l4, [5] = DATA_SRC_cache_l2buf, [12] = DATA_SRC_cache_l1buf,
	};
	static const u8 memory[16] = {
		[6] = DATA_SRC_memory_msc, [8] = DATA_SRC_memory_uncached, [9] = DATA_SRC_memory_cxl,
		[10] = DATA_SRC_memory_io, [13] = DATA_SRC_memory_ram, [14] = DATA_SRC_memory_pmem,
	};
	u32 level = level_number(v);

	ret[0] = part_of_op(v);
	ret[1] = cache[level] ? cache[level] : DATA_SRC_cache_other;
	ret[2] = memory[level] ? memory[level] : DATA_SRC_memory_other;
	ret[3] = part_of_snoop(v);
	ret[4] = part_of_tlb(v);
}

const struct data_src_words data_src_words[DATA_SRC_NR_WORDS] = {
	{ "op", "|OP ", data_src_op }, { "level", "|LVL ", data_src_level },
	{ "snoop", "|SNP ", data_src_snoop }, { "tlb", "|TLB ", data_src_tlb },
	{ "lock", "|LCK ", data_src_lock }, { "blocked", "|BLK ", data_src_blocked },
};

void data_src_put(struct strbuf *out, u64 v)
{
	for (size_t i = 0; i < ARRAY_SIZE(data_src_words); i++) {
		strbuf_addstr(out, data_src_words[i].head);
		data_src_words[i].put(out, v);
	}
}
