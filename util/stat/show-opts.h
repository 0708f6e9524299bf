/* Show options: how counts are shown, and the counts of one block, for stat-display.h and its pieces. */
#ifndef PERF_STAT_SHOW_OPTS_H
#define PERF_STAT_SHOW_OPTS_H

#include "aggr.h"
#include "metric.h"
#include "../count/pmu-state.h"
#include "../kernel/target.h"
#include "../view/lines.h"

struct iostat;
struct stat_show_opts {
	enum aggr_mode mode;
	bool no_merge, no_scale, hide_zero, percore_show_thread;
	bool intervals, summary;	/* -I; --summary: the total after them */
	bool metric_only;		/* blocks are tables of metrics */
	struct view_sink *sink;		/* what shows blocks */
	const char *title;
	const char *const *cgroup;	/* by event; or NULL */
	bool no_derive;			/* it is not known which counts belong together */
	const struct iostat *iostat;	/* a line for each of its ports; or NULL */
	const struct stat_metrics *plan;/* metrics by name; or NULL */
	/*
	 * by CPU position of the counts; NULL: not known, all is one aggregate. The function makes it once
	 * the counts are known
	 */
	const struct cpu_location *place;
	const char *const *comm;	/* by thread position, for AGGR_THREAD */
	const struct target *target;	/* for reasons; NULL: a file */
};

struct stat_lines_in {
	const struct stat_show_opts *o;
	const struct evset *set;
	const struct aggr *aggr;
	const struct tallies *tallies;
	const struct stat_derive *derive;
	struct stat_values values;
	u32 nr_runs;
	enum pmu_state pmu;		/* if it was asked for; PMU_STATE_UNKNOWN: not known */
};

#endif
