/*
 * Read-ahead: the records of an ordered reader in batches. While the caller works on a batch, a thread of
 * the session's pool reads the next one. Which records a batch has, and how far the file was read, does not
 * depend on the number of threads.
 */
#ifndef PERF_SESSION_READ_AHEAD_H
#define PERF_SESSION_READ_AHEAD_H

#include "session.h"

#define READ_AHEAD_BATCH 4096u

struct read_batch {
	size_t nr;
	struct rec rec[READ_AHEAD_BATCH];
	u64 time[READ_AHEAD_BATCH];	/* 0: the record has none */
	const struct event *event[READ_AHEAD_BATCH];	/* of samples; NULL: not known */
};

struct read_ahead;
/*
 * for an ordered reader that scans; the session must not grow. left_out: by idx of an event, true: its
 * samples are in no batch; the caller keeps the array until the end. NULL: no event
 */
struct read_ahead *read_ahead_open(const struct session *s, const bool *left_out);
/* until the next call; NULL at the end */
const struct read_batch *read_ahead_next(struct read_ahead *a);
/* ends the read-ahead; problems of the data are added to diag */
void read_ahead_close(struct read_ahead *a, struct diag *diag);

#endif
