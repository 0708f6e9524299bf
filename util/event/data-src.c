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
