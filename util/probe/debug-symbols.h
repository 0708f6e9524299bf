/*
 * Debug-symbols: the symbol table of a stripped file's separate debug file, found as for reports
 * (util/sym).
 */
#ifndef PERF_PROBE_DEBUG_SYMBOLS_H
#define PERF_PROBE_DEBUG_SYMBOLS_H

#include "../base/types.h"

struct probe_target;
struct symvec;

/* adds the symbols at svmas; returns their number, 0: there is no such file. path: of the target */
size_t debug_symbols(const struct probe_target *t, const char *path, struct symvec *v);

#endif
