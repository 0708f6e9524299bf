/* Object-text: the fetch-argument of a typed object. Private to the variables of probes. */
#ifndef PERF_PROBE_OBJECT_TEXT_H
#define PERF_PROBE_OBJECT_TEXT_H

#include "../base/err.h"

struct probe_object;
struct probe_type;
struct strbuf;

/* appends "+8(%di):u32"; type NULL or automatic: as its own type asks */
int object_text(struct probe_object *o, const struct probe_type *type, struct strbuf *out, struct err *err);

#endif
