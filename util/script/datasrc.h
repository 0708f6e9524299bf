/* Datasrc: the data source of a memory access. */
#ifndef PERF_SCRIPT_DATASRC_H
#define PERF_SCRIPT_DATASRC_H

#include "line-worker.h"

void line_data_src(struct line_worker *w, u64 data_src, struct strbuf *out);

#endif
