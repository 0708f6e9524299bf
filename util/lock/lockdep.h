/*
 * Lockdep: how often locks were acquired and waited for, from lock:lock_acquire, lock_acquired,
 * lock_contended and lock_release, which only kernels with lock debugging have. Of a file without them: from
 * contention events, which kernels from 5.19 on have; then only acquisitions after a wait are known.
 */
#ifndef PERF_LOCK_LOCKDEP_H
#define PERF_LOCK_LOCKDEP_H

#include "../base/strtab.h"
#include "lock.h"
#include "names.h"

struct lockdep_opts {
	bool threads, combine;		/* rows by thread; locks of one class in one row */
	const char *fields;		/* -F as typed, or NULL */
	struct view_sort sort;
	u64 entries;			/* maximum number of rows */
	bool show_threads, show_locks;	/* of lock info; neither: both */
};

/* a lock, a class of locks, or a thread */
struct lockdep_row {
	u64 key;			/* address, id of the name, or tid */
	u32 name;			/* of the class, in names; 0: none */
	u32 comm;			/* of a thread: its newest name; ID_NONE: unknown */
	u64 nr_acquired;
	struct lock_times times;
	const char *text;		/* for the view */
};
struct lockdep_rows {
	VEC(struct lockdep_row);
	struct hidx idx;
};

/* what a thread does with a lock */
struct lockdep_use {
	u64 addr, since;
	s32 task;
	enum { LOCKDEP_FREE, LOCKDEP_ACQUIRING, LOCKDEP_WAITING, LOCKDEP_HELD } state;
	bool counted;			/* its acquisition is already counted */
	u32 flags;			/* of contention events */
};

struct lockdep {
	const struct lockdep_opts *opts;
	const struct session *session;
	bool has_acquire;		/* the file has lockdep's events */
	struct strtab names;		/* of classes */
	struct { VEC(struct lockdep_use); struct hidx idx; } use;
	struct lockdep_rows row, thread, lock;
	struct lock_losses losses;
	struct arena arena;
};

#define LOCKDEP_NR_ROWS 6u
extern const struct tracing_row lockdep_rows[LOCKDEP_NR_ROWS];

void lockdep_init(struct lockdep *l, const struct session *s, const struct lockdep_opts *opts);
void lockdep_release(struct lockdep *l);
/* "a,b": sort keys, or words of -F; -EINVAL with err */
int lockdep_sort_parse(struct view_sort *sort, const char *keys, struct err *err);
/* after tracing_run(): the table of lock report; NULL with err. The tables of lock info */
struct view *lockdep_report(struct lockdep *l, u32 form, struct err *err);
struct view *lockdep_info(struct lockdep *l);

#endif
