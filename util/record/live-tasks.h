/*
 * Live tasks: the tasks that run, with their names and executable maps, as the recorder knows them from /proc
 * and from the records that it has written since. So each file of --switch-output begins with the state that
 * the file before it ended with, and /proc, which takes the kernel 50 us a process, is read once. Says when
 * it must be read again: after losses, while the side-band was off, with CPUs that were not there before,
 * where records tell of unknown tasks, and now and then, because nobody tells of maps that are gone.
 */
#ifndef PERF_RECORD_LIVE_TASKS_H
#define PERF_RECORD_LIVE_TASKS_H

#include "../base/strbuf.h"
#include "../event/event.h"

/* records may be missing since one of these has changed */
struct live_mark {
	u64 lost;		/* records that the kernel had no room for */
	u64 stops;		/* how often the side-band was switched off */
	s64 cpus;		/* that are online */
};

struct live_tasks;

struct live_opts {
	bool maps;		/* these are wanted, too */
	/*
	 * files only get the tasks that samples or records are of, as soon as one comes: a file that is
	 * converted at once needs no others, and there can be thousands
	 */
	bool sampled;
	/* appends what /proc has of a process with too many maps to be remembered */
	void (*read_process)(void *ctx, s32 pid, struct strbuf *out);
	void *ctx;
};

/* NULL: the events' records cannot be ordered by time */
struct live_tasks *live_tasks_new(const struct evset *set, const struct live_opts *o);
void live_tasks_free(struct live_tasks *t);
/* to which FORK, EXIT, COMM, MMAP and MMAP2 records are appended as they come, for ring_plan.side */
struct strbuf *live_tasks_log(struct live_tasks *t);
/* to which the pids of samples are appended, for ring_plan.pids; NULL: they are not needed */
struct strbuf *live_tasks_pids(struct live_tasks *t);
/* records for the file that is written, after a pass: to be written and reset by the caller */
struct strbuf *live_tasks_out(struct live_tasks *t);
/* after each pass over all rings; newest: the time of any record until now, 0: unknown */
void live_tasks_pass(struct live_tasks *t, u64 newest);
/*
 * what was read from /proc: all tasks that exist, as records of synthesize.h. now_ns: CLOCK_MONOTONIC before
 * that
 */
void live_tasks_load(struct live_tasks *t, const void *records, size_t len, const struct live_mark *mark,
		     u64 now_ns);
/*
 * A new file begins: appends the state, as synth_all_tasks() does, as of some time before now (nothing of it
 * with live_opts.sampled), and the records since then, with their times. False, and nothing is appended: it
 * must be read from /proc
 */
bool live_tasks_put(struct live_tasks *t, struct strbuf *out, const struct live_mark *mark, u64 now_ns);

#endif
