/* The data source of a memory access as words. Bits: union perf_mem_data_src in <linux/perf_event.h>. */
#include "script.h"

#define TEXT_MAX 82	/* tools were never given more */

/* "A or B" of the bits that are set, behind what is there already */
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

static void put_op(struct strbuf *out, u32 op)
{
	static const char *const names[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };

	strbuf_addstr(out, "|OP ");
	strbuf_addstr(out, op ? names[__builtin_ctz(op)] : "No");
}

static void put_level(struct strbuf *out, u64 v)
{
	static const char *const bits[] = {
		"L1", "LFB/MAB", "L2", "L3", "Local RAM", "Remote RAM (1 hop)", "Remote RAM (2 hops)", "Remote Cache (1 hop)",
		"Remote Cache (2 hops)", "I/O", "Uncached",
	};
	static const char *const nums[] = {
		NULL, "L1", "L2", "L3", "L4", "L2 MHB", "Memory-side Cache", "Unknown level 7", "Uncached", "CXL", "I/O", "Any cache",
		"LFB/MAB", "RAM", "PMEM",
	};
	static const char *const hops[] = { NULL, "core, same node", "node, same socket", "socket, same board", "board" };
	u32 lvl = v >> 5 & 0x3fff, num = v >> 33 & 15, hop = v >> 43 & 7;

	strbuf_addstr(out, "|LVL ");
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

static void put_snoop(struct strbuf *out, u64 v)
{
	static const char *const snoop[] = { "N/A", "None", "Hit", "Miss", "HitM" };
	static const char *const more[] = { "Fwd", "Peer" };
	bool any;

	strbuf_addstr(out, "|SNP ");
	any = put_set(out, v >> 19 & 31, snoop, ARRAY_SIZE(snoop), false);
	if (!put_set(out, v >> 38 & 3, more, ARRAY_SIZE(more), any))
		strbuf_addstr(out, "N/A");
}

static void put_tlb(struct strbuf *out, u32 tlb)
{
	static const char *const names[] = { "L1", "L2", "Walker", "Fault" };
	static const char *const na[] = { "N/A" };
	bool any = put_set(out, tlb & 1, na, 1, false);

	if (!put_set(out, tlb >> 3, names, ARRAY_SIZE(names), any))
		strbuf_addstr(out, "N/A");
	if (tlb & 2)
		strbuf_addstr(out, " hit");
	if (tlb & 4)
		strbuf_addstr(out, " miss");
}

static void put_blocked(struct strbuf *out, u32 blk)
{
	strbuf_addstr(out, "|BLK ");
	if (!blk || blk & 1) {
		strbuf_addstr(out, " N/A");
		return;
	}
	strbuf_addstr(out, blk & 2 ? " Data" : "");
	strbuf_addstr(out, blk & 4 ? " Addr" : "");
}

void line_data_src(struct line_worker *w, u64 v, struct strbuf *out)
{
	static const char *const lock[] = { "No", "N/A", "Yes", "N/A" };
	size_t start;
	u32 len;

	strbuf_add_hex(out, v, 16, ' ');
	strbuf_addch(out, ' ');
	start = out->len;
	put_op(out, v & 31);
	put_level(out, v);
	put_snoop(out, v);
	strbuf_addstr(out, "|TLB ");
	put_tlb(out, v >> 26 & 127);
	strbuf_addf(out, "|LCK %s", lock[v >> 24 & 3]);
	put_blocked(out, v >> 40 & 7);
	if (out->len - start > TEXT_MAX)
		strbuf_setlen(out, start + TEXT_MAX);
	len = out->len - start;
	if (len < w->state.data_src_width)
		strbuf_pad(out, ' ', w->state.data_src_width - len);
	else
		w->state.data_src_width = len;
}
