/*
 * Location: turns the places of variables into what the kernel's fetch-arguments can say: registers, memory
 * at a register plus an offset, static addresses, constants, and loads from any of these. What cannot be
 * said is an error with the reason. Knows no file: callbacks answer what depends on one.
 */
#ifndef PERF_PROBE_LOCATION_H
#define PERF_PROBE_LOCATION_H

#include "../base/arena.h"
#include "../base/err.h"
#include "../obj/dwarf-expr.h"

struct location_env {
	/* filled by the caller, but for ctx, reg and load. DWARF_DESCRIBED: err and code are set */
	struct dwarf_env dwarf;
	void *ctx;		/* the caller's */
	/* kernel's name of a DWARF register without %; NULL: it has none */
	const char *(*reg)(void *ctx, unsigned int dwarf);
	/* the address of static data that an expression loads from: "@+0x10"; NULL: it cannot be said */
	const char *(*load_static)(void *ctx, u64 svma);
	struct arena *mem;	/* of the texts */
	struct err *err;
	int code;
};

/*
 * 0; -ENODATA: optimised out; -EOPNOTSUPP: cannot be said; err has the sentence without the variable's name
 */
int location_evaluate(struct location_env *env, const Dwarf_Op *ops, size_t nr, struct dwarf_location *ret);
/* a value of which the kernel has a text: "%di", "$retval" */
struct dwarf_value location_text(const char *text);
/* the content of a register, by the kernel's name of it */
struct dwarf_value location_register(const struct location_env *env, const char *name);
/* the fetch-argument that loads from address v: "+8(%di)"; NULL if it cannot be said */
const char *location_load(const struct location_env *env, const struct dwarf_value *v);
/* the piece that holds bytes [off, off + size) of the object; off becomes relative to it. NULL: none */
const struct dwarf_piece *location_select(const struct dwarf_location *l, u64 *off, u64 size);

#endif
