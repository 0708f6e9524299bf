/*
 * Counting: one run of perf stat: opens counters, starts the command, reads at ticks and at the end. It knows neither how counts
 * are summed up nor how they are shown: whoever runs it gets every reading. Owns the descriptors, the command and the loop.
 */
#ifndef PERF_SYS_COUNTING_H
#define PERF_SYS_COUNTING_H

#include "../event/counts.h"
#include "open.h"
#include "target.h"

/* -D: off until --control says "enable" */
#define COUNTING_DELAY_FOREVER UINT64_MAX

struct counting_config {
	struct evset *set;		/* may be empty: only times are taken */
	struct target *target;		/* resolved; of a workload the pid is filled in here */
	const char *const *argv;	/* the command, or NULL: until Ctrl-C, or until the tasks are gone */
	const char *exec_dir;
	const char *const *cgroup;	/* by event: the group it is limited to, NULL for none; or NULL */
	bool no_inherit, no_affinity, all_kernel, all_user;
	u64 delay_ns, interval_ns, timeout_ns;	/* 0: none */
	u32 interval_count;		/* ends after so many intervals; 0: no limit */
	const char *control;		/* --control; NULL */
	const char *pre, *post;		/* command lines to be run before and after it; NULL */
	bool sync;			/* sync(2) before it */
};

struct counting {
	const struct counting_config *config;
	const struct evset *set;
	struct target *target;
	struct open_fds fds;
	struct counts counts;		/* totals; what on_tick looks at */
	struct strbuf notes;		/* what was changed to get the events opened: lines */
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
 * One run. 0, or a negative errno with err (with exec_failed: the command could not be executed). Messages like
 * "Events enabled" go to the log.
 */
int counting_run(const struct counting_config *c, const struct counting_ops *ops, struct counting_result *ret, struct err *err);

/* what counting asks of the kernel on top of what the user's words say; idempotent, because runs are repeated */
void counting_set_attrs(struct evset *set, const struct counting_config *c, enum target_kind kind);

#endif
