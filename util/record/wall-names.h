/*
 * Wall-names: names of threads that end waits of recorded ones without being recorded themselves. They are
 * read from /proc when such a thread is met first; one that has ended by then stays a number.
 */
#ifndef PERF_RECORD_WALL_NAMES_H
#define PERF_RECORD_WALL_NAMES_H

#include "../base/hash.h"
#include "../base/strbuf.h"
#include "../base/vec.h"

/* a zeroed one is empty */
struct wall_names {
	struct hidx idx;
	struct { VEC(s32); } tid;	/* that have a name, or were asked for it */
};

/* the thread is recorded: side-band has its name */
void wall_names_know(struct wall_names *n, s32 tid);
/* appends a COMM record if the thread is new; trailer: bytes at the end of records, synth_trailer_size() */
void wall_names_ask(struct wall_names *n, s32 pid, s32 tid, struct strbuf *out, u32 trailer);
void wall_names_release(struct wall_names *n);

#endif
