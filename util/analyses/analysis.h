/*
 * Analyses by name: what 'perf script NAME' answers. An analysis is a row of analyses.def and a file with its
 * struct analysis_ops: the tracepoints that it reads, their handlers, and the view of the result. It knows
 * nothing of commands; recording, options, formats and refreshing are its callers'. See
 * HOWTO-add-an-analysis.md.
 */
#ifndef PERF_ANALYSES_ANALYSIS_H
#define PERF_ANALYSES_ANALYSIS_H

#include "../tracing/tracing.h"
#include "../view/rows.h"

/* the arguments of an analysis, as its row lists them */
#define ANALYSIS_TAKES_COMM	(1u << 0)	/* the name of a program */
#define ANALYSIS_TAKES_TID	(1u << 1)	/* the number of a task, instead of a name */
#define ANALYSIS_TAKES_INTERVAL	(1u << 2)	/* seconds between two tables */
#define ANALYSIS_NEEDS_COMM	(1u << 3)	/* the name must be given */

#define ANALYSIS_WORDS 16
struct analysis_args {
	const char *comm;	/* NULL: all */
	const char *tid;	/* NULL: all; digits */
	u32 interval;		/* seconds; 0: not given */
	/* by row of ops->word: NULL: not given; what follows its "=", or "" */
	const char *word[ANALYSIS_WORDS];
	const char *lacks;	/* the last word, whose value would be the next one; NULL: none */
};

/* the first member of the struct of each analysis */
struct analysis_run {
	const struct session *session;
	const struct analysis_args *args;
	u32 form;		/* VIEW_FORM_*: how the view is to be shown; known to `view` only */
	u32 file;		/* the word of ops->files whose table is wanted; 0: what is printed */
	u32 table;		/* the bit of view_field.tables of the table that is added next; 0: none */
	struct arena arena;	/* texts of rows; as long as the struct */
};

struct analysis_ops {
	size_t size;		/* of its struct, which begins with a struct analysis_run; zeroed at first */
	u32 takes;		/* ANALYSIS_TAKES_* */
	u32 interval;		/* seconds between two tables of what runs now; 0: one at the end */
	/*
	 * words of its own among the arguments, ended by a NULL: "tx"; "dev=" if a value follows; or NULL.
	 * The value of "--limit=" can be the next argument, too
	 */
	const char *const *word;
	/* which of them, by bits, are names of files for a table each: nothing is printed then */
	u32 files;
	const struct tracing_row *row;
	u32 nr_rows;
	/* samples of events without a row; NULL: they are ignored */
	void (*other)(void *ctx, const struct tracing_sample *ts);
	/* reads a file of counts instead of samples, which perf stat record makes; or NULL */
	int (*read)(void *ctx, struct session *s, struct err *err);
	/* the options of perf record (or stat record) of an analysis without rows, ended by a NULL */
	const char *const *record;
	bool kernel_names;	/* it names functions of the kernel */
	/*
	 * it combines events of several tasks: it records all CPUs, and a filter by task would leave out half
	 * of what it needs
	 */
	bool whole_system;
	/* before the first sample: 0, or a negative errno with err if it cannot be answered; may be NULL */
	int (*begin)(void *ctx, struct err *err);
	/* adds tables and summaries; called at the end, for each file or once for what is printed */
	void (*view)(void *ctx, struct view *v);
	void (*release)(void *ctx);
};

struct analysis {
	const char *name, *args, *summary, *better;
	const struct analysis_ops *ops;
};

/* NULL: none has that name; NULL after the last one */
const struct analysis *analysis_find(const char *name);
const struct analysis *analysis_at(size_t i);
/* what to use instead of a script of upstream that is not built in; NULL: no such name */
const char *analysis_elsewhere(const char *name);

/*
 * Takes the analysis' own words (ops->word), with their values, out of argv; all: wherever they are, else
 * only those that it begins with. Returns how many words are left
 */
int analysis_take_words(const struct analysis *a, int argc, const char **argv, bool all,
			struct analysis_args *ret);
/*
 * Takes the words that are other arguments of the analysis; all of them must be. 0, or -EINVAL with err,
 * which says what is expected
 */
int analysis_parse(const struct analysis *a, int argc, const char *const *argv, struct analysis_args *ret,
		   struct err *err);
/* a run on the session, whose handlers get it as their ctx; args must outlive it */
struct analysis_run *analysis_begin(const struct analysis *a, const struct session *s,
				    const struct analysis_args *args);
/* bits of ops->word: the files that are to be written */
u32 analysis_files(const struct analysis *a, const struct analysis_args *args);
/* the answer, or the part of it that a file holds (run->file), to be freed before the run */
struct view *analysis_view(const struct analysis *a, struct analysis_run *run, u32 form);
/* forgets what was counted: the next table begins */
void analysis_reset(const struct analysis *a, struct analysis_run *run);
void analysis_end(const struct analysis *a, struct analysis_run *run);

/* ---- for the files of analyses ---- */

#define ANALYSIS(id, name, args, summary, better) extern const struct analysis_ops analysis_##id;
#include "analyses.def"

/* a text that lives as long as the run */
const char *analysis_text(struct analysis_run *run, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* a name of the recording, without what would harm a terminal */
const char *analysis_safe_name(struct analysis_run *run, const char *name);
/* "WHAT:", or with the name or number of an argument "WHAT for ARG:" */
const char *analysis_title(struct analysis_run *run, const char *what);
/* the name of a task at the time of the sample, as an id; and its text, ":TID" where it is not known */
u32 analysis_comm(const struct tracing_sample *ts);
const char *analysis_comm_name(struct analysis_run *run, u32 comm, s32 tid);
/* "openat": the name of a system call of the machine that was recorded; its number where it has none */
const char *analysis_call_name(struct analysis_run *run, u32 nr);
/* "ENOENT", or "errno 999" */
const char *analysis_errno_name(struct analysis_run *run, u32 errnum);
/* whether a call that returned this has failed */
static inline bool analysis_call_failed(u64 ret)
{
	return (s64)ret < 0 && (s64)ret > -4096;
}

/* a table in the usual look: rows of any struct, all columns of fields; title NULL: none */
struct view_table *analysis_add_table(struct analysis_run *run, struct view *v, const char *name,
				      const char *title, const struct view_field *field, u32 nr_fields,
				      const void *row, size_t nr, size_t size);

/* the same of sorted rows of a tally; as text their groups and subgroups are lines between them */
struct tally_table;
struct view_table *analysis_add_tally(struct analysis_run *run, struct view *v, const char *name,
				      const char *title, const struct view_field *field, u32 nr_fields,
				      const struct tally_table *rows);

#endif
