/*
 * Replay: the obviously right way to know what each process had mapped: one current state, which side-band
 * records change in the order of time, and which can be queried in between. Slow and small; a machine must
 * give the same answers. Knows user memory and threads.
 */
#ifndef PERF_TESTS_UNIT_REPLAY_H
#define PERF_TESTS_UNIT_REPLAY_H

#include "../../util/event/sample.h"

struct replay;
struct replay *replay_new(void);
void replay_free(struct replay *r);
/* MMAP, MMAP2, COMM, FORK, EXIT of user processes; others change nothing */
void replay_apply(struct replay *r, const struct rec *rec);
/* ":TID" if unknown */
const char *replay_comm(struct replay *r, s32 tid);
/*
 * name of the map at ip in the memory of tid (or of its leader pid if tid is unknown) and the file offset
 * there; NULL: none
 */
const char *replay_map(struct replay *r, s32 pid, s32 tid, u64 ip, u64 *ret_file_off);

#endif
