/*
 * Wall-marks: the threads that sleep when a recording begins and when it ends. The kernel tells nothing of a
 * thread that sleeps all the time, and of one that wakes up late only what it does from then on. So each of
 * them gets a sample of the event "wall" (wall-events.h) at both ends: when it was seen asleep, and as raw
 * data how (struct wall_mark_raw). Its call chain is the kernel's stack in /proc/PID/task/TID/stack, which
 * root alone may read, and where in user space the thread called the kernel (/proc/PID/task/TID/syscall).
 */
#ifndef PERF_RECORD_WALL_MARKS_H
#define PERF_RECORD_WALL_MARKS_H

#include "../base/strbuf.h"
#include "../base/strtab.h"
#include "../event/event.h"
#include "../kernel/open.h"
#include "../kernel/target.h"

/*
 * Raw data of the samples, in the recorder's byte order; with the size before it, it is aligned. If the
 * argument is a descriptor, a struct wall_file_raw (wall-switches.h) follows, without the peers of sockets
 */
struct wall_mark_raw {
	u32 letter;		/* how the thread sleeps: S, D, T, t, I */
	u32 arg[2];		/* of the system call in progress, low half first */
};

struct wall_marks {
	struct strtab names;	/* of functions, as in stacks: "do_wait", "do_wait [module]" */
	struct { VEC(u64); } addr;	/* by name; 0: the kernel does not tell it */
};

/* the event's samples have what marks need; after sample_attr_config() */
void wall_marks_configure(struct evset *set);
/* whether samples of the event are marks: those of older recordings have no samples of it */
bool wall_marks_is_event(const struct event *ev);
/*
 * Appends a sample for each thread of the target, which has tasks, that sleeps now. follow: of its children
 * and theirs, too. Where the time of samples cannot be told, nothing is appended
 */
void wall_marks_put(struct wall_marks *m, const struct evset *set, const struct open_fds *f,
		    const struct target *t, bool follow, struct strbuf *out);
void wall_marks_release(struct wall_marks *m);
/* calls fn for each of these threads instead, with the letter of its state */
void wall_marks_each(const struct target *t, bool follow,
		     void (*fn)(void *ctx, s32 pid, s32 tid, char letter), void *ctx);

#endif
