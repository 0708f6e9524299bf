/* What perf stat's options fill, beside the run's own config. */
#ifndef PERF_BUILTIN_STAT_H
#define PERF_BUILTIN_STAT_H

#include "ui/lines.h"
#include "util/base/strbuf.h"
#include "util/pmu/event-table.h"
#include "util/stat/stat-run.h"

#define STAT_OPTIONS_MAX 96

struct stat_args {
	struct stat_opts o;
	struct lines_opts look;
	struct lines_printer printer;
	int fd;			/* where it writes */
	u32 last_event;		/* first event of the last -e: what --filter is for */
	struct table_source tables;	/* --event-table */
	struct strbuf metric_list;	/* all -M */
	const char *output;
	const char *iostat;	/* --iostat: ports, "list", or "" for all; NULL */
	bool json, json_doc, record;
	bool wall;		/* --wall: time by state instead of counts */
	int log_fd, delay_ms;
	bool append, no_aggr, scale, group, hybrid_merge;
	/* whether it was said */
	bool big_num_given, log_fd_given, interval_given, old_scale, scale_given, metric_only_given,
			td_level_given, no_csv_summary_given;
};
/* a command that got the same Ctrl-C has half a second for its last words */
#define STAT_ARGS_INIT { \
	.look.big_num = true, \
	.o = { .repeat = 1, \
	       .counting = { .affinity = true, .observe = { .grace_ms = 500, .tell_delay = true } } }, \
	.scale = true, .log_fd = -1 }

/* options that do not go together, and values out of range: a sentence, or NULL. command: there is one */
const char *stat_conflict(const struct stat_args *a, bool command);
/* the part of it that report shares. summed_up: one of --per-socket, --per-core, ... was given */
const char *stat_output_conflict(const struct stat_args *a, bool summed_up);
/* says which options have no effect where they are, or are not needed any more */
void stat_hints(const struct stat_args *a);
/* the part of it that report shares */
void stat_output_hints(const struct stat_args *a, bool intervals);

/* ---- perf stat record, perf stat report ---- */

struct stat_writer_origin;
struct parse_events_opts;
/* as stat_run(), with a->output as the file of counts */
int stat_record_run(struct stat_args *a, const struct stat_writer_origin *origin, struct counting_result *res,
		    struct err *err);
/* perf stat --wall; what a->o.counting observes, tables to a->fd */
int stat_wall_run(const struct stat_args *a, struct counting_result *res, struct err *err);
int cmd_stat_report(int argc, const char **argv);

/* options and output that report shares */
struct option;
int stat_cb_json(const struct option *opt, const char *arg, bool unset);
int stat_cb_aggr(const struct option *opt, const char *arg, bool unset);
int stat_cb_cache(const struct option *opt, const char *arg, bool unset);
int stat_cb_metrics(const struct option *opt, const char *arg, bool unset);
/* what -M, --topdown, -T and their tables mean for a->o; parse must outlive the run */
int stat_settle_metrics(struct stat_args *a, const struct parse_events_opts *parse, struct err *err);
int stat_open_output(struct stat_args *a, struct err *err);
void stat_close_output(const struct stat_args *a);
void stat_choose_output(struct stat_args *a);

#endif
