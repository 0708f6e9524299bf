/*
 * What the files of perf report share: its options, and an answer: a file counted and made a view. The plain
 * report makes one; the terminal interface makes more of them, by other sort keys and of other files.
 */
#ifndef PERF_BUILTIN_REPORT_H
#define PERF_BUILTIN_REPORT_H

#include "builtin-annotate.h"
#include "builtin-options.h"
#include "builtin-wall.h"
#include "ui/text.h"
#include "ui/tui/tui.h"
#include "util/annotate/annotate.h"
#include "util/hist/callers.h"
#include "util/hist/count-mode.h"
#include "util/hist/latency.h"
#include "util/hist/report-view.h"
#include "util/session/session.h"

struct report_opts {
	struct stack_picture picture;
	struct session_opts session;
	struct sort_spec sort;
	struct chain_opts chain;
	struct mode_opts mode;
	struct report_view_opts view;
	struct text_opts text;
	struct sample_filter filter;
	struct latency_opts latency;
	struct caller_patterns callers;
	struct field_opts fields;
	struct wall_opts wall;
	unsigned int bare_chains;	/* -g without a mode */
	bool no_chain, chains_given, inverted, children, inlines, json, full_path;
	bool header, header_only, full_info, dump, unsorted, stats, tasks, mmaps, threads, list_threads;
	unsigned int max_stack;		/* 0: that of the recording, at least 127 */
	unsigned int html_code;
	unsigned int samples;		/* that the terminal interface lists of a row; 0: the default */
	struct tui_choice tui;
	struct annotate_opts code;	/* what the terminal interface shows of functions */
	struct listing_opts code_text;
};

/* a view of a session, with all it refers to. It must not be moved */
struct report_answer {
	struct report_opts o;		/* a copy: computing it changes options */
	struct session *s;
	struct sort_order order;
	struct hist *h;
	struct view *v;
};

/* 0, or a negative errno with err. To be released in both cases */
int report_compute(struct report_answer *a, const struct report_opts *o, struct session *s, struct err *err);
void report_answer_release(struct report_answer *a);

#define REPORT_NO_COUNTS "no counts of threads in this file: record with -s"

/* --json: the options ask for a document without the table of samples */
bool report_json_only(const struct report_opts *o);
/* shows it. 0, or a negative errno with err */
int report_json_show(struct report_opts *o, const struct session *s, struct err *err);
/* what --header and -T add to the document of an answer */
void report_json_add(const struct report_opts *o, const struct session *s, struct view *v);

/* the code of the hottest functions of an answer, for its page */
struct report_code {
	struct annotate annotate;
	struct annotate_opts opts;
	struct { VEC(struct view_listing); } listing;
	bool counted;
};
/*
 * Adds code to the answer's view where it is shown as a page: given are the options from which the answer was
 * made. Without code the view has the reason. c is to be released after the view was shown
 */
void report_code_add(struct report_code *c, struct report_answer *a, const struct report_opts *given);
void report_code_release(struct report_code *c);
/*
 * Shows an answer that was made with these options on the terminal until the user leaves. 0, or a negative
 * errno with err: nothing was shown
 */
int report_browse(struct report_answer *a, const struct report_opts *o, struct err *err);

/*
 * Lines of single samples, as perf script prints them: the first ones in a function; and the lines of all
 * events around a time in seconds. The session is the report's. Filters of tasks and CPUs apply to both,
 * filters of time to the first. 0 and a heap text, or a negative errno with err: also if there is no such
 * sample
 */
int report_row_samples(struct session *s, const struct report_opts *o, const struct report_symbol *sym,
		       char **ret_text, struct err *err);
/* the time in such a line, as the next one takes it; false: there is none */
bool report_sample_time(const char *line, char *ret_time, size_t size);
int report_context_samples(struct session *s, const struct report_opts *o, const char *time, char **ret_text,
			   struct err *err);

#endif
