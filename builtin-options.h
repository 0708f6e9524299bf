/* Options: callbacks of option rows that several commands have. opt->value is what the comment says. */
#ifndef PERF_BUILTIN_OPTIONS_H
#define PERF_BUILTIN_OPTIONS_H

#include "util/cli/parse-options.h"
#include "util/event/event.h"
#include "util/pmu/event-table.h"

/* what -e and the options that follow one fill */
struct event_args {
	struct evset *set;
	struct table_source tables;	/* --event-table */
	u32 last_event;			/* first event of the last -e: what --filter is for */
};

/* struct event_args: -e, --pfm-events, --filter */
int opt_events(const struct option *opt, const char *arg, bool unset);
int opt_pfm_events(const struct option *opt, const char *arg, bool unset);
int opt_filter(const struct option *opt, const char *arg, bool unset);
/* u64: samples a second, SAMPLE_FREQ_MAX for "max" */
int opt_freq(const struct option *opt, const char *arg, bool unset);
/* u64: events a sample */
int opt_count(const struct option *opt, const char *arg, bool unset);
/* u64: pages of a ring buffer */
int opt_mmap_pages(const struct option *opt, const char *arg, bool unset);
/* struct observe_opts: the same, and pages of an AUX area: "N", "N,AUX", ",AUX" */
int opt_mmap_sizes(const struct option *opt, const char *arg, bool unset);
/* unsigned int, milliseconds: "2" (seconds), "500ms" */
int opt_seconds(const struct option *opt, const char *arg, bool unset);
/* log_level: no messages but errors */
int opt_quiet(const struct option *opt, const char *arg, bool unset);

/* options about guests that are not built */
#define NO_GUEST "(not available yet: one guest is read, by --guestkallsyms)"

/* struct sym_opts: "DIR", "DIR,flat", "DIR,hierarchy" */
int opt_symfs(const struct option *opt, const char *arg, bool unset);
/* bool, true if there are servers of debug files: their URLs; NULL or "system": from DEBUGINFOD_URLS */
int opt_debuginfod(const struct option *opt, const char *arg, bool unset);
/* struct sym_opts: how demangled names are shown, short or full */
int opt_name_style(const struct option *opt, const char *arg, bool unset);
/* struct session_opts: names of unwinders, the first of which that can be loaded is used */
int opt_unwind_style(const struct option *opt, const char *arg, bool unset);
/* nothing: auto, always or never */
int opt_color(const struct option *opt, const char *arg, bool unset);
/* struct callgraph_opts: call chains of samples, by frame pointers unless a mode is given */
int opt_call_chains(const struct option *opt, const char *arg, bool unset);
/* struct itrace_opts: the letters of --itrace */
int opt_itrace(const struct option *opt, const char *arg, bool unset);
/* what users have configured of decoders; after options were parsed */
struct itrace_opts;
void itrace_configure(struct itrace_opts *o);
/* with opt_itrace(): says that the file has no trace. What traces it has is said for every file */
struct session;
void note_no_trace(const struct session *s);
/* u64, PERF_SAMPLE_BRANCH_*: branches of every kind; of the kinds that a list names */
int opt_branch_any(const struct option *opt, const char *arg, bool unset);
int opt_branch_filter(const struct option *opt, const char *arg, bool unset);
/* a picture of call stacks instead of tables */
struct stack_picture {
	const char *path, *format;	/* format NULL: tables are shown */
	bool time;			/* it shows when samples happened */
};
/* struct stack_picture: the file of a flame graph, .html or .svg; of a page; of folded stacks */
int opt_flamegraph(const struct option *opt, const char *arg, bool unset);
int opt_html(const struct option *opt, const char *arg, bool unset);
int opt_folded(const struct option *opt, const char *arg, bool unset);
/* struct text_opts: widths of columns */
int opt_widths(const struct option *opt, const char *arg, bool unset);
/* double: a share from 0 on, "2.5" or "2.5%" */
int opt_percent(const struct option *opt, const char *arg, bool unset);
/* bool: "relative" is true, "absolute" false */
int opt_relative(const struct option *opt, const char *arg, bool unset);

#endif
