/*
 * Jit-maps: the code that jitdump files describe, as maps with times: each function is a map of its code
 * inside the dump, so that addresses that are used again belong to what was there at the time of the sample.
 * They are added to the side-band before the machine is built. The symbols come from the dump
 * (sym/src-jit.c).
 */
#ifndef PERF_SESSION_JIT_MAPS_H
#define PERF_SESSION_JIT_MAPS_H

#include "../base/hash.h"
#include "../obj/jitdump.h"
#include "session.h"

/* a dump that a process had mapped */
struct session_jit {
	char *path;		/* as recorded */
	s32 pid, tid;		/* as the recorder sees them */
	u64 time;		/* when it was mapped */
};

/* finds the dumps in the side-band, lists them in s->jit, and adds their maps to it */
void session_jit_maps(struct session *s, struct sideband *sb);
void session_jit_release(struct session *s);
/*
 * The time of an entry on the clock of the recording. If the dump uses another clock, the time when the dump
 * was mapped, so that all of its functions exist from then on
 */
u64 session_jit_time(const struct session *s, const struct session_jit *j, const struct jitdump *d,
		     const struct jit_entry *e);
/* true if the recording uses the clock of jitdump files, CLOCK_MONOTONIC */
bool session_jit_clock(const struct session *s);

/* the code that was loaded last at each address, for JIT_MOVE, as numbers of the caller. Zeroed: empty */
struct jit_code {
	u64 addr, value;
};
struct jit_codes {
	struct hidx idx;
	struct { VEC(struct jit_code); } code;
};
void jit_codes_set(struct jit_codes *c, u64 addr, u64 value);
bool jit_codes_get(const struct jit_codes *c, u64 addr, u64 *ret_value);
void jit_codes_release(struct jit_codes *c);

#endif
