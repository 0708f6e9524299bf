/*
 * Variables: from an argument of a definition to fetch-arguments of the kernel
 * (kprobetrace.rst and uprobetracer.rst of its documentation): where a variable is at an address, how its
 * members are reached from there, and how it is shown.
 */
#ifndef PERF_PROBE_VARIABLES_H
#define PERF_PROBE_VARIABLES_H

#include "location.h"
#include "scopes.h"
#include "types.h"

struct probe_arg;
struct probe_point;
struct probe_points;

/* the place of a probe, for which arguments are made */
struct variable_place {
	struct debug_file *d;
	struct scope_chain chain;
	u64 off;		/* file offset of the address */
	u64 entry;		/* of the function whose code contains the address */
	bool is_return;
	Dwarf_Die function;	/* that the place is in: names, $retval's type */
	const char *place_text;	/* "func:3", for messages */
};

/*
 * Appends the fetch-arguments of arg to p: one, or for $params and $vars as many as there are. 0, or an error
 * with a sentence: -ENODATA optimised out, -ENOENT no such variable or member, -EOPNOTSUPP cannot be said.
 */
int variable_fetch(struct variable_place *f, const struct probe_arg *arg, struct probe_points *pts,
		   struct probe_point *p, struct err *err);

/* where a variable is; 0, -ENODATA if it is not available at the place. Texts are in mem */
int variable_locate(struct variable_place *f, Dwarf_Die *var, struct dwarf_location *ret, struct arena *mem,
		 struct err *err);
/* the fetch-argument that loads from an address; NULL if it cannot be said */
const char *variable_load(struct variable_place *f, const struct dwarf_value *v, struct arena *mem);
/* appends "work:5, work:8": lines of the function at which the variable is available; at most four */
void variable_where(struct variable_place *f, Dwarf_Die *var, struct strbuf *out);

#endif
