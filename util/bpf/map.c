/* Map: see map.h. */
#include "map.h"
#include "../base/cpulist.h"
#include "../base/strbuf.h"
#include "../kernel/bpf-programs.h"
#include "bpf-explain.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_per_cpu(enum bpf_map_type type)
{
	return type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_PERCPU_ARRAY ||
	       type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

/* the kernel writes a value for each possible CPU: too few here would let it write beyond the end */
static int nr_possible_cpus(u32 *ret, struct err *err)
{
	struct cpulist possible = { 0 };
	int code = cpulist_read(&possible, "/sys/devices/system/cpu/possible");

	if (!code && !possible.nr)
		code = -EIO;
	if (code)
		err_set(err, code, "/sys/devices/system/cpu/possible cannot be read");
	else
		*ret = possible.nr;
	vec_release(&possible);
	return code;
}

static int create(struct bpf_map *m, union bpf_attr *attr, const char *name, struct err *err)
{
	u32 nr_cpus = 1;
	long fd;

	if (is_per_cpu(attr->map_type) && nr_possible_cpus(&nr_cpus, err))
		return err ? err->code : -EIO;
	snprintf(attr->map_name, sizeof(attr->map_name), "%s", name);
	fd = bpf_call(BPF_MAP_CREATE, attr);
	if (fd < 0)
		return bpf_explain(err, -fd, "a BPF map");
	*m = (struct bpf_map){ .fd = fd, .key_size = attr->key_size, .value_size = attr->value_size,
			       .nr = attr->max_entries, .is_per_cpu = is_per_cpu(attr->map_type),
			       .nr_cpus = nr_cpus };
	return 0;
}

int bpf_map_create(struct bpf_map *m, enum bpf_map_type type, const char *name, u32 key_size, u32 value_size,
		   u32 nr, u32 flags, struct err *err)
{
	union bpf_attr attr = { .map_type = type, .key_size = key_size, .value_size = value_size,
				.max_entries = nr, .map_flags = flags };

	return create(m, &attr, name, err);
}

int bpf_map_create_array_of(struct bpf_map *m, const struct bpf_map *inner, const char *name, u32 nr,
			    struct err *err)
{
	union bpf_attr attr = { .map_type = BPF_MAP_TYPE_ARRAY_OF_MAPS, .key_size = 4, .value_size = 4,
				.max_entries = nr, .inner_map_fd = inner->fd };

	return create(m, &attr, name, err);
}

void bpf_map_borrow(struct bpf_map *m, int fd, enum bpf_map_type type, u32 key_size, u32 value_size, u32 nr)
{
	u32 nr_cpus = 1;

	/* nobody may read values of CPUs whose number is not known */
	if (is_per_cpu(type) && nr_possible_cpus(&nr_cpus, NULL))
		fd = -1;
	*m = (struct bpf_map){ .fd = fd, .key_size = key_size, .value_size = value_size, .nr = nr,
			       .is_per_cpu = is_per_cpu(type), .nr_cpus = nr_cpus };
}

u32 bpf_map_bytes(const struct bpf_map *m)
{
	return !m->is_per_cpu ? m->value_size : (m->value_size + 7) / 8 * 8 * m->nr_cpus;
}

static int element(int cmd, const struct bpf_map *m, const void *key, const void *value)
{
	union bpf_attr attr = { .map_fd = m->fd, .key = (uintptr_t)key, .value = (uintptr_t)value };

	return bpf_call(cmd, &attr);
}

int bpf_map_get(const struct bpf_map *m, const void *key, void *ret_value)
{
	return element(BPF_MAP_LOOKUP_ELEM, m, key, ret_value);
}

int bpf_map_set(const struct bpf_map *m, const void *key, const void *value)
{
	return element(BPF_MAP_UPDATE_ELEM, m, key, value);
}

int bpf_map_set_all(const struct bpf_map *m, const void *keys, const void *values, u32 nr)
{
	union bpf_attr attr = { .batch = { .map_fd = m->fd, .keys = (uintptr_t)keys,
					   .values = (uintptr_t)values, .count = nr } };
	int ret = nr ? bpf_call(BPF_MAP_UPDATE_BATCH, &attr) : 0;

	if (ret >= 0)
		return 0;
	/* kernels before 5.6 know no batches, and those before 5.16 none for arrays of maps */
	ret = 0;
	for (u32 i = 0; i < nr && !ret; i++)
		ret = bpf_map_set(m, (const u8 *)keys + i * m->key_size,
				  (const u8 *)values + i * m->value_size);
	return ret;
}

int bpf_map_delete(const struct bpf_map *m, const void *key)
{
	return element(BPF_MAP_DELETE_ELEM, m, key, NULL);
}

int bpf_map_next(const struct bpf_map *m, const void *key, void *ret_key)
{
	return element(BPF_MAP_GET_NEXT_KEY, m, key, ret_key);
}

void bpf_map_release(struct bpf_map *m)
{
	if (m->fd >= 0)
		close(m->fd);
	m->fd = -1;
}
