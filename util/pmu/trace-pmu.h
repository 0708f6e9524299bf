/*
 * Trace-pmu: the PMUs that write traces into AUX areas, a row (trace-pmus.def) and a file each: which terms
 * their events have by default, which values are valid, what decoders must know of the machine (the words of
 * an AUXTRACE_INFO record), and what is recorded beside the trace. All of it from sysfs, through base/fs.
 */
#ifndef PERF_PMU_TRACE_PMU_H
#define PERF_PMU_TRACE_PMU_H

#include "pmu.h"
#include "../event/event.h"

struct perf_event_mmap_page;
struct evset;

/* what the words of a recording depend on */
struct trace_info {
	struct pmus *pmus;
	const struct pmu *pmu;		/* of ev */
	const struct event *ev;		/* the first event of this PMU */
	const struct evset *set;
	const struct perf_event_mmap_page *page;	/* of a ring of ev: has the conversion of times */
	const int *cpu;			/* on which ev is open, nr_cpus of them; -1: any */
	u32 nr_cpus;
	bool per_cpu;			/* areas are of CPUs, not of threads */
	bool system_wide;
	bool snapshot;
};

struct trace_pmu {
	const char *title;		/* in messages: "Intel PT" */
	const char *pmu;		/* its name in sysfs, a glob */
	u32 type;			/* in AUXTRACE_INFO records */
	bool head_wraps;		/* snapshots: kernel/aux-ring.h */
	bool switches;			/* decoders ask which thread ran on a CPU: switches are recorded */
	bool walks_code;		/* decoders read the code that ran */
	/* before the terms that users type: bits of attr; sample_period, if it is not 1. NULL: none */
	void (*defaults)(const struct pmu *pmu, struct pe_attr *attr);
	/* after them: 0, or negative errno with err. NULL: the kernel checks */
	int (*check)(const struct pmu *pmu, const struct pe_attr *attr, struct err *err);
	/* with samples of the trace (--aux-sample): as defaults, where the user typed no such term. NULL */
	void (*sampled)(const struct pmu *pmu, struct pe_attr *attr, u32 sample_size, struct strbuf *notes);
	/* appends words of AUXTRACE_INFO, u64 each */
	void (*words)(const struct trace_info *in, struct strbuf *out);
	/* whose CPUs have it, and what /proc/cpuinfo says of them: "Intel CPUs", "GenuineIntel" */
	const char *cpus, *cpuinfo;
	const char *absent;		/* why one of them may lack it */
};

/* NULL: not a trace PMU */
const struct trace_pmu *trace_pmu_of(const struct pmu *pmu);
/* the row that this word means, whether the machine has such a PMU or not: "arm_spe", "intel_pt"; NULL */
const struct trace_pmu *trace_pmu_named(const char *word, size_t len);
/* hints why this machine has no such PMU, and what works */
void trace_pmu_explain(const struct trace_pmu *row, struct err *err);

/* ---- for rows ---- */

void trace_put(struct strbuf *out, u64 word);
/* CPUs that are recorded, which the caller releases: for threads all that are online */
void trace_cpus(const struct trace_info *in, struct cpulist *ret);
/* a file of the PMU's folder as a number; false if there is none */
bool trace_file_u64(const struct pmu *pmu, const char *name, u64 *ret);
/* its first line; empty if there is none */
void trace_file_line(const struct pmu *pmu, const char *name, struct strbuf *out);
/* the bits of config of a field; 0: the PMU has no such field there */
u64 trace_bits(const struct pmu *pmu, const char *name);
/* sets a field of config to a value, if the PMU has it and the value fits */
void trace_set(const struct pmu *pmu, struct pe_attr *attr, const char *name, u64 value);
/* its value in attr; 0 without such a field */
u64 trace_get(const struct pmu *pmu, const struct pe_attr *attr, const char *name);
/* how counter values become times, and whether that is known; is_short: the counter wraps inside mask */
struct trace_times {
	u64 shift, mult, zero, known;
	u64 cycles, mask;
	bool is_short;
};
struct trace_times trace_times_of(const struct perf_event_mmap_page *page);

#endif
