/* Frames of the CoreSight formatter: see etm-frames.h. */
#include "etm-frames.h"
#include "etm-packet.h"

#include <string.h>

/* what the driver writes where the buffer was overwritten: synchronization packets of the formatter */
static const u8 barrier[ETM_FRAME_SIZE] = { 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f,
					    0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f };

void etm_frames_release(struct etm_frames *f)
{
	for (u32 i = 0; i < ETM_IDS; i++)
		strbuf_release(&f->of[i]);
}

/* the usual frame: of one source, which its first byte may name */
static bool take_plain(struct etm_frames *f, const u8 *p)
{
	u32 named = p[0] & 1;
	u8 low = p[ETM_FRAME_SIZE - 1], data[ETM_FRAME_SIZE];

	if ((p[2] | p[4] | p[6] | p[8] | p[10] | p[12] | p[14] | (named & low)) & 1)
		return false;
	if (named)
		f->id = p[0] >> 1;
	if (!f->id)
		return true;
	memcpy(data, p, sizeof(data));
	for (u32 i = 0; i < ETM_FRAME_SIZE - 1; i += 2)
		data[i] |= low >> i / 2 & 1;
	strbuf_add(&f->of[f->id], data + named, ETM_FRAME_SIZE - 1 - named);
	return true;
}

/* even bytes are data or an ID, odd ones data; the last one has the lowest bits of even ones */
static void take_frame(struct etm_frames *f, const u8 *p)
{
	u8 low = p[ETM_FRAME_SIZE - 1];

	for (u32 i = 0; i < ETM_FRAME_SIZE - 1; i += 2, low >>= 1) {
		bool is_id = p[i] & 1, late = is_id && low & 1;
		u8 old = f->id;	/* whose byte the odd one is */

		if (is_id)
			f->id = p[i] >> 1;
		else if (f->id)
			strbuf_addch(&f->of[f->id], p[i] | (low & 1));
		if (!late)
			old = f->id;
		if (old && i < ETM_FRAME_SIZE - 2)
			strbuf_addch(&f->of[old], p[i + 1]);
	}
}

size_t etm_frames_add(struct etm_frames *f, const u8 *p, size_t len)
{
	size_t at = 0;

	f->barrier = false;
	while (at < len) {
		const u8 *frame = p + at;
		size_t n = MIN(len - at, (size_t)ETM_FRAME_SIZE - f->nr);

		at += n;
		if (n < ETM_FRAME_SIZE) {
			memcpy(f->frame + f->nr, frame, n);
			f->nr += n;
			if (f->nr < ETM_FRAME_SIZE)
				break;
			frame = f->frame;
			f->nr = 0;
		}
		if (!memcmp(frame, barrier, sizeof(barrier))) {
			f->id = 0;
			f->barrier = true;
			break;
		}
		if (!take_plain(f, frame))
			take_frame(f, frame);
	}
	return at;
}

bool etm_has_no_frames(const u8 *p, size_t len)
{
	return len >= ETM_ASYNC_SIZE && etm_find_async(p, ETM_ASYNC_SIZE) == p;
}
