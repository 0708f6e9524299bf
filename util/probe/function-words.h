/*
 * Function-words: the identifiers in a name that a user typed. Where one of them is missing, the name cannot
 * stand for a function: this is cheaper to find out than a demangled name.
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
 * Those of the scope of "ns::type<int>::f(int)": "ns", "type". What is not an identifier is left out. The
 * strings are copied into mem
 */
void function_words_parse(const char *name, struct arena *mem, struct function_words *ret);
/*
 * False: the mangled name, C++'s or Rust's, cannot be that of a function in that scope. Mangled names have
 * identifiers as they are, except for some of std
 */
bool function_words_in(const struct function_words *w, const char *mangled);
/*
 * The word of a name by which its units are found: without scope, template arguments and parameters:
 * "ns::list<int>::add(int)" is found by "add". The caller frees it
 */
char *function_search_word(const char *name);

#endif
