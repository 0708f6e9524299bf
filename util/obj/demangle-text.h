/*
 * Demangle-text: names that become readable by replacing a few characters: Java methods with their JVM types,
 * OCaml.
 */
#ifndef PERF_OBJ_DEMANGLE_TEXT_H
#define PERF_OBJ_DEMANGLE_TEXT_H

#include "../base/strbuf.h"

/* both append to out and return true, or do not change it if the name is not of that language */
/* "Lfoo/Bar;.baz(I[J)V" (types as in JVMS 4.3.2): "foo.Bar.baz(int, long[])"; the return type is left out */
bool demangle_java(const char *name, struct strbuf *out);
/* "camlFoo__bar_12": "Foo.bar_12"; "$" and two hex digits are one character */
bool demangle_ocaml(const char *name, struct strbuf *out);

#endif
