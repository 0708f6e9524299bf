/* Places: see place.h. */
#include "place.h"

static u32 place_mode(struct lookup *l, const struct hit *hit, u64 ip, u8 mode)
{
	u64 from = 0, to = UINT64_MAX;
	struct lookup_ip q = { .ip = ip, .time = hit->whence.time, .off = hit->whence.off, .space = hit->whence.space, .mode = mode };

	return lookup_one(l, &q, &from, &to);
}

u32 place_branch(struct lookup *l, const struct hit *hit, u64 ip)
{
	static const u8 modes[] = { CPUMODE_USER, CPUMODE_KERNEL };
	u32 frame;

	for (u32 i = 0; i < ARRAY_SIZE(modes); i++) {
		frame = place_mode(l, hit, ip, modes[i]);
		if (blocks_at(&l->frames.frame, frame)->dso != WORLD_NONE)
			return frame;
	}
	return place_mode(l, hit, ip, CPUMODE_HYPERVISOR);	/* the last side there is */
}

u32 place_data(struct lookup *l, const struct hit *hit, u64 addr)
{
	const struct whence *at = &hit->whence;
	u8 mode = hit->sample->cpumode;
	struct loc loc = world_locate_data(l->world, at->space, mode, addr, at->time, at->off);
	u64 in_dso = l->by_dso ? 0 : loc.dso == WORLD_NONE ? addr : loc.dso_addr;

	return frames_add(&l->frames, loc.dso, mode, in_dso, l->by_dso ? 0 : addr);
}

/* [0]: frame of the sample's own address, above the bit for the last branch; [1]: frames of both ends */
void branch_words(struct count_worker *w, const struct hist_opts *o, const struct hit *hit, bool last, u64 *ret)
{
	const struct sample *s = hit->sample;

	ret[0] = last;
	ret[1] = 0;
	if (!o->keep_frame)
		return;
	ret[0] |= (u64)place_mode(&w->lookup, hit, s->ip, s->cpumode) << 1;
	ret[1] = place_branch(&w->lookup, hit, hit->branch->from);
	ret[1] |= (u64)place_branch(&w->lookup, hit, hit->branch->to) << 32;
}

bool branch_is_last(const u64 *words)
{
	return words[0] & 1;
}

enum hit_verdict branch_verdict(const struct hist *h, const struct count_worker *w, const u64 *words)
{
	if (h->keep_frame[w->frame_map[(u32)words[1]]] == HIT_DROP || h->keep_frame[w->frame_map[words[1] >> 32]] == HIT_DROP)
		return HIT_DROP;
	return h->keep_frame[w->frame_map[words[0] >> 1]];
}
