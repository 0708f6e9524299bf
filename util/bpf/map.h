/*
 * Map: a table that BPF programs and this process share. Owns its descriptor. Keys and values are bytes of
 * the host.
 */
#ifndef PERF_BPF_MAP_H
#define PERF_BPF_MAP_H

#include <linux/bpf.h>
#include "../base/err.h"

struct bpf_map {
	int fd;			/* -1: none */
	u32 key_size, value_size;
	u32 nr;			/* entries for which there is room */
	bool is_per_cpu;	/* an entry has a value per possible CPU */
	u32 nr_cpus;		/* the number of values of an entry */
};
#define BPF_MAP_INIT { .fd = -1 }

/* flags: BPF_F_NO_PREALLOC ... 0 or a negative errno with err, which says what is needed */
int bpf_map_create(struct bpf_map *m, enum bpf_map_type type, const char *name, u32 key_size, u32 value_size,
		   u32 nr, u32 flags, struct err *err);
/* a map that a set (set.h) created and owns: it is not released */
void bpf_map_borrow(struct bpf_map *m, int fd, enum bpf_map_type type, u32 key_size, u32 value_size, u32 nr);
/*
 * an array of maps (BPF_MAP_TYPE_ARRAY_OF_MAPS) of the kind of inner, by number: bpf_map_set() with a
 * descriptor as value. As above
 */
int bpf_map_create_array_of(struct bpf_map *m, const struct bpf_map *inner, const char *name, u32 nr,
			    struct err *err);
/* bytes of what bpf_map_get() writes: a value for each possible CPU where the map has them, each 8-aligned */
u32 bpf_map_bytes(const struct bpf_map *m);
/* 0, -ENOENT, or another negative errno */
int bpf_map_get(const struct bpf_map *m, const void *key, void *ret_value);
int bpf_map_set(const struct bpf_map *m, const void *key, const void *value);
/*
 * nr keys and their values. With an array of maps the kernel waits once, for programs that may use what was
 * there, not after each of them. 0 or a negative errno; then some may be set
 */
int bpf_map_set_all(const struct bpf_map *m, const void *keys, const void *values, u32 nr);
int bpf_map_delete(const struct bpf_map *m, const void *key);
/* the key after `key` (NULL: the first); -ENOENT after the last one */
int bpf_map_next(const struct bpf_map *m, const void *key, void *ret_key);
void bpf_map_release(struct bpf_map *m);

#endif
