/*
 * Image-match: whether a symbol has the name that a user wrote: versions, demangled and partly qualified
 * names.
 */
#ifndef PERF_PROBE_IMAGE_MATCH_H
#define PERF_PROBE_IMAGE_MATCH_H

#include "../base/arena.h"

struct image_symbol;

/* "malloc@GLIBC_2.2.5", "malloc@@GLIBC_2.34", "malloc@@": any default version */
struct name_pattern {
	const char *base;
	const char *version;	/* NULL: any */
	bool is_default;
};

void name_pattern_of(struct name_pattern *np, const char *text, struct arena *mem);
bool version_matches(const struct name_pattern *np, const struct image_symbol *s);

/* length of the prefix that C++ and Rust put before mangled names; 0: not mangled */
size_t mangled_prefix(const char *name);

enum name_match {
	NAME_DIFFERS,
	NAME_PART,		/* the last components are equal: "Class::method", "method" */
	NAME_QUALIFIED,		/* without parameters and the return type */
	NAME_FULL,		/* "ns::f(int, char*)" */
};
/* how a mangled name matches what was written */
enum name_match demangled_match(const char *want, const char *mangled);
/* whether a glob matches the demangled name with or without parameters */
bool demangled_glob(const char *glob, const char *mangled);
/*
 * cuts a demangled name after its qualified name: before the parameters; true if it had some. "operator()"
 * and template arguments stay
 */
bool demangled_cut(char *name);

/* the same also without the return type that names of template functions have; part of name */
const char *demangled_plain(char *name);

/* the name without its outermost scope, "Circle::area" of "geo::Circle::area"; NULL if it has none */
const char *demangled_inner(const char *name);

#endif
