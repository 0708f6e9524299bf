/* Demangle-text: names that are readable once a few signs are replaced: Java methods with their JVM types, OCaml. */
#ifndef PERF_OBJ_DEMANGLE_TEXT_H
#define PERF_OBJ_DEMANGLE_TEXT_H

#include "../base/strbuf.h"

/* both append to out and return true, or leave it as it was: name is none of the language's */
/* "Lfoo/Bar;.baz(I[J)V" (types as in JVMS 4.3.2): "foo.Bar.baz(int, long[])"; the type that is returned is left out */
bool demangle_java(const char *name, struct strbuf *out);
/* "camlFoo__bar_12": "Foo.bar_12"; "$" and two hex digits are a sign */
bool demangle_ocaml(const char *name, struct strbuf *out);

#endif
