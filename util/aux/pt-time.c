/* Times of an Intel PT trace: see pt-time.h. */
#include "pt-time.h"

#define BACKWARDS_MAX (1u << 20)	/* estimates may be that much ahead of the next TSC packet */
#define CTC_MAX (1ull << 40)

static void advance(struct pt_time *t, u64 tsc)
{
	t->tsc = MAX(t->tsc, t->limit ? MIN(tsc, t->limit) : tsc);
}

static void see_tsc(struct pt_time *t, u64 tsc)
{
	if (tsc >= t->tsc || t->tsc - tsc > BACKWARDS_MAX)
		t->tsc = tsc;
	t->base = tsc;
	t->cycles = 0;
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
	tsc = t->ctc_base + (u64)((unsigned __int128)(t->ctc - t->ctc_rem) * t->num / t->den);
	advance(t, tsc);
	t->base = tsc;	/* also if estimates were ahead of it */
	t->cycles = 0;
}

static void see_cyc(struct pt_time *t, u64 cycles)
{
	t->cycles += cycles;
	t->all_cycles += cycles;
	if (t->ratio && t->max_ratio && t->known && t->cycles < CTC_MAX)
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
		see_cyc(t, p->payload);
		return true;
	case PT_CBR:
		t->base = t->tsc;	/* cycles so far were at the frequency before */
		t->cycles = 0;
		t->ratio = p->payload & 0xff;
		return true;
	default:
		return false;
	}
}
