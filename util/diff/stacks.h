/*
 * Stacks: the call stacks of two profiles, each event of the later one with that of the same name of the
 * earlier one, for formats of flame graphs. Both profiles stay open as long as the view is used.
 */
#ifndef PERF_DIFF_STACKS_H
#define PERF_DIFF_STACKS_H

#include "../fields/sample-filter.h"
#include "../hist/hist.h"
#include "../hist/sort-order.h"
#include "../session/session.h"
#include "../view/view.h"

struct diff_stacks_opts {
	struct session_opts session;	/* but for the path */
	struct sample_filter filter;	/* as typed; time_spec: parts for each file, separated by ':' */
	const char *sort;		/* keys that are the first frames; NULL: comm */
};

/* one profile */
struct diff_profile {
	struct session *session;
	struct sample_filter filter;
	struct sort_spec sort;
	struct sort_order order;
	struct hist *hist;
	struct view *view;
	char *time;
};

struct diff_stacks {
	struct diff_profile before, after;
};

/*
 * Reads both files. 0, or a negative errno with err, -ENOENT if no event is in both. Release st in either
 * case. The view to show is that of st->after, without events that the earlier profile does not have
 */
int diff_stacks_read(struct diff_stacks *st, const struct diff_stacks_opts *o, const char *before,
		     const char *after, void (*warn)(const struct diag *diag), struct err *err);
void diff_stacks_release(struct diff_stacks *st);

#endif
