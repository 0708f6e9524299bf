/*
 * Inject: copies a recording, record by record, and changes it on the way. Each change is a rewriter: a row
 * of rewriters.def and a file of this directory. A rewriter sees every record; it lets it pass, drops it, or
 * writes others in its place. Samples and events keep their ids, so the reports of the copy are those of the
 * original, apart from what was asked for. Knows no user interface; reads through a session.
 */
#ifndef PERF_INJECT_INJECT_H
#define PERF_INJECT_INJECT_H

#include "../session/session.h"
#include "../view/slots.h"
#include "../wall/spans.h"
#include "../wall/wall.h"

/* whose build-ids are written */
enum inject_ids {
	INJECT_IDS_NONE,
	INJECT_IDS_HIT,		/* of dsos with samples in them */
	INJECT_IDS_ALL,		/* of all dsos */
};

enum {
#define REDACT(WORD, word, what) REDACT_BIT_##WORD,
#include "redact.def"
#undef REDACT
};
enum redact_word {
#define REDACT(WORD, word, what) REDACT_##WORD = 1 << REDACT_BIT_##WORD,
#include "redact.def"
#undef REDACT
};
/* "dirs,comms"; 0, or -EINVAL with err */
int redact_parse(const char *list, u32 *ret, struct err *err);


/* records that could not be read */
struct inject_left_out {
	u64 nr_samples, nr_others;
};

/* what was found while a recording became slices of wall time */
struct wall_summary {
	struct wall_totals totals;
	bool has_switches, has_arrivals, has_wakeups, has_samples, has_chains, has_waker_stacks;
	u64 nr_slices;			/* that were written; fewer records with wall_sums */
	bool has_sums;			/* of slots of time, instead of switches */
	u32 nr_cpus, nr_cpus_of_machine;	/* CPUs with switches; 0: all, or not known */
	u64 nr_unmapped;		/* waits in page faults at addresses whose map is not recorded */
	u64 nr_dropped;			/* slices too large for a record: their call chains are damaged */
	struct view_marks path;		/* with inject_opts.wall_lanes: the critical path; the caller's */
};

struct inject_opts {
	const char *output;		/* "-": standard output, in pipe format unless it is packed */
	enum inject_ids table;		/* -b: a table of build-ids, in pipes records */
	enum inject_ids maps;		/* -B: build-ids inside map records */
	/* --known-build-ids: "HEX PATH[,HEX PATH...]" or file://FILE; or NULL */
	const char *known;
	const char *vmlinux;		/* -k: its build-id is that of the kernel; or NULL */
	bool sched_stat;		/* -s */
	bool jit;			/* -j */
	bool plain_chains;		/* --convert-callchain */
	bool itrace;			/* --itrace: samples of hardware traces, which the session makes */
	bool strip;			/* --strip: leave out samples that do not come from a trace */
	bool dump_maps;			/* maps of the code in jitdump files */
	bool aslr;			/* --aslr: other addresses */
	u32 redact;			/* bits of enum redact_word: names that are replaced */
	struct inject_left_out *repair;	/* leave out what cannot be read, and count it here; NULL: keep it */
	/*
	 * samples become slices of wall time (util/wall), those of these states (bits 1 << enum wall_state);
	 * 0: they stay
	 */
	u32 wall;
	const char *wall_span;		/* only slices in calls of that function; NULL: all */
	struct wall_spans *wall_spans;	/* its calls; the caller releases it */
	bool wall_wakers;		/* stacks of wakers are below those of waits */
	bool wall_path;			/* only those parts that are on the critical path */
	/* slices of CPU time do not overlap others, and the critical path is known (wall_summary.path) */
	bool wall_lanes;
	u64 wall_from, wall_to;		/* of this time; wall_to 0: of the whole recording */
	/* those that differ only in their times are one sample (wall_event_slices()) */
	bool wall_sums;
	struct wall_summary *wall_summary;	/* is filled; NULL: not wanted */
	bool pack;			/* store symbols and lines in the file: perf pack */
};

/* what perf pack asks for, for this recording */
void inject_pack_opts(struct inject_opts *o, const struct session *s);
/*
 * Writes the copy. 0, or a negative errno with err; the output is then incomplete. Refuses files in the other
 * byte order. A directory becomes one file, and compressed records are written unpacked.
 */
/* nothing is changed but that samples are made of traces: records are read once, in order */
bool inject_only_itrace(const struct inject_opts *opts);
int inject_run(const struct session *s, const struct inject_opts *opts, struct err *err);

#endif
