/*
 * Kernel-types: parameters and results of functions of the kernel by its type information (BTF), where
 * there is no debug information: a parameter is $argN, its members are at offsets that the types say, and
 * its type chooses how it is shown. The kernel knows $argN only where a function begins, so other
 * places are not supported.
 */
#ifndef PERF_PROBE_KERNEL_TYPES_H
#define PERF_PROBE_KERNEL_TYPES_H

#include "../base/err.h"
#include "../base/strbuf.h"

struct btf;
struct probe_arg;

/*
 * types of the running kernel (module NULL), or of a module: of the loaded one, or of its file at path, which
 * may be NULL. NULL: there are none
 */
struct btf *kernel_types_open(const char *module, const char *path);

/*
 * Appends the fetch-argument of a variable or $retval with its steps, and a type unless the user gave one.
 * 0, or a negative errno with err: -ENOENT no such parameter or member, which lists those that exist
 */
int kernel_types_fetch(const struct btf *b, const char *function, const struct probe_arg *a,
		       struct strbuf *out, struct err *err);
/* the name of parameter number i from 0; NULL: the function has fewer, or is unknown */
const char *kernel_types_parameter(const struct btf *b, const char *function, u32 i);
/* appends parameters as -V shows them; false: the types do not know the function */
bool kernel_types_list(const struct btf *b, const char *function, struct strbuf *out);

#endif
