/*
 * Named frames: distinct places of call chains, each looked up and named once, for commands that take samples
 * one by one in the order of time. Ids are u32; the table belongs to one thread. Commands that have all
 * samples at once name them in batches: names.h.
 */
#ifndef PERF_RESOLVE_NAMED_FRAMES_H
#define PERF_RESOLVE_NAMED_FRAMES_H

#include "resolver.h"

struct named_frame {
	u32 dso;		/* ID_NONE: nothing is mapped there */
	u8 cpumode;
	bool caller;		/* ip is a return address */
	u64 addr;		/* in the dso; the ip if nothing is mapped */
	u64 ip;			/* at which it was first seen */
	u64 start;		/* of its symbol, in the dso, if it has a name */
	const char *name;	/* as symbols_name() gives it; NULL: without a symbol */
};

struct named_frames {
	const struct session *session;
	struct { VEC(struct named_frame); } frame;
	struct hidx idx;
	struct arena names;
};

void named_frames_init(struct named_frames *n, const struct session *s);
void named_frames_release(struct named_frames *n);
/* the id of a place; loads the symbols of its dso */
u32 named_frames_add(struct named_frames *n, const struct frame_loc *at);
/* valid until the next named_frames_add() */
static inline const struct named_frame *named_frame(const struct named_frames *n, u32 id)
{
	return &n->frame.v[id];
}
/* the same of a place: valid as long */
static inline const struct named_frame *named_frame_at(struct named_frames *n, const struct frame_loc *at)
{
	return named_frame(n, named_frames_add(n, at));
}
/* appends "name+0x12"; or ip, "0x7f12", where there is no name */
void named_frame_put_offset(const struct named_frame *f, u64 ip, struct strbuf *out);

#endif
