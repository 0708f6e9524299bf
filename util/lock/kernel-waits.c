/* Kernel-waits: loads the programs of kernel-waits-code, and reads their tables. */
#include "kernel-waits.h"
#include "kernel-waits-code.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

/* waits at the same time: no more than threads */
#define OPEN_MAX 16384u

static u32 key_size(const struct kernel_waits_opts *o)
{
	return open_wait_size(o) - offsetof(struct open_wait, key);
}

/* a map of 8-byte words that filters look up; none where the list is empty */
static int create_list(struct bpf_map *m, const char *name, size_t nr, struct err *err)
{
	return nr ? bpf_map_create(m, BPF_MAP_TYPE_HASH, name, 8, 1, nr, 0, err) : 0;
}

static int add_word(const struct bpf_map *m, u64 word, struct err *err)
{
	const u8 yes = 1;

	return bpf_map_set(m, &word, &yes) ? err_set(err, -EIO, "a BPF map cannot be filled") : 0;
}

static int create_lists(struct kernel_waits *k, const struct kernel_waits_opts *o, struct err *err)
{
	int ret = create_list(&k->locks, "perf_locks", o->nr_locks, err);

	if (!ret)
		ret = create_list(&k->cgroups, "perf_cgroups", o->nr_cgroups, err);
	if (!ret)
		ret = create_list(&k->cpus, "perf_cpus", o->nr_cpus, err);
	if (!ret && o->nr_delays)
		ret = bpf_map_create(&k->delays, BPF_MAP_TYPE_HASH, "perf_delays", 8, 8, o->nr_delays, 0,
				     err);
	for (size_t i = 0; !ret && i < o->nr_delays; i++)
		if (bpf_map_set(&k->delays, &o->delays[i].lock, &o->delays[i].ns))
			ret = err_set(err, -EIO, "a BPF map cannot be filled");
	for (size_t i = 0; !ret && i < o->nr_locks; i++)
		ret = add_word(&k->locks, o->locks[i], err);
	for (size_t i = 0; !ret && i < o->nr_cgroups; i++)
		ret = add_word(&k->cgroups, o->cgroups[i], err);
	for (size_t i = 0; !ret && i < o->nr_cpus; i++)
		ret = add_word(&k->cpus, o->cpus[i], err);
	return ret;
}

static int create_maps(struct kernel_waits *k, const struct kernel_waits_opts *o, struct err *err)
{
	int ret = bpf_map_create(&k->pending, BPF_MAP_TYPE_HASH, "perf_pending", sizeof(struct wait_place),
				 open_wait_size(o), MIN(o->entries, OPEN_MAX), 0, err);

	if (!ret)
		ret = bpf_map_create(&k->total, BPF_MAP_TYPE_HASH, "perf_waits", key_size(o),
				     sizeof(struct kernel_wait), o->entries, 0, err);
	if (!ret)
		ret = bpf_map_create(&k->scratch, BPF_MAP_TYPE_PERCPU_ARRAY, "perf_room", 4,
				     open_wait_size(o), 1, 0, err);
	if (!ret)
		ret = bpf_map_create(&k->counters, BPF_MAP_TYPE_ARRAY, "perf_counters", 4, 8,
				     WAITS_NR_COUNTERS, 0, err);
	return ret ? ret : create_lists(k, o, err);
}

int kernel_waits_open(struct kernel_waits *k, const struct kernel_waits_opts *o, struct err *err)
{
	struct bpf_code c = { 0 };
	int ret;

	*k = (struct kernel_waits)KERNEL_WAITS_INIT;
	k->opts = *o;
	k->opts.locks = k->opts.cgroups = NULL;
	k->opts.delays = NULL;
	k->opts.cpus = NULL;
	if (o->max_stack > KERNEL_WAITS_STACK_MAX || o->entries > KERNEL_WAITS_ENTRIES_MAX)
		return err_set(err, -E2BIG, "BPF tables have at most %u entries with %u frames",
			       KERNEL_WAITS_ENTRIES_MAX, KERNEL_WAITS_STACK_MAX);
	ret = create_maps(k, o, err);
	if (!ret)
		ret = bpf_tasks_open(&k->tasks, &o->tasks, NULL, err);
	if (!ret) {
		waits_write_begin(&c, k);
		ret = bpf_prog_load_once(&k->begin, BPF_PROG_TYPE_RAW_TRACEPOINT, "perf_begin", &c, err);
	}
	if (!ret) {
		waits_write_end(&c, k);
		ret = bpf_prog_load_once(&k->end, BPF_PROG_TYPE_RAW_TRACEPOINT, "perf_end", &c, err);
	}
	if (ret && o->nr_delays)
		err_hint(err, "-J needs loops of BPF programs that end by time: Linux 6.9 or newer");
	if (ret)
		kernel_waits_close(k);
	return ret;
}

int kernel_waits_attach(struct kernel_waits *k, struct err *err)
{
	int ret = bpf_tasks_attach(&k->tasks, err);

	if (!ret)
		ret = bpf_prog_attach_raw(&k->end, "contention_end", err);
	if (!ret)
		ret = bpf_prog_attach_raw(&k->begin, "contention_begin", err);
	if (ret)
		kernel_waits_detach(k);
	return ret;
}

void kernel_waits_detach(struct kernel_waits *k)
{
	bpf_prog_detach(&k->begin);
	bpf_prog_detach(&k->end);
	bpf_tasks_detach(&k->tasks);
}

void kernel_waits_each(const struct kernel_waits *k,
		       void (*fn)(void *ctx, const struct kernel_wait_key *key, u32 nr_ip,
				  const struct kernel_wait *w), void *ctx)
{
	u32 size = key_size(&k->opts), max = (size - sizeof(struct kernel_wait_key)) / sizeof(u64);
	struct kernel_wait_key *key = xcalloc(1, size);

	/* the programs are detached: the table does not change */
	for (u32 i = 0; i < k->opts.entries && !bpf_map_next(&k->total, i ? key : NULL, key); i++) {
		struct kernel_wait w;
		u32 nr = 0;

		while (nr < max && key->ip[nr])
			nr++;
		if (!bpf_map_get(&k->total, key, &w) && w.nr)
			fn(ctx, key, nr, &w);
	}
	free(key);
}

void kernel_waits_losses(const struct kernel_waits *k, struct kernel_wait_losses *ret)
{
	u64 counter[WAITS_NR_COUNTERS] = { 0 };
	struct wait_place place;

	for (u32 i = 0; i < WAITS_NR_COUNTERS; i++)
		if (bpf_map_get(&k->counters, &i, &counter[i]))
			counter[i] = 0;
	*ret = (struct kernel_wait_losses){ counter[WAITS_UNFINISHED], counter[WAITS_NO_ROOM] };
	for (u32 i = 0; i < OPEN_MAX && !bpf_map_next(&k->pending, i ? &place : NULL, &place); i++)
		ret->nr_unfinished++;
}

void kernel_waits_close(struct kernel_waits *k)
{
	bpf_prog_release(&k->begin);
	bpf_prog_release(&k->end);
	bpf_tasks_close(&k->tasks);
	bpf_map_release(&k->pending);
	bpf_map_release(&k->total);
	bpf_map_release(&k->scratch);
	bpf_map_release(&k->counters);
	bpf_map_release(&k->locks);
	bpf_map_release(&k->cgroups);
	bpf_map_release(&k->cpus);
	bpf_map_release(&k->delays);
}
