/* Function-names: the names that functions of scripts have for tracepoints. */
#ifndef PERF_SCRIPT_FUNCTION_NAMES_H
#define PERF_SCRIPT_FUNCTION_NAMES_H

#include "../base/arena.h"
#include "../base/strbuf.h"

struct language;
struct tracefmt_event;

/* appends a name with "_" for each character that names of functions do not have */
void engine_add_identifier(const char *name, struct strbuf *out);
/* the name of the function for a tracepoint, in an arena */
const char *engine_function_name(struct arena *a, const struct language *l, const struct tracefmt_event *e);

#endif
