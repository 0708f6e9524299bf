/* What the files of perf top share: the terminal interface of live tables, and the code of functions. */
#ifndef PERF_BUILTIN_TOP_H
#define PERF_BUILTIN_TOP_H

#include "builtin-annotate.h"
#include "builtin-options.h"
#include "ui/tui/tui.h"
#include "util/cli/terminal.h"
#include "util/hist/callers.h"
#include "util/hist/carry-fold.h"
#include "util/hist/count-mode.h"
#include "util/hist/report-view.h"
#include "util/kernel/cgroup.h"
#include "util/observe/observer.h"
#include "util/observe/sample-attr.h"
#include "util/observe/summary.h"

/* instructions are counted beside the table, so that code has numbers from its first look on */
struct top_code {
	struct annotate_opts opts;
	struct listing_opts text;
	const char *symbol;		/* shown instead of the table; or NULL */
	bool wanted;			/* code can be asked for */
	struct annotate annotate;
	struct hist_opts hist_opts;
	struct hist_carry carry;
};

/* counts as the table's count does */
void top_code_begin(struct top_code *c, struct session *s, const struct hist_opts *table);
/* between session_feed_take() and session_feed_drop() */
void top_code_count(struct top_code *c);
/* once per refresh: fades what was counted, or begins anew */
void top_code_fade(struct top_code *c, bool zero);
/* a function with samples; false: there is none of that name */
bool top_code_find(const struct top_code *c, const char *name, struct annotated *ret);
/* appends the code of the symbol */
void top_code_text(struct top_code *c, struct strbuf *out);
void top_code_release(struct top_code *c);

/*
 * print a view, or the code, with what was counted since the last one: as text, cut to the columns of a
 * screen (0: none), and as a JSON document. 0 or a negative errno
 */
int top_text(struct view *v, struct summary *s, const struct observer *ob, const struct text_opts *o,
	     struct top_code *code, u32 columns);
int top_json(struct view *v, struct summary *s, const struct observer *ob, const struct text_opts *o);

struct top_screen {
	struct tui *tui;		/* NULL: text is printed */
	struct view *shown;		/* a copy: the counts change */
	struct annotated **row;		/* functions of its tables' rows */
	bool frozen;			/* what is shown stays */
	bool *zero;			/* of the command: every table begins from zero */
	unsigned int *group_sort;	/* of the command: the event of a group that tables are sorted by */
	struct top_code *code;
	const struct text_opts *text;
	struct view_asker asker;
	struct { VEC(u32); } code_dso;	/* of functions whose code may still be shown */
};

/* the options, and what they are for a while: one per run */
struct top {
	struct observe_opts observe;
	struct sample_attr_opts attr;
	struct event_args events;
	struct sym_opts sym;
	struct sort_spec sort;
	struct mode_opts mode;
	struct sample_filter filter;
	struct report_view_opts view;
	struct text_opts text;
	struct chain_opts chain;
	struct caller_patterns callers;
	bool children;
	unsigned int max_stack;
	const char *cgroups;
	unsigned int entries, map_timeout_ms, synth_threads;
	int realtime;
	bool zero, json, stitch_lbr, dump_symtab;
	struct tui_choice choice;
	struct top_code code;

	struct observer ob;
	struct event_cgroups cgroup;	/* -G, by event */
	struct features feat;
	struct guest_maps guest;	/* from the files of sym.guest */
	struct session *session;
	struct sort_order order;
	struct hist_opts hist_opts;
	struct hist_carry carry;
	struct hist *hist;		/* of the last count */
	struct terminal terminal;
	struct top_screen screen;
	struct summary summary;
	struct strtab modules;		/* that the machine knows */
	u32 shown;			/* tables */
	bool gone;			/* the reader of standard output */
};

/* what is counted, by which keys, and which attributes events need for it. 0, or a negative errno with err */
int top_settle(struct top *t, struct err *err);
/* prints the symbol tables of all programs that samples were in */
void top_dump_symtabs(struct top *t);

/* opens the terminal and watches its keys. 0, or a negative errno with err */
int top_screen_begin(struct top_screen *s, struct observer *ob, struct err *err);
/* shows a view with a line above it; copies both */
void top_screen_show(struct top_screen *s, const struct view *v, const char *line);
/* handles keys; false: the user leaves */
bool top_screen_handle(struct top_screen *s);
void top_screen_end(struct top_screen *s);

#endif
