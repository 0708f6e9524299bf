/*
 * Open: an event set on CPUs x threads through perf_event_open(2): a matrix of descriptors. If the kernel
 * refuses, the degrade table is walked, newest kernel feature first; each step is noted once. The attributes
 * of the set are changed to what was opened, so that the file says what was measured. Owns the descriptors.
 */
#ifndef PERF_KERNEL_OPEN_H
#define PERF_KERNEL_OPEN_H

#include "../base/err.h"
#include "../base/strbuf.h"
#include "../event/event.h"
#include "target.h"

struct open_fds {
	u32 nr_events, nr_cpus, nr_threads;
	/* [event][cpu][thread]; -1: not opened (not this event's CPU, a thread that is gone) */
	int *fd;
	u64 *id;		/* same dimensions; the kernel's ids, once open_read_ids() was called */
	int *cpu;		/* nr_cpus of them; -1: any CPU */
	s32 *tid;		/* nr_threads of them; -1: all tasks */
	bool *is_slow;		/* by event: closing it takes long (tracepoints other than probes) */
	u16 *refused;		/* by event: the errno for which it was skipped (open_opts.stat); 0 */
	bool *stopped;		/* by event: it was disabled by a function of this file */
	u32 *stops;		/* by event: how often */
};

static inline size_t open_at(const struct open_fds *f, u32 ev, u32 cpu, u32 thread)
{
	return ((size_t)ev * f->nr_cpus + cpu) * f->nr_threads + thread;
}

struct open_opts {
	const struct target *target;
	/* TARGET_SYSTEM: per event the cgroup to which it is limited, -1 for none; or NULL */
	const int *event_cgroup_fd;
	/* counting: unsupported events and their groups are skipped (fd -1) instead of being an error */
	bool stat;
	bool no_fallback;		/* no fallback: neither cpu-clock for cycles nor :u for kernel */
	/* lines for the user ("cycles is not supported here: using cpu-clock"), or NULL */
	struct strbuf *notes;
};

/*
 * Opens every event of the set. attr.size is made as small as the fields in use allow. 0, or a negative errno
 * with err, which names the rule that refused and a command that works (kernel/open-explain); then nothing is
 * left open.
 */
int open_events(struct open_fds *ret, struct evset *set, const struct open_opts *o, struct err *err);
/* reads PERF_EVENT_IOC_ID of each descriptor into f->id, and calls evset_set_ids() for each event */
int open_read_ids(struct open_fds *f, struct evset *set, struct err *err);
/*
 * PERF_EVENT_IOC_SET_FILTER for the events that have a filter; to be called before anything is enabled. The
 * message shows filter and fields
 */
int open_set_filters(const struct open_fds *f, const struct evset *set, struct err *err);
/* PERF_EVENT_IOC_SET_BPF: a program that decides which samples of the event are kept. 0 or -errno */
int open_set_bpf(const struct open_fds *f, u32 ev, int prog);
/* PERF_EVENT_IOC_ENABLE / DISABLE for every group leader (members follow), or for one event */
int open_enable(const struct open_fds *f, const struct evset *set, struct err *err);
int open_disable(const struct open_fds *f, const struct evset *set, struct err *err);
int open_enable_event(const struct open_fds *f, const struct event *ev, bool on, struct err *err);
/*
 * the kernel disables an event whose AUX area is full: enables this descriptor again, unless perf has stopped
 * the event
 */
void open_resume(const struct open_fds *f, const struct evset *set, int fd);
/* tracepoints are closed in the background (kernel/open-close) */
void open_release(struct open_fds *f);

/* true if an event belongs on a CPU (uncore, hybrid); always for -1 */
bool event_wants_cpu(const struct event *ev, int cpu);

/* the smallest PERF_ATTR_SIZE_VERn that holds every field of a that is not zero */
u32 attr_size_needed(const struct pe_attr *a);

/*
 * called instead of the system call and the ioctls, for tests; NULL: the real ones. Returns a descriptor or
 * -errno
 */
typedef int (*open_syscall)(const struct pe_attr *attr, s32 pid, int cpu, int group_fd, unsigned long flags);
void open_set_syscall_for_test(open_syscall fn);
/* perf_event_open() through that hook: for probes elsewhere */
int open_raw(const struct pe_attr *attr, s32 pid, int cpu, int group_fd, unsigned long flags);
/* closes such a descriptor; scripted tests have descriptors that are not real */
void close_raw(int fd);

/*
 * open-explain: one message per refusal, naming the rule (sysctl with its value and meaning, capability,
 * limit), with a hint: a command that works. errnum is positive.
 */
int open_explain(const struct evset *set, const struct event *ev, const struct target *t, int errnum,
		 struct err *err);
/* ring buffers that are to be mapped, in pages; aux_pages: of the AUX area beside each, 0: none */
struct map_sizes {
	u64 nr_rings, pages, aux_pages;
};
/* the same for mmap of one of these (EPERM: mlock limit, ENOMEM, EINVAL) */
int open_explain_mmap(const struct map_sizes *m, int errnum, struct err *err);

#endif
