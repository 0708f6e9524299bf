/* Frames: see frames.h. */
#include "frames.h"

#include <stdlib.h>
#include <string.h>
#include "../event/sample.h"
#include "../machine/machine.h"
#include "../sym/sym.h"

u64 frame_hash(u32 dso, u64 addr)
{
	return hash_u64(hash_mix(dso, addr));
}

u32 frame_part(u32 dso, u64 addr, u32 bits)
{
	return bits ? frame_hash(dso, addr) >> (64 - bits) : 0;
}

static bool same_place(const struct frame *a, const struct frame *b)
{
	return a->addr == b->addr && a->dso == b->dso && a->caller == b->caller &&
	       (a->dso != ID_NONE || a->cpumode == b->cpumode);
}

u32 frames_add(struct frames *f, const struct frame *frame)
{
	u64 hash = frame_hash(frame->dso, frame->addr);
	u32 id;

	HIDX_FOREACH(&f->idx, hash, id) {
		struct frame *known = blocks_at(&f->frame, id);

		if (!same_place(known, frame))
			continue;
		if (frame->ip < known->ip)
			known->ip = frame->ip;
		return id;
	}
	id = f->frame.nr;
	*blocks_add(&f->frame) = *frame;
	hidx_insert(&f->idx, hash, id);
	return id;
}

void frames_reserve(struct frames *f, u32 nr)
{
	hidx_reserve(&f->idx, nr);
}

void frames_prefetch_slot(const struct frames *f, u64 hash)
{
	hidx_prefetch(&f->idx, hash);
}

void frames_prefetch(const struct frames *f, u64 hash)
{
	u32 id = hidx_first(&f->idx, hash);

	if (id != HIDX_NONE)
		__builtin_prefetch(blocks_at(&f->frame, id));
}

void frames_move(struct frames *f, struct frame *ret)
{
	for (size_t i = 0; i < f->frame.nr_blocks; i++)
		memcpy(ret + i * BLOCK_ITEMS, f->frame.block[i], blocks_in(&f->frame, i) * sizeof(*ret));
	frames_release(f);
}

void frames_release(struct frames *f)
{
	blocks_release(&f->frame);
	hidx_release(&f->idx);
}

static int by_place(const void *pa, const void *pb)
{
	const struct frame *a = pa, *b = pb;

	if (a->dso != b->dso)
		return a->dso < b->dso ? -1 : 1;
	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->caller - b->caller;
}

size_t frames_sort(struct frame *f, size_t nr)
{
	size_t kept = 0;

	qsort(f, nr, sizeof(*f), by_place);
	for (size_t i = 0; i < nr; i++)
		if (!kept || by_place(&f[kept - 1], &f[i]))
			f[kept++] = f[i];
	return kept;
}

char frame_level(const struct frame *f)
{
	switch (f->cpumode) {
	case CPUMODE_KERNEL:
		return 'k';
	case CPUMODE_GUEST_KERNEL:
		return 'g';
	case CPUMODE_GUEST_USER:
		return 'u';
	case CPUMODE_HYPERVISOR:
		return 'H';
	default:
		return '.';
	}
}

u32 frame_sym_idx(const struct symbols *s, const struct frame *f)
{
	u64 code;

	if (f->dso == ID_NONE)
		return ID_NONE;
	return f->caller ? symbols_find_call(s, f->dso, f->addr, &code) :
	       symbols_find_idx(s, f->dso, f->addr);
}

u64 frame_code(const struct symbols *s, const struct frame *f)
{
	return f->caller ? symbols_call_addr(s, f->dso, f->addr) : f->addr;
}
