/*
 * Futex: waits of programs for each other, from futex system calls and wake-ups. A wait is a futex call that
 * waits, from its entry to its exit. Who ended it is the task that woke the waiter: by sched:sched_waking, or
 * in files without that event by the last call that wakes waiters of the same futex. For a lock that is who
 * held it; a futex can also belong to a condition variable or a barrier, where it is who signalled.
 *
 * A chain A -> B -> C: A waited for B, which itself waited for C during that time.
 */
#ifndef PERF_LOCK_FUTEX_H
#define PERF_LOCK_FUTEX_H

#include "../base/strtab.h"
#include "lock.h"

#define FUTEX_MAX_CHAIN 8u	/* tasks of a chain */
#define FUTEX_MAX_RECENT 16u	/* waits of a task that chains look at */

/* one of each row's parts: what rows are by */
enum futex_by { FUTEX_BY_CALLER, FUTEX_BY_THREAD, FUTEX_BY_LOCK };

struct futex_opts {
	enum futex_by by;
	unsigned int max_stack;
	struct view_sort sort;
	const char *fields;		/* -F as typed, or NULL */
	u64 entries;
};

/* where in a program: the function of a frame; dso ID_NONE: not known */
struct futex_place {
	u32 dso;
	u64 addr;			/* in the dso; 0 without one */
};

struct futex_row {
	s32 pid, waiter, waker;		/* by thread; -1: not known, or several */
	u64 futex;			/* by lock; else 0 */
	struct futex_place wait_at, wake_at;
	struct lock_times times;
	u32 waiter_comm, waker_comm;
	bool waiters, wakers, waits_at, wakes_at;	/* there were several */
	/* for the view */
	const char *waiter_name, *waker_name, *wait_name, *wake_name;
};

struct futex_chain {
	u32 nr;				/* tasks, at least 3 */
	s32 tid[FUTEX_MAX_CHAIN];
	struct lock_times times;	/* of the first task's waits */
	u64 root;			/* time in which all but the last task waited */
	const char *text;
};

/* time that others waited for a task */
struct futex_holder {
	s32 tid;
	struct lock_times times;
	u32 nr_waiters;			/* distinct ones */
	const char *name;
};

/* the last call of a process that woke waiters of a futex */
struct futex_wake {
	u64 futex, time;
	s32 pid, tid;
	struct futex_place at;
};

struct futex_task;
struct futex {
	const struct futex_opts *opts;
	const struct session *session;
	struct resolver resolver;
	struct arena arena, scratch;
	s64 futex_nr;			/* number of the system call in raw_syscalls; -1: unknown */
	struct { VEC(struct futex_task *); struct hidx idx; } task;
	struct { VEC(struct futex_wake); struct hidx idx; } wake;
	struct { VEC(struct futex_row); struct hidx idx; } row;
	struct { VEC(struct futex_chain); struct hidx idx; } chain;
	struct { VEC(struct futex_holder); struct hidx idx; } holder;
	struct { VEC(u64); struct hidx idx; } pair;	/* holder << 32 | who waited for it */
	struct lock_losses losses;
	/* waits that ended by their timeout; calls that did not wait, because the value had changed */
	u64 nr_timeouts, nr_refused;
};

#define FUTEX_NR_ROWS 9u
#define FUTEX_NR_WITHOUT_RAW 7u	/* the first ones: without those of all system calls */
extern const struct tracing_row futex_rows[FUTEX_NR_ROWS];

void futex_init(struct futex *f, const struct session *s, const struct futex_opts *opts);
void futex_release(struct futex *f);
int futex_sort_parse(struct view_sort *sort, const char *keys, struct err *err);
/* after tracing_run(): tables of waits, of who held others up, of chains; NULL with err */
struct view *futex_view(struct futex *f, u32 form, struct err *err);
/* "comm-TID" of a task, in the arena */
const char *futex_task_name(struct futex *f, s32 tid);

#endif
