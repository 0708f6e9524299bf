/*
 * Place-search: the addresses that the place of a definition means, without arguments. Private to the search
 * for places and the listing of variables.
 */
#ifndef PERF_PROBE_PLACE_SEARCH_H
#define PERF_PROBE_PLACE_SEARCH_H

#include "function.h"
#include "locate.h"

struct probe_place;

struct place_address {
	u64 addr;
	struct debug_unit *unit;
	Dwarf_Die function;	/* the one that the user means; only if has_function */
	bool has_function;
	const char *file;	/* with line: the source line that the user means; NULL: unknown */
	u32 line;
};

struct place_addresses {
	VEC(struct place_address);	/* sorted, each address once */
	struct function_set functions;	/* to which the units and DIEs belong */
};

/*
 * skip_prologue: variables are wanted, so in code that was not optimised the place is after the instructions
 * that store the parameters
 */
int place_search(struct debug_file *d, const struct probe_place *place, bool skip_prologue,
		 struct place_addresses *ret, struct err *err);
void place_addresses_release(struct place_addresses *a);

/*
 * the scopes and the offset of an address; false: the address is in no function of the debug information.
 * f must be released
 */
bool place_open(struct debug_file *d, const struct place_address *a, const char *place_text,
		struct variable_place *f);
void place_close(struct variable_place *f);

#endif
