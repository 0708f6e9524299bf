/*
 * Itrace options: --itrace, which says what events decoders of hardware traces make. They are parsed here; a
 * kind of trace (util/aux) takes the letters that have a meaning for it.
 */
#ifndef PERF_DATA_ITRACE_OPTS_H
#define PERF_DATA_ITRACE_OPTS_H

#include "../base/err.h"
#include "../base/types.h"

enum itrace_unit { ITRACE_NS, ITRACE_INSTRUCTIONS, ITRACE_TICKS };

enum { ITRACE_FRAMES_MAX = 1024 };

/* all zeros: the command decodes no trace */
struct itrace_opts {
	bool decodes;		/* the command decodes traces */
	bool off;		/* --no-itrace: the user wants none */
	bool lists;		/* the command lists events, rather than counting them: other defaults */
	bool given;		/* --itrace, with letters or without */
	u64 letters;		/* a bit for each: itrace_letter(); 0: the default of the kind of trace */
	u64 period;		/* of i and y, in units; 0: the default of the kind of trace */
	bool has_period;	/* it was given, and may be 0 */
	enum itrace_unit unit;
	u32 frames;		/* after g: of a call chain; 0: the default of the kind of trace */
	bool to_file;		/* samples are written to a file: no members that only this perf knows */
	/* samples are counted by address and task: those in which both are equal may be one, aux/fold.h */
	bool sums;
	bool depths;		/* branches have the depth of calls */
	bool in_order;		/* errors have the time of the packet before them, not a later one */
	bool no_overflow, no_lost;	/* e-o, e-l: these errors are not listed */
	u64 skip;		/* after s: the first samples, which are left out */
	const char *pt_decoder;	/* of Intel PT: NULL, "perf" or "libipt" */
	const char *cs_decoder;	/* of CoreSight: NULL, "perf" or "libopencsd" */
	u32 max_loops;		/* branches in a row without a packet; 0: the default of the kind of trace */
	bool mispred_all;	/* last branches are marked as mispredicted */
	u32 quick;		/* how often q was given */
	u32 branches;		/* after l: last branches; 0: as above */
	u32 other_frames, other_branches;	/* after G and L: the same of samples of other events */
	/* after d: the debug log is written to standard output; has only errors; all or no records */
	bool log_to_stdout, log_only_errors, log_all_records, log_no_records;
	u64 log_size;		/* with log_only_errors: bytes before an error; 0: the default */
};

/* the bit of a letter in either case */
static inline u64 itrace_letter(char c)
{
	return 1ull << (c >= 'a' ? c - 'a' : c - 'A' + 26);
}

/*
 * opts: such as "i1000ig"; NULL: the default. 0, or -EINVAL with err; decodes, off and lists stay as they
 * are
 */
int itrace_parse(const char *opts, struct itrace_opts *ret, struct err *err);
/* only checks them */
int itrace_check(const char *opts, struct err *err);

#endif
