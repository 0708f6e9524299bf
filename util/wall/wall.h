/*
 * Wall: where the elapsed time of each thread went. A state machine takes what a recording says of threads in
 * the order of time (they left a CPU, were woken, got a CPU, were sampled, began, ended) and gives slices:
 * on a CPU, waiting for one, blocked, idle (blocked until there is work), or unknown. For each thread the
 * slices follow each other without gaps from its beginning to its end, so that their sum is its elapsed time.
 *
 * What is not known is not guessed: a slice in which records were lost, or whose beginning or end contradicts
 * what follows, is WALL_UNKNOWN. A sleep without a recorded wake-up is blocked to its end, and counted.
 *
 * Knows no files, symbols or events: stacks and targets are numbers of the caller. Times are ns of the
 * recording's clock; a time before the newest one counts as the newest. Threads live as long as the struct
 * wall. Tid 0, the idle tasks, is ignored.
 */
#ifndef PERF_WALL_WALL_H
#define PERF_WALL_WALL_H

#include "../base/hash.h"
#include "../base/vec.h"

enum wall_state {
#define WALL_STATE(ID, word, what) WALL_##ID,
#include "states.def"
#undef WALL_STATE
	WALL_NR_STATES
};

/* what a thread waits for */
enum wall_wait {
#define WALL_WAIT(ID, word, is_idle, what) WALL_WAIT_##ID,
#include "waits.def"
#undef WALL_WAIT
	WALL_NR_WAITS
};

#define WALL_NO_STACK UINT32_MAX
#define WALL_MAX_CPUS 65536u	/* numbers from here on are ignored */

/* what the recording contains, which decides how its holes are seen */
struct wall_source {
	bool has_arrivals;	/* says when threads get a CPU */
	bool has_samples;	/* samples tell where CPU time was spent */
	/*
	 * Wake-ups, beginnings, ends and wall_seen() are of all threads, the rest of the watched ones:
	 * nothing is given of the others
	 */
	bool has_others;
	bool has_stacks;	/* records of switches have stacks; one that tells it again has none */
	/* wall_told(): where a thread is may not be known, though it is on no CPU that another one gets */
	bool has_turns;
};

struct wall_slice {
	s32 pid, tid;		/* pid: -1 where it is not known */
	enum wall_state state;
	enum wall_wait wait;	/* WALL_WAIT_NONE unless blocked or idle */
	u64 begin, end;		/* ns; begin < end */
	u32 stack;		/* where the thread left the CPU; WALL_NO_STACK */
	u32 target;		/* what it waits for, a number of the caller; 0: not known */
	/*
	 * tid that ended a wait, or that began the thread, in its first slice; 0: an interrupt; -1: not known
	 */
	s32 waker;
	u32 waker_stack;	/* of the waker when it ended the wait; WALL_NO_STACK */
	u32 cpu;		/* on which it left the CPU last; UINT32_MAX: not known */
};

/* CPU time that a sample stands for: what its thread used since its sample before */
struct wall_run {
	s32 pid, tid;
	u64 time, ns;		/* ns > 0 */
	u32 stack, cpu;
};

/* a listener; functions may be NULL */
struct wall_ops {
	void (*slice)(void *ctx, const struct wall_slice *s);
	void (*run)(void *ctx, const struct wall_run *r);
};

struct wall_totals {
	u64 first, last;			/* times of the first and last record; first > last: none */
	u64 ns[WALL_NR_STATES];			/* of all threads; idle and unknown ones included */
	u64 nr_threads;				/* that had at least one slice */
	u64 nr_waits, nr_without_wakeup;	/* sleeps that ended; those whose wake-up is not recorded */
	u64 nr_lost;				/* places where records were lost */
};

enum wall_place {
	WALL_PLACE_NEW, WALL_PLACE_ON, WALL_PLACE_READY, WALL_PLACE_ASLEEP,
	WALL_PLACE_GONE,	/* it has left its CPU, nobody has seen how */
	WALL_PLACE_ENDING,	/* its end is recorded: it may run on until it leaves its CPU */
	WALL_PLACE_DEAD
};

struct wall_thread {
	s32 pid, tid;
	enum wall_place place;
	enum wall_wait wait;
	u64 since;		/* of place */
	u64 ran;		/* CPU time that no sample stands for yet */
	u32 lost;		/* wall.nr_lost when place began */
	u32 stack;		/* newest one */
	u32 target;		/* of its wait */
	u32 waker_stack;	/* of the end of its wait */
	u32 cpu;
	s32 parent;		/* until its first slice ends; -1 */
	/*
	 * With has_others, while WALL_PLACE_NEW: when it was woken, and by whom; 0: it was not; UINT64_MAX:
	 * it has run since, and was not watched
	 */
	u64 woken;
	s32 woken_by;
	bool counted;
	bool ending;		/* its end is recorded: it may still wait on its way out */
};

