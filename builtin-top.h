/* What the files of perf top share: the terminal interface of live tables, and the code of functions. */
#ifndef PERF_BUILTIN_TOP_H
#define PERF_BUILTIN_TOP_H

#include "builtin-annotate.h"
#include "builtin-options.h"
#include "builtin-wall-source.h"
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
#include "util/wall/wall.h"

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

/* --wall: builtin-top-wall.c */
struct top_wall {
	bool on;
	u32 states;			/* that are shown: bits 1 << enum wall_state */
	struct wall_choice source;
	struct event *out;		/* the event of slices */
	struct feat_blob formats;	/* of the tracepoints that are recorded */
	struct wall_feed *feed;
	u64 passed, passing;		/* when the pass before the last one began, and the last one */
	u64 ns[WALL_NR_STATES];		/* since the last table */
	u64 nr_lost;			/* places where records were lost, since the start */
};

/* ids of loop events */
enum { TOP_KEYS = OBSERVE_OWN, TOP_WALL_RINGS };

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
	struct top_wall wall;

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

/* appends the line above a table: what was counted since the last one */
void top_line(struct top *t, struct strbuf *out);
/*
 * print a view, or the code, with that line: as text, cut to the columns of a screen (0: none), and as a JSON
 * document with the same as facts. 0 or a negative errno
 */
int top_text(struct top *t, struct view *v, u32 columns);
int top_json(struct top *t, struct view *v);

/* what is counted, by which keys, and which attributes events need for it. 0, or a negative errno with err */
int top_settle(struct top *t, struct err *err);

/* --wall[=STATE|SOURCE,...] for the option table */
int opt_top_wall(const struct option *opt, const char *arg, bool unset);
/* events of a source, and columns; after the call chains were chosen. 0, or a negative errno with err */
int top_wall_settle(struct top *t, struct err *err);
/*
 * between begin and end, slices are an event whose fields can be keys; feat: of what was gathered for the
 * set. The default keys are those for which t->sort.trace has fields
 */
void top_wall_begin_keys(struct top_wall *w, struct features *feat);
void top_wall_default_keys(struct top *t);
void top_wall_end_keys(struct top_wall *w);
/* after sample_attr_config() */
void top_wall_configure(struct top_wall *w, struct evset *set);
/* before the session is opened; then it begins. state: side-band of what exists */
void top_wall_open(struct top *t);
int top_wall_start(struct top *t, const struct strbuf *state, struct err *err);
/* before each pass over the rings; all: the last one */
void top_wall_read(struct top *t, bool all);
/* makes slices of what was read: chunks of the session */
void top_wall_take(struct top *t, bool all);
/* the line above a table, and the same as numbers; then the next interval begins */
void top_wall_line(const struct top *t, struct strbuf *out);
void top_wall_facts(const struct top_wall *w, struct view_facts *f);
void top_wall_shown(struct top_wall *w);
void top_wall_release(struct top_wall *w);

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
