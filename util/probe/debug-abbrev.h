/* Debug-abbrev: what .debug_abbrev says of all units at once: which forms their attributes have. */
#ifndef PERF_PROBE_DEBUG_ABBREV_H
#define PERF_PROBE_DEBUG_ABBREV_H

#include "../base/types.h"

/* whether entries may refer to functions of other units; also true if it is damaged */
bool abbrevs_are_foreign(const u8 *p, size_t len);

#endif
