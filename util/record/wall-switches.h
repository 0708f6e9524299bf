/*
 * Wall-switches: switches of CPUs between threads, and who woke them, by BPF programs: perf record --wall. A
 * switch crosses the ring of its CPU (bpf/ring.h) as one record, which becomes a sample of the event
 * "wall-switch": time, thread that left the CPU and its stack, and as raw data a struct wall_switch_raw. That
 * takes a third of the time of two tracepoints, each with a sample of its own.
 *
 * Times are CLOCK_MONOTONIC, so the other events must have that clock. Stacks are those of frame pointers.
 *
 * Linux 6.18 does not run the programs at each switch while others are attached to the tracepoint or
 * detached from it. The programs see this by the number of switches that the kernel counts of each thread,
 * and say it with the next record of the thread, at the latest at its next sample.
 */
#ifndef PERF_RECORD_WALL_SWITCHES_H
#define PERF_RECORD_WALL_SWITCHES_H

#include "../base/strbuf.h"
#include "../event/event.h"
#include "../kernel/open.h"
#include "../observe/loop.h"

#define WALL_SWITCH_NAME "wall-switch"

/* flags of struct wall_switch_raw */
#define WALL_RAW_HAS_LEFT 1u		/* the sample's thread left the CPU, and is followed */
#define WALL_RAW_BY_INTERRUPT 2u	/* an interrupt woke the next one; else the waker */
/* the sample's thread woke the one that waker_pid and waker_tid name; there is no next thread */
#define WALL_RAW_WAKES 8u
/* the next thread is seen first; woken: when it was created, maybe long ago */
#define WALL_RAW_BEGAN 16u
#define WALL_RAW_MISSED 4u		/* the next one was woken, and nobody has seen when it got a CPU */
/*
 * what the sample's thread did since the record of it before is not known: it left CPUs, and no record tells
 * when. The same of the next thread. WALL_RAW_HERE: no switch, the sample's thread is on a CPU
 */
#define WALL_RAW_UNSEEN 32u
#define WALL_RAW_NEXT_UNSEEN 64u
#define WALL_RAW_HERE 128u
#define WALL_RAW_BY_END 256u		/* the waker was ending */

/* it could run, but the quota of its control group is used up */
#define WALL_RAW_THROTTLED 'Q'

/* raw data of the samples, in the recorder's byte order */
struct wall_switch_raw {
	u32 flags;
	u32 letter;		/* how the thread waits: R, S, D, T, t, X, Z, P, I, or WALL_RAW_THROTTLED */
	s32 next_pid, next_tid;	/* that got the CPU; 0: it is not followed */
	s32 waker_pid, waker_tid;	/* of the next thread; with WALL_RAW_WAKES who is woken */
	u32 woken[2];		/* when the next thread was woken, low half first; 0: it was not */
	u32 unused;		/* so that samples are aligned */
	/* older files end here */
	u32 arg[2];		/* of a thread that waits: of the system call in progress, low half first */
};

/*
 * Follows it if that argument is a file: what is known of it (util/bpf/wall-switches-types.h). Pipes and
 * others that have neither a name nor a peer end before `address`; in older files they do not
 */
struct wall_file_raw {
	u32 inode[2], mode, family, port, own_port;
	u8 address[16];
	char name[32];
};

struct wall_switches;
struct wall_switches_opts {
	bool all;		/* all threads; else those of a target or command */
	bool inherit;		/* and what they start */
	bool wakers;		/* stacks of wakers, too */
	bool names;		/* names of threads instead of stacks, for wall_switches_read() */
	/* wall_switches_take() gives sums by slots of that length (wall-slots.h); 0: switches */
	u64 slot_ns;
};

/* the event, of switches or of sums by slots; like all of its functions to be called once */
struct event *wall_switches_add_event(struct evset *set, bool slots);
bool wall_switches_is_event(const struct event *ev);
bool wall_slots_is_event(const struct event *ev);
/* what its samples have, after the set was configured */
void wall_switches_configure(struct event *ev);
/* loads the programs. NULL with err, which says what is needed; nothing runs yet */
struct wall_switches *wall_switches_open(const struct wall_switches_opts *o, struct err *err);
/*
 * also looks at the threads at each sample of these events, to know sooner that switches of them were missed;
 * where the kernel does not permit that, it is known at their next switch
 */
void wall_switches_at_samples(struct wall_switches *w, const struct evset *set, const struct open_fds *f);
/* which tasks are followed: those of a target and of a command (pid; 0: there is none) */
int wall_switches_watch(struct wall_switches *w, const struct target *t, s32 pid, struct err *err);
/* from now on; full rings are told as LOOP_FD with this id */
int wall_switches_start(struct wall_switches *w, struct loop *loop, u32 id, struct err *err);
/* no more switches from now on; those before it can be taken */
void wall_switches_stop(struct wall_switches *w);
/* appends samples of the event, by CPU in the order of time, and a record of what was lost meanwhile */
void wall_switches_take(struct wall_switches *w, const struct event *ev, const struct open_fds *f,
			struct strbuf *out);
/* a record without stack */
struct wall_switch_event {
	u64 time;
	s32 pid, tid;
	u32 cpu;
	struct wall_switch_raw raw;
	char name[16];		/* of the thread that left; "": not known */
	char next_name[16];	/* of one that began; "" */
};
/* instead of it: gives what was recorded, by CPU in the order of time; returns what was lost meanwhile */
u64 wall_switches_read(struct wall_switches *w, void (*fn)(void *ctx, const struct wall_switch_event *s),
		       void *ctx);
void wall_switches_free(struct wall_switches *w);

#endif
