/*
 * Keep-names: the names of the functions that were hit, for the header of a recording that ends: its programs
 * may be gone later, as programs of containers are. Lines and inlined functions are not among them: perf pack
 * stores these.
 */
#ifndef PERF_INJECT_KEEP_NAMES_H
#define PERF_INJECT_KEEP_NAMES_H

#include "../base/err.h"
#include "../base/strbuf.h"

/*
 * appends the feature PACKED_SYMBOLS of the recording at path, or nothing if no name is known. 0, or a
 * negative errno with err
 */
int keep_names(const char *path, struct strbuf *out, struct err *err);

#endif
