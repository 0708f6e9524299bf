/*
 * Stat-file: counts in perf.data files, as perf stat record writes them and perf stat report reads them. A
 * file holds the events (one id each at least), what they count (unit, scale), the CPUs and threads, how they
 * were summed up, and after each round the totals of every counter since the start. Layout:
 * Documentation/dev/perf-data-format.txt.
 */
#ifndef PERF_STAT_STAT_FILE_H
#define PERF_STAT_STAT_FILE_H

#include "../data/open.h"
#include "../data/walk.h"
#include "../data/writer.h"
#include "aggr.h"

/* how counting was asked for: what STAT_CONFIG says */
struct stat_file_config {
	enum aggr_mode mode;
	u32 cache_level;	/* of AGGR_CACHE; 0: the last level */
	u64 interval_ms;	/* -I; 0: none */
	bool no_scale;
	/* by event: what it is limited to, NULL for those that are not; or NULL (writing) */
	const char *const *cgroup;
};

/* the record at the end of each round */
struct stat_round {
	bool last;		/* the end of a run; else an interval */
	u64 time_ns;		/* since the start */
	bool has_times;		/* user_ns, sys_ns: of the command, which has ended */
	u64 user_ns, sys_ns;
};

struct stream_format;

/* ---- writing ---- */

struct stat_writer {
	struct writer w;
	struct evset *set;	/* the events as the file has them */
	struct features f;
	struct strbuf buf;
};

/* the command line that the header quotes, and the program's version */
struct stat_writer_origin {
	int argc;
	const char *const *argv;
	const char *version;
};

/*
 * Starts path ("-": a pipe on standard output). c: the shape and the states of all counters; an event that is
 * unsupported wherever it belongs gets no id, which is how readers know.
 */
int stat_writer_open(struct stat_writer *w, const char *path, const struct evset *set, const struct counts *c,
		     const struct stat_file_config *config, const struct stat_writer_origin *origin,
		     struct err *err);
/* one round: the totals */
int stat_writer_round(struct stat_writer *w, const struct counts *c, const struct stat_round *round,
		      struct err *err);
int stat_writer_finish(struct stat_writer *w, struct err *err);
/* also one that was never opened (zeroed) */
void stat_writer_release(struct stat_writer *w);

/* ---- reading ---- */

struct stat_file {
	struct data *data;
	bool own_data;
	const struct evset *set;
	struct stat_file_config config;
	struct counts counts;	/* totals up to the round that was read last */
	struct cpu_location *place;	/* by CPU of counts, as far as the header knows them */
	const char **comm;	/* by thread of counts; NULL for those without a name */
	/* by event, NULL for those that count everything; or NULL: no event is limited to a group */
	const char **cgroup;
	bool cgroups_unknown;	/* events are, but the file does not say to which */
	char *title;		/* the recorder's command line in quotes */
	struct rec_walk walk;
	struct arena arena;
	struct diag diag;
};

/*
 * -EINVAL with err for a file that holds no counts, or says that it has more counters than its
 * size can justify.
 */
int stat_file_open(struct stat_file *f, const struct data_opts *opts, struct err *err);
/*
 * the same of data that somebody else has opened and will close, after this; units and names of its events
 * are brought up to date
 */
int stat_file_of(struct stat_file *f, struct data *data, struct err *err);
/*
 * true for a file that perf stat record wrote. Of a pipe that is read live, waits for the record that tells
 */
bool stat_file_is(struct data *d);
/*
 * 1: counts hold the totals of the next round; 0: there are no more. Waits for it where the
 * data are read live
 */
int stat_file_next(struct stat_file *f, struct stat_round *ret);
void stat_file_close(struct stat_file *f);

/* a counter that the file has counts of, and its total after the round that was read last */
struct stat_counter {
	const char *event;
	int cpu, tid;		/* -1: all of them */
	const struct count *count;
};
/* the next one; *at: 0 at first. False after the last one */
bool stat_file_counter(const struct stat_file *f, size_t *at, struct stat_counter *ret);
/*
 * perf script: the counters of the round that was read last, one a line, totals as the file has them;
 * perhaps below a line of titles. As cells: each an object of the type "count"
 */
void stat_script_round(const struct stat_file *f, const struct stat_round *round, bool titles,
		       struct strbuf *out);
void stat_script_cells(const struct stat_file *f, const struct stat_round *round,
		       const struct stream_format *format, struct strbuf *out);

/*
 * where the CPUs of c sit, as the features of a file say; what they do not say is -1. cache_level
 * 0: the last level
 */
void stat_locations_of_features(struct cpu_location *place, const struct counts *c, const struct features *f,
				u32 cache_level);

#endif
