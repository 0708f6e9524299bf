/* Data-src-columns: columns for the parts of memory accesses, see data-src-parts.def. */
#ifndef PERF_FIELDS_DATA_SRC_COLUMNS_H
#define PERF_FIELDS_DATA_SRC_COLUMNS_H

#include "../event/data-src.h"
#include "field.h"

/* the columns of a group, "op", or the one with that name, "op_load"; returns their number, 0: none */
u32 mem_parts_find(const char *word, const struct field *ret[DATA_SRC_NR_PARTS]);

#endif
