/*
 * Scopes: the functions, inlined copies and blocks that contain an address, and the variables that are
 * visible there.
 */
#ifndef PERF_PROBE_SCOPES_H
#define PERF_PROBE_SCOPES_H

#include "../base/vec.h"
#include "debug-file.h"

struct scope {
	Dwarf_Die die;
	bool is_function;	/* function or inlined copy: a boundary of names */
};

/* outermost first: [0] is the function whose code contains the address */
struct scope_chain {
	VEC(struct scope);
	u64 addr;
	struct debug_unit *unit;
	u32 home;		/* index of the function that the user means: the place is in it */
	u32 visiting;		/* scope of the variable that scopes_variables() shows */
};

/* false: no function of the debug information contains the address */
bool scopes_at(struct debug_units *units, struct debug_unit *unit, u64 addr, struct scope_chain *ret);
void scopes_release(struct scope_chain *c);
/*
 * makes a function the one that is meant: the innermost scope in the chain that is an instance of it, or if
 * there is none and it is an inlined copy that begins at the address, that copy
 */
void scopes_set_home(struct scope_chain *c, Dwarf_Die *function);
/* the same for the function that contains line of file: the nearest declaration at or before it */
void scopes_set_home_by_line(struct scope_chain *c, const char *file, u32 line);

/*
 * Calls fn for each variable and parameter of the function that is meant, its outermost scope first, then
 * of the code that is inlined into it there. Stops when fn returns false.
 */
typedef bool scope_variable_fn(void *ctx, Dwarf_Die *var, bool is_parameter);
void scopes_variables(struct scope_chain *c, scope_variable_fn *fn, void *ctx);
/* parameters of the function that is meant, in order */
void scopes_parameters(struct scope_chain *c, scope_variable_fn *fn, void *ctx);
/*
 * the variable that a name stands for: the innermost one of the function that is meant, else of code
 * inlined into it, else of the functions around it; false: none
 */
bool scopes_find(struct scope_chain *c, const char *name, Dwarf_Die *ret);
/* whether the function has that variable anywhere, also where it is not visible, or without any code */
bool scopes_find_anywhere(struct scope_chain *c, const char *name, Dwarf_Die *ret);
/* a variable of a file, of any unit; "ns::name" is looked for by its last part. False: none */
bool globals_find(struct debug_search *s, struct debug_unit *first, const char *name, Dwarf_Die *ret);
/* variables of the unit's file, and of namespaces in it */
void globals_of_unit(struct debug_unit *unit, scope_variable_fn *fn, void *ctx);

#endif
