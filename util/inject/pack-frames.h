/*
 * Pack-frames: the functions at all addresses of a recording's samples, for what is stored in its header.
 * Owns the frames and what the dsos that it makes point to; their names belong to the session.
 */
#ifndef PERF_INJECT_PACK_FRAMES_H
#define PERF_INJECT_PACK_FRAMES_H

#include "../base/arena.h"
#include "../obj/sympack.h"
#include "../resolve/frames.h"
#include "../session/session.h"

struct pack_frames {
	struct frame *v;		/* sorted by dso and address */
	size_t nr;
	bool no_guesses;		/* leave out guessed names: they contain the name of the file */
	struct arena arena;
};

/* finds the frames of wanted dsos (NULL: all), loads their symbols, and makes return addresses calls */
void pack_frames_find(struct pack_frames *p, const struct session *s, bool (*wanted)(const struct dso *d));
/* the number of frames, from number at on, that are in the dso of that one */
size_t pack_frames_of_dso(const struct pack_frames *p, size_t at);
/* what is known of the dso of these nr frames, without build-id, reason and lines */
struct sympack_dso pack_frames_dso(struct pack_frames *p, const struct session *s, size_t at, size_t nr);
void pack_frames_release(struct pack_frames *p);

#endif
