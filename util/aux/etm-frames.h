/*
 * Frames of the CoreSight formatter (Arm IHI 0029, "Formatter"): 16 bytes that hold bytes of several trace
 * sources, each with its trace ID. A trace without frames is of one source.
 */
#ifndef PERF_AUX_ETM_FRAMES_H
#define PERF_AUX_ETM_FRAMES_H

#include "../base/strbuf.h"

enum { ETM_IDS = 128, ETM_FRAME_SIZE = 16 };

/* a stream while it is taken apart; zeros at first */
struct etm_frames {
	struct strbuf of[ETM_IDS];	/* what was found, by trace ID */
	u8 frame[ETM_FRAME_SIZE];	/* the start of one that goes on in the next bytes */
	u32 nr;
	u8 id;				/* of the next byte; 0: nobody's */
	bool barrier;			/* the last bytes that were used are a barrier */
};

void etm_frames_release(struct etm_frames *f);
/* appends to f->of. Stops after a barrier, where bytes are missing; returns the number of bytes it used */
size_t etm_frames_add(struct etm_frames *f, const u8 *p, size_t len);

/* true if a buffer begins with an ASYNC packet: then it has no frames */
bool etm_has_no_frames(const u8 *p, size_t len);

#endif
