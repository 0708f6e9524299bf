/*
 * Loop: one place that waits for everything: rings, signals, a child, timers, a control descriptor. It uses
 * epoll, and the caller asks for the next events. Never polls: without events it sleeps. Owns its epoll,
 * signal and timer descriptors.
 */
#ifndef PERF_OBSERVE_LOOP_H
#define PERF_OBSERVE_LOOP_H

#include <signal.h>
#include "../base/err.h"

enum loop_kind {
	LOOP_RING,	/* id is the caller's: a ring has reached its watermark */
	/* the ring's task has ended: reported once, and the descriptor is not watched any longer */
	LOOP_RING_HUP,
	LOOP_SIGNAL,	/* id: the signal */
	LOOP_CHILD,	/* the process of loop_add_child() has ended */
	LOOP_TIMER,	/* id: which timer */
	LOOP_FD,	/* id is the caller's: a descriptor is readable, or its other end was closed */
};

struct loop_event {
	enum loop_kind kind;
	u32 id;
};

#define LOOP_TIMERS 6

struct loop {
	int epfd, sigfd, timer[LOOP_TIMERS];
	sigset_t old_mask;
	bool masked;
};

/* a loop that waits for nothing; may be released */
#define LOOP_NONE { .epfd = -1, .sigfd = -1, .timer = { -1, -1, -1, -1, -1, -1 } }

int loop_init(struct loop *l, struct err *err);
/* the same for a loop whose signals were kept by loop_clear(): it waits for them */
int loop_reopen(struct loop *l, struct err *err);
/*
 * these signals are blocked and reported as LOOP_SIGNAL; workloads must be forked with l->old_mask restored
 */
int loop_add_signals(struct loop *l, const int *sig, int nr, struct err *err);
int loop_add_ring(struct loop *l, int fd, u32 id, struct err *err);
/* only LOOP_RING_HUP */
int loop_add_ring_hup(struct loop *l, int fd, u32 id, struct err *err);
int loop_add_fd(struct loop *l, int fd, u32 id, struct err *err);
/* the same each time that the kernel wakes its readers, whether it is readable or not: they may leave data */
int loop_add_wakeups(struct loop *l, int fd, u32 id, struct err *err);
/* pidfd: LOOP_CHILD is reported once, when it becomes readable */
int loop_add_child(struct loop *l, int pidfd, struct err *err);
void loop_del_fd(struct loop *l, int fd);
/* first after first_ns, then every interval_ns (0: once); first 0 stops it */
int loop_set_timer(struct loop *l, unsigned int timer, u64 first_ns, u64 interval_ns, struct err *err);
/*
 * sleeps until something happens; returns at most max events. 0 or more; negative errno only if it cannot go
 * on
 */
int loop_wait(struct loop *l, struct loop_event *ev, int max);
/* does not sleep: takes a pending signal of loop_add_signals() and returns it; 0: none */
int loop_take_signal(struct loop *l);
/*
 * sleeps until fd is readable (true), a signal is pending (false), or timeout_ms have passed (false; -1: for
 * ever)
 */
bool loop_wait_fd(const struct loop *l, int fd, int timeout_ms);
/* it waits for nothing, but its signals stay blocked: one that comes now is there after loop_reopen() */
void loop_clear(struct loop *l);
void loop_release(struct loop *l);

#endif
