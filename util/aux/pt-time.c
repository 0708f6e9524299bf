/* Times of an Intel PT trace: see pt-time.h. */
#include "pt-time.h"

#define BACKWARDS_MAX (1u << 20)	/* estimates may be that much ahead of the next TSC packet */
#define CTC_MAX (1ull << 40)

/* a * b / c, rounded down; most values are small, for which one division of the processor suffices */
static inline u64 scaled(u64 a, u64 b, u64 c)
{
	if (likely(!((a | b) >> 32)))
		return a * b / c;
	return (u64)((unsigned __int128)a * b / c);
}

static void advance(struct pt_time *t, u64 tsc)
{
	t->tsc = MAX(t->tsc, t->limit ? MIN(tsc, t->limit) : tsc);
}

/* without CYC packets, but with MTC packets: up to a time that a packet says */
static void estimate_cycles(struct pt_time *t, u64 tsc)
{
	if (!t->counts_cycles && t->has_ctc && tsc > t->base && t->ratio && t->max_ratio)
		t->all_cycles += scaled(tsc - t->base, t->ratio, t->max_ratio);
}

static void see_tsc(struct pt_time *t, u64 tsc)
{
	estimate_cycles(t, tsc);
	if (tsc >= t->tsc || t->tsc - tsc > BACKWARDS_MAX)
		t->tsc = tsc;
	t->base = tsc;
	t->cycles = t->span_cycles = 0;
	t->known = true;
	t->has_ctc = false;
}

static void see_tma(struct pt_time *t, u64 payload)
{
	u32 ctc = payload & 0xffff, fast = payload >> 24 & 0x1ff;

	if (!t->num || !t->den || !t->known)
		return;
	t->ctc_base = t->base - fast;
	t->ctc = 0;
	t->last_mtc = ctc >> t->mtc_shift & 0xff;
	t->ctc_rem = ctc & ((1u << t->mtc_shift) - 1);
	t->has_ctc = true;
}

static void see_mtc(struct pt_time *t, u32 mtc)
{
	u64 tsc;

	if (!t->has_ctc)
		return;
	t->ctc += (u64)((mtc - t->last_mtc) & 0xff) << t->mtc_shift;
	t->last_mtc = mtc;
	if (t->ctc < t->ctc_rem || t->ctc > CTC_MAX)
		return;
	tsc = t->ctc_base + scaled(t->ctc - t->ctc_rem, t->num, t->den);
	estimate_cycles(t, tsc);
	advance(t, tsc);
	t->base = t->tsc;
	t->cycles = t->span_cycles = 0;
}

void pt_time_cycles(struct pt_time *t, u64 cycles)
{
	t->cycles += cycles;
	t->all_cycles += cycles;
	if (t->span_cycles && t->cycles < CTC_MAX)
		advance(t, t->base + scaled(t->cycles, t->span_ticks, t->span_cycles));
	else if (t->ratio && t->max_ratio && t->known && t->cycles < CTC_MAX)
		advance(t, t->base + t->cycles * t->max_ratio / t->ratio);
}

bool pt_time_packet(struct pt_time *t, const struct pt_packet *p)
{
	switch (p->type) {
	case PT_TSC:
		see_tsc(t, p->payload);
		return true;
	case PT_TMA:
		see_tma(t, p->payload);
		return true;
	case PT_MTC:
		see_mtc(t, p->payload);
		return true;
	case PT_CYC:
		pt_time_cycles(t, p->payload);
		return true;
	case PT_CBR:
		t->base = t->tsc;	/* cycles so far were at the frequency before */
		t->cycles = t->span_cycles = 0;
		t->ratio = p->payload & 0xff;
		return true;
	default:
		return false;
	}
}

/* what cycles and the slow clock are not counted through */
static bool ends_span(u8 type)
{
	return type == PT_TIP_PGD || type == PT_TSC || type == PT_TMA || type == PT_CBR || type == PT_OVF ||
	       type == PT_PSB || type == PT_BAD || type == PT_TRACE_STOP;
}

/* short TNT and CYC packets, as many as follow each other, which most are: their size */
static inline size_t add_short(const u8 *p, size_t len, u64 *cycles)
{
	size_t at = 0;
	u64 sum = 0;

	while (at < len) {
		if (pt_is_short_cyc(p[at]))
			sum += p[at++] >> 3;
		else if (pt_is_short_tnt(p[at]))
			at++;
		else
			break;
	}
	*cycles += sum;
	return at;
}

void pt_time_look_ahead(struct pt_time *t, const u8 *p, size_t len, u8 group)
{
	struct pt_packet pk = { .type = PT_PAD };
	struct pt_time next = *t;
	size_t at = 0;

	if (!t->counts_cycles || !t->has_ctc)
		return;
	next.cycles = 0;
	while (at < len && pk.type != PT_MTC) {
		at += group ? 0 : add_short(p + at, len - at, &next.cycles);
		if (at == len)
			break;
		at += pt_packet_read(p + at, len - at, &group, &pk);
		if (ends_span(pk.type))
			return;
		next.cycles += pk.type == PT_CYC ? pk.payload : 0;
	}
	if (pk.type != PT_MTC || !next.cycles || next.cycles > CTC_MAX)
		return;
	t->span_cycles = t->cycles + next.cycles;
	see_mtc(&next, pk.payload);
	t->span_ticks = next.base - t->base;
	if (next.base <= t->base || t->span_ticks > CTC_MAX)
		t->span_cycles = 0;
}
