/* What the options of perf sched fill, for all its subcommands, and what these have in common. */
#ifndef PERF_BUILTIN_SCHED_H
#define PERF_BUILTIN_SCHED_H

#include "util/cli/parse-options.h"
#include "util/observe/workload.h"
#include "util/sched/latency.h"
#include "util/sched/map.h"
#include "util/sched/timehist.h"
#include "util/sched/waits.h"

struct sched_cmd {
	struct session_opts session;
	struct sample_filter filter;
	char separator;
	bool json, dump;
	struct sched_latency_opts latency;
	bool latency_hist;
	const char *latency_mode;
	struct sched_timehist_opts timehist;
	const char *prio_list;
	const char *timeline;		/* file of a picture instead of text */
	struct sched_map_opts map;
	struct sched_waits_opts waits;
	const char *stats_output;
	struct workload_result command;	/* that stats ran */
	unsigned int replay_repeat;
	const char *map_cpus, *map_color_cpus, *map_color_pids, *map_names;
};

/* the form that was asked for: VIEW_FORM_* */
u32 sched_cmd_form(const struct sched_cmd *c);
/* shows a view in the form that was asked for, and frees it */
int sched_cmd_show(struct sched_cmd *c, struct session *s, struct view *v, struct err *err);

/* before rows that go out as they come: ends the progress line, starts the pager */
void sched_cmd_begin_rows(void);

/* callbacks of option rows */
int sched_opt_latency_sort(const struct option *opt, const char *arg, bool unset);
int sched_opt_waits_sort(const struct option *opt, const char *arg, bool unset);

/* the subcommands: the exit status. options: theirs, for usage errors */
int sched_latency(struct sched_cmd *c, const struct option *options);
int sched_timehist(struct sched_cmd *c, const struct option *options);
int sched_map(struct sched_cmd *c, const struct option *options);
int sched_waits(struct sched_cmd *c, const struct option *options);
/* --timeline of timehist, map and waits */
int sched_timeline(struct sched_cmd *c, const struct option *options);
int sched_replay(struct sched_cmd *c, const struct option *options);
/* argv: what follows "stats" and its options */
int sched_stats(struct sched_cmd *c, const struct option *options, int argc, const char **argv);

extern const char *const sched_usage[], *const sched_stats_usage[];

#endif
