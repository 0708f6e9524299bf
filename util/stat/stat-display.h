/*
 * Show: from counts to blocks of lines: aggregates, tallies, lines with their derived values, notes; a sink
 * shows them. Used by perf stat for each reading, and by perf stat report for what a file holds. Owns what
 * lasts over the blocks of a run.
 */
#ifndef PERF_STAT_SHOW_H
#define PERF_STAT_SHOW_H

#include "../base/err.h"
#include "show-opts.h"

/* the end of a run, or of all */
struct stat_times {
	u64 elapsed_ns, user_ns, sys_ns;
	bool has_times;			/* user_ns and sys_ns are known */
};

struct stat_show;
/* set and what the options point to must outlive it */
struct stat_show *stat_show_new(const struct stat_show_opts *o, const struct evset *set);
void stat_show_free(struct stat_show *s);
/* the topology and names of the counts to come, where they were not known before */
void stat_show_locations(struct stat_show *s, const struct cpu_location *place, const char *const *comm);
/*
 * One interval: totals so far, ns since the start: when reading them began (time_ns where that is not known)
 * and when it was over. -errno with err where it cannot be written.
 */
int stat_show_interval(struct stat_show *s, const struct counts *total, u64 begun_ns, u64 time_ns,
		       struct err *err);
/* the end of a run: kept; to be called once a run. A new run counts from 0 again */
void stat_show_run_end(struct stat_show *s, const struct counts *total, const struct stat_times *t);
/* intervals in the text layout have no table to put the notes below: comment lines after the last one */
int stat_show_notes(struct stat_show *s, struct err *err);
/*
 * the table over all runs since the last one (not with intervals, unless a summary is wanted), then
 * what ends the output
 */
int stat_show_table(struct stat_show *s, struct err *err);
int stat_show_finish(struct stat_show *s, struct err *err);
/* a sentence for the end of the table; copied */
void stat_show_note(struct stat_show *s, const char *text);

#endif
