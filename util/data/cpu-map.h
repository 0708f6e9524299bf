/*
 * Cpu-map: the CPUs that CPU_MAP and EVENT_UPDATE records name, in any of the three forms. The bytes are
 * packed.
 */
#ifndef PERF_DATA_CPU_MAP_H
#define PERF_DATA_CPU_MAP_H

#include "../base/cursor.h"
#include "../base/vec.h"

/* in the order of the record; -1: any CPU. A zeroed one is empty */
struct cpu_map {
	VEC(s32);
};

/* appends the map at c; false if it has none of the forms. Of a cut map, the part that is there is taken */
bool cpu_map_decode(struct cursor *c, struct cpu_map *map);

#endif
