/*
 * Fetch: arguments that need no debug information, as the kernel's text: registers, the stack, memory, $argN,
 * constants. The syntax is that of kprobetrace.rst and uprobetracer.rst in the kernel's documentation.
 */
#ifndef PERF_PROBE_FETCH_H
#define PERF_PROBE_FETCH_H

#include "../base/err.h"
#include "../base/strbuf.h"

struct arch;
struct btf;
struct probe_image;
struct probe_arg;
struct probe_point;
struct probe_points;
struct probe_spec;

/* names that the running kernel resolves itself, by BTF, where functions begin and return */
enum kernel_names {
	KERNEL_NAMES_NONE,
	KERNEL_NAMES_PARAMETERS,	/* from Linux 6.6 on: parameters by name, $arg* */
	KERNEL_NAMES_MEMBERS,		/* from Linux 6.7 on: members, too */
};
/* as the README of tracefs says */
enum kernel_names fetch_kernel_names(void);

struct fetch_ctx {
	const struct arch *arch;	/* NULL: unknown; names of registers are not checked */
	bool is64;
	bool is_kernel;
	struct probe_image *img;		/* of a user program; else NULL */
	const struct probe_point *at;
	const struct probe_spec *spec;	/* for the place in messages */
	enum kernel_names names;
	const struct btf *types;	/* of the kernel, for its functions; NULL: not known */
	const char *function;		/* by which types know it; NULL: none */
	u64 place_off;			/* bytes after the start of the function */
};

/*
 * Appends the fetch-argument without its name. 0, or a negative errno with err: a register that the
 * architecture does not have, a symbol that is not there, an argument that needs debug information.
 */
int fetch_text(const struct fetch_ctx *c, const struct probe_arg *a, struct strbuf *out, struct err *err);
/*
 * the name that the argument was given, else the name of its register or member; different from all names
 * at p. NULL: none, the kernel numbers it
 */
const char *fetch_name(const struct fetch_ctx *c, const struct probe_arg *a, struct probe_points *out,
		       const struct probe_point *p);
/*
 * all arguments of c->spec at c->at, which is p; arguments in the kernel are named as variables and
 * members
 */
int fetch_all(const struct fetch_ctx *c, struct probe_points *out, struct probe_point *p, struct err *err);
/* all arguments of spec, at a point of a user program place_off bytes after the start of its function */
int fetch_arguments(struct probe_image *img, const struct probe_spec *spec, u64 place_off,
		    struct probe_points *out, struct probe_point *p, struct err *err);

#endif
