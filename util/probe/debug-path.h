/*
 * Debug-path: which file has the symbols or the debug information of a target, found as for reports
 * (util/sym).
 */
#ifndef PERF_PROBE_DEBUG_PATH_H
#define PERF_PROBE_DEBUG_PATH_H

#include "../base/types.h"

struct probe_target;
struct symvec;

/* path of the file with the debug information, or else with the symbols; NULL: none. The caller frees it */
char *debug_path(const struct probe_target *t, bool debug_info);
/* true if the file, which may be packed, has debug information */
bool debug_path_has_info(const char *path);
/*
 * adds the symbols, at svmas, of the separate debug file of a stripped target; returns their number. path: of
 * the target
 */
size_t debug_symbols(const struct probe_target *t, const char *path, struct symvec *v);

#endif
