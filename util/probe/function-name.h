/* Function-name: whether a name that a user typed means a function. */
#ifndef PERF_PROBE_FUNCTION_NAME_H
#define PERF_PROBE_FUNCTION_NAME_H

#include "../base/types.h"

/* whether name means the function; linkage may be NULL */
bool function_name_matches(const char *query, const char *name, const char *linkage);
/* full is query, or ends with "::" and query */
bool function_name_is_tail(const char *full, const char *query);

#endif
