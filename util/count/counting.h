/*
 * Counting: the operations of perf stat for an observer: one run reads counters at ticks and at the end. It
 * knows neither how counts are added up nor how they are shown: its caller gets every reading.
 */
#ifndef PERF_COUNT_COUNTING_H
#define PERF_COUNT_COUNTING_H

#include "../event/counts.h"
#include "../observe/observer.h"

struct counting_opts {
	struct observe_opts observe;
	bool no_inherit, all_kernel, all_user;
	bool only_guest, only_host;	/* events without :G or :H; both: all */
	bool affinity;			/* moves to each CPU to read there */
	const char *pre, *post;		/* command lines to run before and after it; NULL */
	bool sync;			/* calls sync(2) before it */
};

struct counting {
	const struct counting_opts *opts;
	const struct evset *set;
	struct counts counts;		/* totals; on_tick looks at them */
	const struct strbuf *notes;	/* changes that were necessary to open the events, one per line */
};

struct counting_tick {
	bool last;			/* the end of the run; else an interval of -I */
	/* when the reading of counters began and ended; since counting began */
	u64 begun_ns, time_ns;
};

/* both may be NULL; a negative return, with err filled, ends the run */
struct counting_ops {
	/* everything is open, nothing counts yet */
	int (*opened)(void *ctx, struct counting *c, struct err *err);
	int (*tick)(void *ctx, const struct counting *c, const struct counting_tick *t, struct err *err);
	void *ctx;
};

struct counting_result {
	u64 elapsed_ns, user_ns, sys_ns;
	bool has_times;			/* user_ns and sys_ns are the command's */
	int signal;			/* the signal that ended it; 0: none */
	int exit_status;		/* of the command, as a shell would show it */
	bool exec_failed;		/* the command could not be executed */
	bool cut_short;			/* by the signal: the command did not end by itself */
};

/*
 * One run of what ob observes, with the options in o. 0, or a negative errno with err (with exec_failed: the
 * command could not be executed). Messages like "Events enabled" go to the log.
 */
int counting_run(const struct counting_opts *o, struct observer *ob, const struct counting_ops *ops,
		 struct counting_result *ret, struct err *err);

/* sets what counting needs in addition to what the user asked for; idempotent, because runs are repeated */
void counting_set_attrs(struct evset *set, const struct counting_opts *o, enum target_kind kind);

#endif
