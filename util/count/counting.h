/*
 * Counting: what perf stat does with an observer: one run reads counters at ticks and at the end. It knows neither how counts are
 * summed up nor how they are shown: whoever runs it gets every reading.
 */
#ifndef PERF_COUNT_COUNTING_H
#define PERF_COUNT_COUNTING_H

#include "../event/counts.h"
#include "../observe/observer.h"

struct counting_opts {
	struct observe_opts observe;
	bool no_inherit, all_kernel, all_user;
	bool affinity;			/* goes to each CPU to read there */
	const char *pre, *post;		/* command lines to be run before and after it; NULL */
	bool sync;			/* sync(2) before it */
};

struct counting {
	const struct counting_opts *opts;
	const struct evset *set;
	struct counts counts;		/* totals; what on_tick looks at */
	const struct strbuf *notes;	/* what was changed to get the events opened: lines */
};

struct counting_tick {
	bool last;			/* the end of the run; else one of -I */
	u64 begun_ns, time_ns;		/* when counters began to be read, and when that was over; since counting began */
};

/* both may be NULL; a negative return ends the run with err filled */
struct counting_ops {
	/* all is open, nothing counts yet */
	int (*opened)(void *ctx, struct counting *c, struct err *err);
	int (*tick)(void *ctx, const struct counting *c, const struct counting_tick *t, struct err *err);
	void *ctx;
};

struct counting_result {
	u64 elapsed_ns, user_ns, sys_ns;
	bool has_times;			/* user_ns and sys_ns are the command's */
	int signal;			/* that ended it; 0 */
	int exit_status;		/* of the command, as a shell would show it */
	bool exec_failed;		/* the command could not be executed */
	bool cut_short;			/* by the signal: the command did not come to its end */
};

/*
 * One run of what ob observes: its options are those of o. 0, or a negative errno with err (with exec_failed: the command could not
 * be executed). Messages like "Events enabled" go to the log.
 */
int counting_run(const struct counting_opts *o, struct observer *ob, const struct counting_ops *ops, struct counting_result *ret,
		 struct err *err);

/* what counting asks of the kernel on top of what the user's words say; idempotent, because runs are repeated */
void counting_set_attrs(struct evset *set, const struct counting_opts *o, enum target_kind kind);

#endif
