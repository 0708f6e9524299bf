/*
 * Locate: where a variable is at the place of a probe: registers, frames, static addresses, and how a
 * fetch-argument reads from there.
 */
#ifndef PERF_PROBE_LOCATE_H
#define PERF_PROBE_LOCATE_H

#include "location.h"
#include "scopes.h"

struct strbuf;

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

/* where a variable is; 0, -ENODATA if it is not available at the place. Texts are in mem */
int variable_locate(struct variable_place *f, Dwarf_Die *var, struct dwarf_location *ret, struct arena *mem,
		 struct err *err);
/* the fetch-argument that loads from an address; NULL if it cannot be said */
const char *variable_load(struct variable_place *f, const struct dwarf_value *v, struct arena *mem);
/* appends "work:5, work:8": lines of the function at which the variable is available; at most four */
void variable_where(struct variable_place *f, Dwarf_Die *var, struct strbuf *out);

#endif
