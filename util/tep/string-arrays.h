/* String-arrays: arrays of strings in formats of probes, which libtraceevent cannot parse. */
#ifndef PERF_TEP_STRING_ARRAYS_H
#define PERF_TEP_STRING_ARRAYS_H

#include "../base/types.h"

/*
 * A copy of an event's format in which such an array "x" is a field for each of its strings: "x__0", "x__1"
 * (a single "_" and a number is what the names of other arguments can end with). The caller frees it
 */
char *string_arrays_expand(const char *text, u32 len, u32 *ret_len);

#endif