/* who has a CPU: a tid, 0: idle, -1: not known */
struct wall_cpu {
	s32 now, first;		/* first: that was seen there */
	bool shared;		/* another one was seen there after the first */
};

struct wall {
	const struct wall_ops *ops;
	void *ctx;			/* of ops */
	struct wall_source source;
	struct wall_totals totals;
	u64 now;
	struct { VEC(struct wall_thread); } thread;
	struct hidx by_tid;		/* tid -> position in thread */
	struct { VEC(struct wall_cpu); } on_cpu;
};

void wall_init(struct wall *w, const struct wall_source *source, const struct wall_ops *ops, void *ctx);
void wall_release(struct wall *w);

/* pid: -1 if the record does not say it; stack: WALL_NO_STACK if it has none; target: of wall_leave() */
struct wall_event {
	u64 time;
	s32 pid, tid;
	u32 stack, cpu, target;
};

/*
 * The thread leaves its CPU. letter: R if it was preempted, X or Z if it has ended, else how it sleeps (S, D,
 * T, t, P, I; Q: it is throttled), for what: wait. again: another record may have told this already
 */
void wall_leave(struct wall *w, const struct wall_event *e, char letter, enum wall_wait wait, bool again);
/*
 * It gets a CPU; known already: nothing happens. If another thread has that CPU, its leaving is missing. Tid
 * 0 tells just that, and so does wall_take_cpu(): that a thread, watched or not, is on a CPU
 */
void wall_arrive(struct wall *w, const struct wall_event *e);
void wall_take_cpu(struct wall *w, const struct wall_event *e);
/* it is woken; waker: see struct wall_slice; e->stack is that of the waker, here and in wall_woken() */
void wall_wake(struct wall *w, const struct wall_event *e, s32 waker);
/* it was woken at that earlier time, after all else that is known of it */
void wall_woken(struct wall *w, const struct wall_event *e, u64 woken, s32 waker);
/* the thread while it waits; NULL: it does not. Good until the next call */
const struct wall_thread *wall_asleep(struct wall *w, s32 tid);
/* before it is told that it was woken: who did it says what the wait was for */
void wall_wait_was(struct wall *w, s32 tid, enum wall_wait wait, u32 target);
/* it is running: a sample */
void wall_sample(struct wall *w, const struct wall_event *e);
/*
 * it is running, and begins or ends something: what it did until now is told. Its stack from now on is
 * e->stack, if there is one
 */
void wall_mark(struct wall *w, const struct wall_event *e);
/*
 * it is on a CPU, or leaves it now: what it did since the last record of it is not known, as it left CPUs
 * without one
 */
void wall_unseen(struct wall *w, const struct wall_event *e);
/* it had a CPU, left it and got one again, in that time: the caller gives the slices itself */
void wall_told(struct wall *w, const struct wall_event *e, u64 ns);
/* it has had a CPU since that earlier time, and all before it was told; what was not is unknown */
void wall_resume(struct wall *w, const struct wall_event *e, u64 since);
/* it has left its CPU, nobody has seen when and how: what it did until now is unknown */
void wall_gone(struct wall *w, const struct wall_event *e);
/* it left its CPU at that earlier time; as wall_leave() */
void wall_left(struct wall *w, const struct wall_event *e, u64 left, char letter, enum wall_wait wait);
/*
 * It was asleep at that time, as something else than a record of its own tells. Counts for a thread that is
 * seen first: it has slept since the recording began
 */
void wall_seen_asleep(struct wall *w, const struct wall_event *e, enum wall_wait wait);
/* it is running: any other record that only a running thread causes */
void wall_seen(struct wall *w, const struct wall_event *e);
/* it begins, and waits for a CPU; parent: tid of the thread that began it, -1: not known */
void wall_begin(struct wall *w, const struct wall_event *e, s32 parent);
/* it began at that earlier time, has waited for a CPU since then, and is seen first now */
void wall_began(struct wall *w, const struct wall_event *e, u64 began);
/*
 * Its end is recorded. Some kernels free its memory and files after that: that time counts as far as records
 * tell of it
 */
void wall_end(struct wall *w, const struct wall_event *e);
/* gives the time of all threads up to now, as if something had ended what they do, and goes on */
void wall_flush(struct wall *w, u64 now);
/* records were lost at or before that time */
void wall_lost(struct wall *w, u64 time);
/* the recording ends: gives the last slices of all threads, in the order in which threads were seen first */
void wall_finish(struct wall *w);

/* "on-CPU", "futex" */
const char *wall_state_word(enum wall_state s);
const char *wall_wait_word(enum wall_wait w);
/* waiting for work, rather than for something that must be done first */
bool wall_wait_is_idle(enum wall_wait w);
/* "on,run" or "all" to bits 1 << enum wall_state; -EINVAL if a word is unknown */
int wall_states_parse(const char *list, u32 *ret);
#define WALL_DEFAULT_STATES (1u << WALL_ON | 1u << WALL_RUNNABLE | 1u << WALL_BLOCKED | 1u << WALL_UNKNOWN)

#endif
