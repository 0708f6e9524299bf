/* Parts of features_print(), for util/data only. */
#ifndef PERF_DATA_HEADER_PRINT_H
#define PERF_DATA_HEADER_PRINT_H

#include "data.h"
#include "../base/strbuf.h"

/* appends the lines of one feature; nothing if it has no lines or is absent */
void feature_print_one(const struct data *d, u64 bit, bool full, struct strbuf *out);

#endif
