/* Address frames: see address-frames.h. */
#include "address-frames.h"

static u32 address_mode(struct lookup *l, const struct resolved_sample *rs, u64 ip, u8 mode)
{
	u64 from = 0, to = UINT64_MAX;
	struct lookup_ip q = { .ip = ip, .ctx = &rs->ctx, .mode = mode };

	return lookup_one(l, &q, &from, &to);
}

u32 branch_frame(struct lookup *l, const struct resolved_sample *rs, u64 ip)
{
	static const u8 modes[] = { CPUMODE_USER, CPUMODE_KERNEL };
	u32 frame;

	for (u32 i = 0; i < ARRAY_SIZE(modes); i++) {
		frame = address_mode(l, rs, ip, modes[i]);
		if (blocks_at(&l->frames.frame, frame)->dso != ID_NONE)
			return frame;
	}
	return address_mode(l, rs, ip, CPUMODE_HYPERVISOR);	/* the last of the sides */
}

u32 data_frame(struct lookup *l, const struct resolved_sample *rs, u64 addr)
{
	u8 mode = rs->sample->cpumode;
	struct loc loc = locator_find(l->locator, &rs->ctx, mode, addr);
	u64 in_dso = l->by_dso ? 0 : loc.dso_addr;

	return frames_add(&l->frames, &(struct frame){ .dso = loc.dso, .cpumode = mode, .addr = in_dso,
						       .ip = l->by_dso ? 0 : addr });
}

/*
 * [0]: frame of the sample's own address, with the bit for the last branch above it; [1]: frames of both ends
 */
void branch_words(struct count_worker *w, const struct hist_opts *o, const struct resolved_sample *rs,
		  bool last, u64 *ret)
{
	const struct sample *s = rs->sample;

	ret[0] = last;
	ret[1] = 0;
	if (!o->keep_frame)
		return;
	ret[0] |= (u64)address_mode(&w->lookup, rs, s->ip, s->cpumode) << 1;
	ret[1] = branch_frame(&w->lookup, rs, rs->branch->from);
	ret[1] |= (u64)branch_frame(&w->lookup, rs, rs->branch->to) << 32;
}

#define ENDS_KEPT UINT64_MAX	/* in place of the frames of both ends */

void branch_words_kept(bool last, u64 ret[BRANCH_WORDS])
{
	ret[0] = last;
	ret[1] = ENDS_KEPT;
}

bool branch_is_last(const u64 *words)
{
	return words[0] & 1;
}

enum filter_verdict branch_verdict(const struct hist *h, const struct count_worker *w, const u64 *words)
{
	if (words[1] == ENDS_KEPT)
		return FILTER_KEEP;
	if (h->keep_frame[w->frame_map[(u32)words[1]]] == FILTER_DROP ||
	    h->keep_frame[w->frame_map[words[1] >> 32]] == FILTER_DROP)
		return FILTER_DROP;
	return h->keep_frame[w->frame_map[words[0] >> 1]];
}
