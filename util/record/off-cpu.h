/*
 * Off-cpu: how long tasks sleep, and where: perf record --off-cpu. A BPF program at sched:sched_switch notes
 * the stack of a task that goes to sleep (waits of a task that could run are left out), and adds the time
 * until it runs again to the entry of thread and stack. So nothing crosses a ring; now and then, each entry
 * becomes a sample of the event "offcpu-time", whose period is the time in ns.
 *
 * Stacks are those of user space, by frame pointers, and of the kernel for its own threads. A key of a BPF
 * map has at most 512 bytes, so a stack has at most OFF_CPU_FRAMES frames.
 */
#ifndef PERF_RECORD_OFF_CPU_H
#define PERF_RECORD_OFF_CPU_H

#include "../bpf/off-cpu-types.h"
#include "../event/event.h"
#include "../kernel/open.h"
#include "../base/strbuf.h"

struct off_cpu;

/* adds the event to a set; it is recorded with the others, and the kernel makes no samples of it */
struct event *off_cpu_add_event(struct evset *set);
/* what the samples of that event have, after the set was configured: with_chain is for call graphs */
void off_cpu_configure(struct event *ev, bool with_chain);
/*
 * loads the program for the tasks of a target, or the command's (pid; 0: there is none), and what they
 * create. The event was configured, and lives as long as this. A sleep of long_ns or more has a sample of its
 * own. NULL with err, which says what is needed; nothing is measured yet
 */
struct off_cpu *off_cpu_open(const struct event *ev, const struct target *t, s32 pid, u64 long_ns,
			     struct err *err);
int off_cpu_start(struct off_cpu *o, struct err *err);
/*
 * appends a sample for each thread and stack that has slept since the last time, with the time when it last
 * woke up: to be called after each pass over the rings, so that readers find them in order
 */
void off_cpu_take(struct off_cpu *o, const struct open_fds *f, struct strbuf *out);
/* sleeps that found no room in the tables */
u64 off_cpu_lost(const struct off_cpu *o);
void off_cpu_free(struct off_cpu *o);

#endif
