/*
 * Budget: how much CPU time and memory a session of perf daemon may use, and whether it used more. What
 * counts is the recorder and the process beside it that converts files, not the command that it runs. Owns
 * nothing.
 */
#ifndef PERF_DAEMON_BUDGET_H
#define PERF_DAEMON_BUDGET_H

#include <sys/types.h>
#include "../base/err.h"

enum budget_kind { BUDGET_CPU, BUDGET_MEMORY, BUDGET_KINDS };

struct budget_limit {
	u64 amount;		/* CPU: millionths of a CPU; memory: bytes; 0: there is no limit */
	u64 window_ns;		/* time over which it is measured */
};

struct budget {
	struct budget_limit limit[BUDGET_KINDS];
};

/* where a running recorder is in the windows of its budget */
struct budget_meter {
	struct {
		u64 begin_ns, end_ns;	/* CLOCK_MONOTONIC */
		u64 cpu_ns;		/* at begin_ns */
		bool counts;		/* false: the first one after a start, which reads maps and symbols */
	} window[BUDGET_KINDS];
};

/* "1%", "0.5%/10s" (CPU) or "100M", "1G/10s" (memory): -EINVAL with err */
int budget_parse(struct budget_limit *ret, enum budget_kind kind, const char *text, struct err *err);
bool budget_equal(const struct budget *a, const struct budget *b);
/* whether there is a limit at all */
bool budget_limits(const struct budget *b);
/* begins the windows of a recorder that was just started */
void budget_start(struct budget_meter *m, const struct budget *b, u64 now_ns);
/* the kind that was exceeded in a window that is over, or BUDGET_KINDS. Begins the next windows */
enum budget_kind budget_check(struct budget_meter *m, const struct budget *b, pid_t recorder, u64 now_ns);
/* when the next window is over; 0: there are none */
u64 budget_next(const struct budget_meter *m);
/* appends "cpu = 1%" or "memory = 100M" */
struct strbuf;
void budget_text(struct strbuf *out, const struct budget *b, enum budget_kind kind);

#endif
