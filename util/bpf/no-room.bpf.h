/* No-room.bpf: makes entries of maps when they are first needed, and counts those that find no room. */
#ifndef PERF_BPF_NO_ROOM_BPF_H
#define PERF_BPF_NO_ROOM_BPF_H

#include "common.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u64);
} no_room SEC(".maps");

static __always_inline void count_no_room(void)
{
	u32 first = 0;
	u64 *nr = bpf_map_lookup_elem(&no_room, &first);

	if (nr)
		__sync_fetch_and_add(nr, 1);
}

/* the value of the key, `new` if there is none; NULL without room, which is counted */
static __always_inline void *find_or_make(void *map, const void *key, const void *new)
{
	void *value = bpf_map_lookup_elem(map, key);

	if (value)
		return value;
	bpf_map_update_elem(map, key, new, BPF_NOEXIST);
	value = bpf_map_lookup_elem(map, key);
	if (!value)
		count_no_room();
	return value;
}

#endif
