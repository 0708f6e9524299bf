/*
 * Stacks: the call stacks of two profiles, each event of the later one with that of the same name of the
 * earlier one, for formats of flame graphs. Both profiles stay open as long as the view is used.
 */
#ifndef PERF_DIFF_STACKS_H
#define PERF_DIFF_STACKS_H

#include "profile.h"
#include "renames.h"

struct diff_stacks {
	struct diff_profile before, after;
	struct renames renames;
};

/*
 * Reads both files. 0, or a negative errno with err, -ENOENT if no event is in both. Release st in either
 * case. o->choose is not used; o->sort: keys that are the first frames, NULL: comm. The view to show is that
 * of st->after, without events that the earlier profile does not have
 */
int diff_stacks_read(struct diff_stacks *st, const struct diff_profile_opts *o, const char *before,
		     const char *after, void (*warn)(const struct diag *diag), struct err *err);
void diff_stacks_release(struct diff_stacks *st);

#endif
