/*
 * Map-query: the executable mappings of a process, which the kernel finds one by one (PROCMAP_QUERY in
 * <linux/fs.h>, since Linux 6.11). /proc/PID/maps has a line for all others, too, whose text takes the kernel
 * longest.
 */
#ifndef PERF_BASE_MAP_QUERY_H
#define PERF_BASE_MAP_QUERY_H

#include "map-lines.h"

/*
 * Calls fn for each executable mapping of a process, in rising order, as map_lines_read() does; paths are
 * only valid in fn. is_plain false: its pages are not in the page cache of a file (huge pages, memory without
 * a name). 0, also where a process has no memory, or a negative errno: -ENOTTY of kernels without this
 */
typedef bool map_query_fn(void *ctx, const struct proc_map *m, bool is_plain);
int map_query_exec(s32 pid, map_query_fn *fn, void *ctx);

#endif
