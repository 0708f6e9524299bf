/*
 * Places: the points of a definition, found by debug information: addresses of functions, of their inlined
 * copies, of lines, and of lines that match a pattern; with the fetch-arguments of the definition's variables
 * at each of them.
 */
#ifndef PERF_PROBE_PLACES_H
#define PERF_PROBE_PLACES_H

#include "../base/err.h"
#include "point.h"

struct debug_file;
struct probe_arg;
struct probe_spec;

/*
 * adds the fetch-argument of an argument that needs no debug information: registers, memory; 0 or a negative
 * errno with err
 */
struct probe_raw {
	int (*add)(void *ctx, const struct probe_arg *arg, struct probe_points *pts, struct probe_point *p,
		   struct err *err);
	void *ctx;
};

/*
 * Appends the points of spec to ret, sorted by address. d is the debug information of the target
 * (debug-file.h), which several definitions share. 0, or a negative errno with a sentence: -ENOENT no such
 * function, file, line or variable, with near ones as hints; -ENODATA a variable is available at none of
 * the points; -E2BIG more than max_points. Points without one of the variables are left out, with a note,
 * if there are others: copies of a function, lines with several addresses, and functions of one name
 * differ. raw may be NULL: such arguments are left out then.
 * Kinds of places that are not in debug information (SDT, cached) are -EINVAL.
 */
int probe_places(struct debug_file *d, const struct probe_spec *spec, const struct probe_raw *raw,
		 struct probe_points *ret, struct err *err);
/*
 * Adds the arguments of spec to the points of ret from number first on, which have none and were found
 * otherwise (SDT). 0, or -ENOENT or -ENODATA with a sentence; points that lack a variable are left out as
 * above
 */
int probe_places_arguments(struct debug_file *d, const struct probe_spec *spec, const struct probe_raw *raw,
			   struct probe_points *ret, size_t first, struct err *err);

#endif
