/*
 * Kernel-symbols: functions of the running kernel and its modules as /proc/kallsyms has them, and those that
 * cannot be probed: the kernel's blacklist, and code that only exists while it starts.
 */
#ifndef PERF_PROBE_KERNEL_SYMBOLS_H
#define PERF_PROBE_KERNEL_SYMBOLS_H

#include "../base/err.h"

struct glob_filter;
struct kernel_symbols;
struct probe_points;
struct probe_spec;
struct probe_target;
struct strbuf;

/* NULL with err: no permission to read addresses */
struct kernel_symbols *kernel_symbols_open(struct err *err);
void kernel_symbols_free(struct kernel_symbols *ks);

/* points of functions and addresses by symbols; errors as symbol_points() */
int kernel_points(struct kernel_symbols *ks, const struct probe_target *t, const struct probe_spec *spec,
		  struct probe_points *out, struct err *err);
/*
 * Whether the function at an address can be probed; -EPERM with err, which says why not, if it cannot. One of
 * many (of a pattern) is also looked up in the list of functions that the kernel can trace; for a single one
 * that takes too long, and the kernel says it later
 */
int kernel_may_probe(struct kernel_symbols *ks, u64 addr, const char *name, bool is_one_of_many,
		     struct err *err);
/* says that the function of this name is gone once the kernel runs */
int err_kernel_early(const char *name, struct err *err);
/*
 * An address as the kernel's definitions write it: name plus offset. The name is one that only one function
 * has, or _text, or in a module an earlier function's. *ret_name NULL: the module has none, so only the
 * number of the address works. False: it is in no function. *ret_name is valid as long as ks.
 */
bool kernel_place(struct kernel_symbols *ks, const char *module, u64 addr, const char **ret_name,
		  u64 *ret_off);
/* numbers of functions that a list leaves out, by reason */
struct kernel_left_out {
	size_t filtered, init, forbidden, notrace;
};
/*
 * functions of a module, or of the kernel and its modules (module NULL), sorted, a line each: "name", and
 * "name [module]" if there is no module to choose; those that cannot be probed are left out
 */
void kernel_functions(struct kernel_symbols *ks, const char *module, const struct glob_filter *filter,
		      struct strbuf *out, struct kernel_left_out *left);
/* the function that contains an address; false: none */
bool kernel_function_at(const struct kernel_symbols *ks, u64 addr, const char **ret_name, u64 *ret_off);
/* address of the first function of that name; 0: there is none */
u64 kernel_function_address(struct kernel_symbols *ks, const char *module, const char *name);
/* true if several functions of the kernel and its modules have the name: the kernel then refuses it */
bool kernel_name_is_shared(struct kernel_symbols *ks, const char *name);
/*
 * sets err if the module (NULL: the kernel itself) has no function of that name, but another part has;
 * false: err is as before
 */
bool kernel_err_elsewhere(const struct kernel_symbols *ks, const char *module, const char *name,
			  struct err *err);
/* whether the module has symbols, so it is loaded */
bool kernel_has_module(const struct kernel_symbols *ks, const char *module);

#endif
