/*
 * Short-name: a demangled C++ or Rust name without what makes it long: arguments of templates become <...>,
 * parameters (...), and the type of the result is left out:
 *
 *	void std::sort<int*, std::less<int> >(int*, int*)	std::sort<...>(...)
 *	<alloc::vec::Vec<T> as core::ops::Drop>::drop	<alloc::vec::Vec<...> as core::ops::Drop>::drop
 */
#ifndef PERF_OBJ_SHORT_NAME_H
#define PERF_OBJ_SHORT_NAME_H

#include "../base/strbuf.h"

/* appends the short form, or the name as it is where its brackets do not match */
void short_name(const char *name, struct strbuf *out);
/*
 * whether the brackets of a name that was not demangled are arguments, as in C++, Rust, Java and C#: JIT
 * compilers of JavaScript and Python write "LazyCompile:~<anonymous> /dir/file.js:1" and
 * "py::<module>:/dir/file.py"
 */
bool short_name_fits(const char *name);
/*
 * whether a short form is that of a function which is also called so: without <...> and (...), and with or
 * without the scopes before it: sort and std::sort are std::sort<...>(...)
 */
bool short_name_is(const char *shortened, const char *called);

#endif
