/* Profile: one of the files that are compared, counted as one hist, with all that the hist refers to. */
#ifndef PERF_DIFF_PROFILE_H
#define PERF_DIFF_PROFILE_H

#include "../fields/sample-filter.h"
#include "../hist/hist.h"
#include "../hist/sort-order.h"
#include "../session/session.h"
#include "../view/view.h"

struct diff_profile_opts {
	struct session_opts session;	/* but for the path */
	struct sample_filter filter;	/* as typed; time_spec: parts for each file, separated by ':' */
	const char *sort;		/* keys; NULL: those that choose() sets */
	/* what is counted; 0, or a negative errno with err: what the file lacks */
	int (*choose)(struct hist_opts *ho, struct sort_spec *sort, const struct session *s, struct err *err);
};

struct diff_profile {
	struct session *session;
	struct sample_filter filter;
	struct sort_spec sort;
	struct sort_order order;
	struct hist *hist;
	struct view *view;		/* made by the caller, or NULL; released with the rest */
	char *time;
};

/* Reads file i. 0, or a negative errno with err, which names the file. Release p in either case */
int diff_profile_read(struct diff_profile *p, const struct diff_profile_opts *o, const char *path, u32 i,
		      struct err *err);
void diff_profile_release(struct diff_profile *p);

#endif
