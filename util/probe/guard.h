/*
 * Guard: tells when probes occur so often that they slow the programs down: the kernel counts how often each
 * probe occurs (uprobe_profile and kprobe_profile of tracefs), and what one costs is measured (cost.h). Warns
 * once.
 */
#ifndef PERF_PROBE_GUARD_H
#define PERF_PROBE_GUARD_H

#include "../base/strbuf.h"
#include "plan.h"

/* events per second from which a warning is always given */
#define PROBE_RATE_LIMIT 1000000.0
/* share of a CPU's time from which a warning is given, in percent */
#define PROBE_SHARE_LIMIT 10.0
/* events per second below which the cost is not measured */
#define PROBE_RATE_CHECKED 5000.0

struct probe_guard {
	const struct probe_plan *plan;
	struct { VEC(u64); } hits;	/* by probe of the plan, at the previous check */
	u64 time;			/* ns; 0: not looked yet */
	bool has_warned;
	u64 ns[4];			/* cost by sum of PROBE_COST_*; measured once */
	bool is_measured[4];
	/* the measured costs of entry and return; NULL: probe_cost_measure(). For tests */
	u64 (*cost)(u32 kinds, bool is_kernel);
};

/*
 * Compares the texts of the two files at this time with those of the previous call. True: a warning was
 * appended to out
 */
bool probe_guard_check(struct probe_guard *g, const char *uprobes, const char *kprobes, u64 time,
		       struct strbuf *out);
/* the same with the current files of the kernel */
bool probe_guard_look(struct probe_guard *g, struct strbuf *out);
void probe_guard_release(struct probe_guard *g);

#endif
