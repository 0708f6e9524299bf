/*
 * Data sources of Arm SPE: what the packets of a load or store say of where its data were, as the bits of
 * PERF_SAMPLE_DATA_SRC. Rows: spe-sources.def.
 */
#ifndef PERF_AUX_SPE_SOURCE_H
#define PERF_AUX_SPE_SOURCE_H

#include "../base/types.h"

/* of the CPU with this MIDR; 0: its data sources are not known */
u32 spe_family(u64 midr);

/*
 * events: bits of the EVENTS packet. source: of the DATA-SOURCE packet, or -1 if there is none. Data sources
 * are of loads; for stores, and for sources that have no row, the events decide
 */
u64 spe_data_src(u32 family, bool store, u64 events, s32 source);

#endif
