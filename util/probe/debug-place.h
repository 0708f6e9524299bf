/* Debug-place: an address as people write places: "func:3@file.c", from debug information. */
#ifndef PERF_PROBE_DEBUG_PLACE_H
#define PERF_PROBE_DEBUG_PLACE_H

#include "../base/types.h"

struct debug_file;
struct strbuf;

/*
 * Appends "func@FILE" for the first address of a function, "func%return@FILE" if it is_return, else
 * "func:LINE@FILE" with a line relative to the function's. False: debug information does not know the
 * address.
 */
bool debug_place_text(struct debug_file *d, u64 svma, bool is_return, struct strbuf *out);

#endif
