/*
 * Demangle: C++, Rust (legacy and v0), D, Java and OCaml names as people write them. Names are hostile:
 * bounded in time and size.
 */
#ifndef PERF_OBJ_DEMANGLE_H
#define PERF_OBJ_DEMANGLE_H

#include "../base/strbuf.h"

/*
 * appends the readable form of name to out; the text after an '@' (a version, "plt") is kept. False (out
 * unchanged) if name is not mangled
 */
bool demangle(const char *name, struct strbuf *out);

#endif
