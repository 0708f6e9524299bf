/*
 * Function-words: the identifiers in a function name that a user typed. A mangled name that lacks one of them
 * cannot match, so most names need not be demangled.
 */
#ifndef PERF_PROBE_FUNCTION_WORDS_H
#define PERF_PROBE_FUNCTION_WORDS_H

#include "../base/arena.h"

#define FUNCTION_WORDS_MAX 6

struct function_words {
	const char *v[FUNCTION_WORDS_MAX];	/* namespaces and types around the function */
	u32 nr;
};

/*
 * The identifiers of the scope: "ns" and "type" of "ns::type<int>::f(int)". The strings are copied into mem
 */
void function_words_parse(const char *name, struct arena *mem, struct function_words *ret);
/*
 * False: the mangled name (C++, Rust) cannot belong to a function of that scope. Mangled names contain
 * identifiers literally, except for some of namespace std
 */
bool function_words_in(const struct function_words *w, const char *mangled);
/*
 * The word by which units with the function are searched, "add" for "ns::list<int>::add(int)": no scope,
 * template arguments or parameters. The caller frees it
 */
char *function_search_word(const char *name);

#endif
