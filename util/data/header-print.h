/* Parts of features_print(); only util/data uses it. */
#ifndef PERF_DATA_HEADER_PRINT_H
#define PERF_DATA_HEADER_PRINT_H

#include "data.h"
#include "../base/strbuf.h"

/* the lines of one feature; nothing for one that has none or is not there */
void feature_print_one(const struct data *d, u64 bit, bool full, struct strbuf *out);

#endif
