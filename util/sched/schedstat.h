/*
 * Schedstat: what the kernel's scheduler counts by itself, per CPU and per scheduling domain: /proc/schedstat
 * in its versions 15 to 17 (described in the kernel's documentation of sched-stats), and the records
 * SCHEDSTAT_CPU and SCHEDSTAT_DOMAIN of a file. A span is what was counted between two readings.
 */
#ifndef PERF_SCHED_SCHEDSTAT_H
#define PERF_SCHED_SCHEDSTAT_H

#include "../base/err.h"
#include "../session/filter-list.h"
#include "../session/session.h"
#include "../view/view.h"

#define SCHEDSTAT_CPU_VALUES 9u
#define SCHEDSTAT_MAX_VALUES 45u
#define SCHEDSTAT_NO_DOMAIN UINT32_MAX

/* one line: of a CPU, or of a domain of a CPU */
struct schedstat_line {
	u32 cpu, domain;	/* SCHEDSTAT_NO_DOMAIN: of the CPU itself */
	u32 nr;
	u64 value[SCHEDSTAT_MAX_VALUES];
	char name[16];		/* of the domain, "MC"; "": not known */
};

/* all lines at one time, in the order in which the kernel writes them: a CPU, then its domains */
struct schedstat {
	u32 version;
	u64 timestamp;		/* jiffies */
	struct { VEC(struct schedstat_line); } line;
	struct hidx idx;	/* while a file is read */
};

/* reads /proc/schedstat; -ENOENT and -ENOTSUP (unknown version) with err */
int schedstat_read(struct schedstat *s, struct err *err);
void schedstat_release(struct schedstat *s);
/* appends the lines as records; cpus: those that are wanted */
void schedstat_put(const struct schedstat *s, const struct id_filter *cpus, struct strbuf *out);
/* the first and the last reading of each line in a file. -ENOENT with err: the file has none */
int schedstat_load(struct schedstat *first, struct schedstat *last, const struct session *s, struct err *err);

struct schedstat_span {
	struct schedstat first, last;
};
/* values: of one span, or of two that are compared; explain: with a sentence about each field */
struct view *schedstat_view(const struct schedstat_span *span, u32 nr_spans, const struct id_filter *cpus,
			    bool explain, u32 form);

#endif
