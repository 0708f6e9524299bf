/*
 * Profile: how long functions of the kernel took, by name, from lines of function_graph with tails. A time
 * includes functions that were called, and sleep unless the tracer leaves it out. Owns its rows and names.
 */
#ifndef PERF_FTRACE_PROFILE_H
#define PERF_FTRACE_PROFILE_H

#include "../base/arena.h"
#include "../base/hash.h"
#include "../view/rows.h"
#include "graph-line.h"

#define FTRACE_PROFILE_MAX (1u << 20)	/* rows: more functions than any kernel has */

struct ftrace_function {
	const char *name;	/* "f" or "f [module]" */
	u64 total, max, count;	/* ns */
	u64 rank;		/* by name: the first one has the largest number */
};

struct ftrace_profile {
	struct { VEC(struct ftrace_function); struct hidx idx; } row;
	struct arena names;
	u64 nr_unnamed;		/* returns of functions whose name the kernel did not tell */
};

void ftrace_profile_add(struct ftrace_profile *p, const struct graph_line *line);
void ftrace_profile_release(struct ftrace_profile *p);

/* "a,b" of total, avg, max, count, name; -EINVAL with err */
int ftrace_profile_sort_parse(struct view_sort *sort, const char *keys, struct err *err);
/* sorts rows; the view refers to p. form: one of VIEW_FORM_* */
struct view *ftrace_profile_view(struct ftrace_profile *p, const struct view_sort *sort, u64 nr_lost,
				 u32 form);

#endif
