/* What the parts of the futex analysis share. */
#ifndef PERF_LOCK_FUTEX_PRIVATE_H
#define PERF_LOCK_FUTEX_PRIVATE_H

#include "futex.h"

enum futex_call { FUTEX_CALL_NONE, FUTEX_CALL_WAIT, FUTEX_CALL_WAKE, FUTEX_CALL_OTHER };

struct futex_span {
	u64 from, to;		/* until the task was woken */
	s32 waker;
};

struct futex_task {
	s32 tid, pid;
	u32 comm;		/* its newest name; ID_NONE: unknown */
	/* the call that it is in */
	enum futex_call call;
	u64 futex, begin;
	struct futex_place place;
	s32 waker;		/* -1: not woken yet, or nobody knows by whom */
	bool waker_sure;
	u64 woken;
	struct futex_place wake_at;
	u64 left;		/* when its last call ended */
	/* its last waits, a ring */
	struct futex_span recent[FUTEX_MAX_RECENT];
	u32 nr_recent;		/* all that there were */
};

/* created when first asked for */
struct futex_task *futex_task(struct futex *f, s32 tid);
/* the number of the system call of a machine (EM_*); -1: unknown */
s64 futex_number(u16 machine);
/* counts the wait of a task that ended at that time */
void futex_add_wait(struct futex *f, struct futex_task *t, u64 end);

#endif
