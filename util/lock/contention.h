/*
 * Contention: waits for kernel locks, from lock:contention_begin and lock:contention_end: by the code that
 * waited, by thread or by lock. Events come from tracing_run() or from rings; or BPF programs have added the
 * waits up in the kernel (kernel-waits.h), also by the owner of the lock and by control group.
 *
 * A wait begins and ends in one thread with the address of one lock. A mutex first spins and then sleeps, and
 * the kernel tells both, so a begin event during the wait for a mutex with other flags continues it. Any
 * other second begin means that the end was lost.
 */
#ifndef PERF_LOCK_CONTENTION_H
#define PERF_LOCK_CONTENTION_H

#include "../base/cpulist.h"
#include "chains.h"
#include "kernel-waits.h"
#include "lock.h"
#include "names.h"

enum contention_by {
	CONTENTION_BY_CALLER, CONTENTION_BY_THREAD, CONTENTION_BY_LOCK,
	CONTENTION_BY_OWNER, CONTENTION_BY_CGROUP,	/* only by BPF programs */
};

/* as typed; NULL: not given */
struct contention_opts {
	enum contention_by by;
	unsigned int max_stack, stack_skip;
	bool auto_skip;			/* stack_skip only where functions of locking cannot be recognized */
	const char *types, *locks, *functions, *cpus, *cgroups;
	const char *delays;		/* by BPF programs: "1ms@lock,..." */
	unsigned int entries_of_maps;	/* of BPF programs */
	const char *fields;
	struct view_sort sort;
	bool stacks;			/* a column with the functions from the caller on */
	u64 entries;			/* maximum number of rows */
};

#define CONTENTION_GROUP_BITS 32

/* waits of one caller, thread or lock */
struct contention_row {
	/* tid, address, id of a control group, or flags << CONTENTION_GROUP_BITS | group of chains */
	u64 key;
	struct lock_times times;
	u32 flags, comm;		/* of the first wait; the newest name */
	const char *task;		/* its name as a BPF program saw it; or NULL */
	/* for the view */
	const char *name, *type, *stack, *address;
};

/* a thread and a lock */
struct contention_wait {
	u64 addr, begin;
	s32 task;			/* tid; -1 - CPU of idle tasks, which all have the tid 0 */
	u32 flags, last_flags, chain, comm;
	bool open, wanted;
};

struct contention {
	const struct contention_opts *opts;
	const struct session *session;
	struct arena arena;
	struct resolver resolver;
	struct lock_chains chains;
	struct lock_names names;
	struct lock_types types;
	struct id_filter cpus;
	struct { VEC(u64); } locks;	/* addresses that are wanted; none: all */
	struct { VEC(struct lock_delay); } delays;
	struct { VEC(struct contention_wait); struct hidx idx; } wait;
	struct { VEC(struct contention_row); struct hidx idx; } row;
	struct lock_losses losses;
};

#define CONTENTION_NR_ROWS 2u
extern const struct tracing_row contention_rows[CONTENTION_NR_ROWS];

/* opts->delays to c->delays, by c->names. 0, or a negative errno with err */
int contention_parse_delays(struct contention *c, struct err *err);
/* loads what names and filters need; opts must live as long. 0, or a negative errno with err */
int contention_init(struct contention *c, const struct session *s, const struct contention_opts *opts,
		    struct err *err);
void contention_release(struct contention *c);

/*
 * BPF programs count instead of handlers: opens them, for the options and filters; later adds what they have
 * counted. 0, or a negative errno with err: -ENOTSUP where the kernel cannot do it
 */
struct kernel_waits;
struct watched_opts;
/* cpus: only waits that begin on these; empty: on all */
int contention_open_kernel(struct contention *c, struct kernel_waits *k, const struct watched_opts *tasks,
			   const struct cpulist *cpus, struct err *err);
void contention_add_kernel(struct contention *c, const struct kernel_waits *k);

/* what the files of contention share */
struct contention_row *contention_row_of(struct contention *c, u64 key);
/* the key of rows by caller; chain: an id of chains.chain */
u64 contention_caller_key(const struct contention *c, u32 chain, u32 flags);

/* "a,b": sort keys, or words of -F; -EINVAL with err */
int contention_sort_parse(struct view_sort *sort, const char *keys, struct err *err);
/* after tracing_run(): counts waits that are still open. form: one of VIEW_FORM_*. NULL with err */
struct view *contention_view(struct contention *c, u32 form, struct err *err);

#endif
