/* Kernel-waits: loads the programs (util/bpf/kernel-waits.bpf.c), and reads their tables. */
#include "kernel-waits.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

/* waits at the same time: no more than threads */
#define OPEN_MAX 16384u

static const u8 object[] = {
#include "../bpf/kernel-waits.bpf.inc"
};

static u32 stack_of(const struct kernel_waits_opts *o)
{
	return o->by & KERNEL_WAITS_CHAIN ? o->max_stack : 0;
}

static u32 key_size(const struct kernel_waits_opts *o)
{
	return sizeof(struct kernel_wait_key) + stack_of(o) * sizeof(u64);
}

static int prepare(struct bpf_set *s, const struct kernel_waits_opts *o, struct err *err)
{
	struct kernel_waits_settings c = {
		.by = o->by, .max_stack = stack_of(o), .types = o->types, .offsets = o->offsets,
		.choose_lock = o->nr_locks > 0, .choose_cpu = o->nr_cpus > 0,
		.choose_cgroup = o->nr_cgroups > 0,
	};
	u32 open_size = offsetof(struct open_wait, key) + key_size(o);
	int ret = watched_prepare(s, &o->tasks, &c.watched, err);

	bpf_set_constants(s, &c, sizeof(c));
	bpf_set_resize(s, "pending", 0, open_size, MIN(o->entries, OPEN_MAX));
	bpf_set_resize(s, "room", 0, open_size, 0);
	bpf_set_resize(s, "totals", key_size(o), 0, o->entries);
	bpf_set_resize(s, "locks", 0, 0, o->nr_locks);
	bpf_set_resize(s, "cpus", 0, 0, o->nr_cpus);
	bpf_set_resize(s, "cgroups", 0, 0, o->nr_cgroups);
	bpf_set_resize(s, "delays", 0, 0, o->nr_delays);
	return ret;
}

static int add_word(const struct bpf_map *m, u64 word, u64 value, struct err *err)
{
	return bpf_map_set(m, &word, &value) ? err_set(err, -EIO, "a BPF map cannot be filled") : 0;
}

static int fill_lists(const struct bpf_set *s, const struct kernel_waits_opts *o, struct err *err)
{
	struct bpf_map locks, cpus, cgroups, delays;
	int ret = 0;

	bpf_set_get_map(s, "locks", &locks);
	bpf_set_get_map(s, "cpus", &cpus);
	bpf_set_get_map(s, "cgroups", &cgroups);
	bpf_set_get_map(s, "delays", &delays);
	for (size_t i = 0; !ret && i < o->nr_delays; i++)
		ret = add_word(&delays, o->delays[i].lock, o->delays[i].ns, err);
	for (size_t i = 0; !ret && i < o->nr_locks; i++)
		ret = add_word(&locks, o->locks[i], 1, err);
	for (size_t i = 0; !ret && i < o->nr_cgroups; i++)
		ret = add_word(&cgroups, o->cgroups[i], 1, err);
	for (size_t i = 0; !ret && i < o->nr_cpus; i++)
		ret = add_word(&cpus, o->cpus[i], 1, err);
	return ret;
}

static int load(struct bpf_set *s, const struct kernel_waits_opts *o, struct err *err)
{
	const struct bpf_set_program programs[] = {
		WATCHED_LIST_END(&o->tasks), WATCHED_FORK(&o->tasks),
		{ "perf_wait_end", BPF_AT_RAW_TRACEPOINT, "contention_end", o->nr_delays > 0 },
		{ "perf_delay", BPF_AT_RAW_TRACEPOINT, "contention_end", !o->nr_delays },
		{ "perf_begin", BPF_AT_RAW_TRACEPOINT, "contention_begin" },
	};
	int ret = bpf_set_open(s, "lock contention", object, sizeof(object), err);

	if (!ret)
		ret = prepare(s, o, err);
	if (!ret)
		ret = bpf_set_load(s, programs, ARRAY_SIZE(programs), err);
	if (!ret)
		ret = watched_fill(s, &o->tasks, err);
	return ret ? ret : fill_lists(s, o, err);
}

int kernel_waits_open(struct kernel_waits *k, const struct kernel_waits_opts *o, struct err *err)
{
	int ret;

	*k = (struct kernel_waits){ .opts = *o };
	k->opts.locks = k->opts.cgroups = NULL;
	k->opts.delays = NULL;
	k->opts.cpus = NULL;
	if (o->max_stack > KERNEL_WAITS_STACK_MAX || o->entries > KERNEL_WAITS_ENTRIES_MAX)
		return err_set(err, -E2BIG, "BPF tables have at most %u entries with %u frames",
			       KERNEL_WAITS_ENTRIES_MAX, KERNEL_WAITS_STACK_MAX);
	ret = load(&k->set, o, err);
	if (ret && o->nr_delays)
		err_hint(err, "-J needs loops of BPF programs that end by time: Linux 6.9 or newer");
	if (ret) {
		kernel_waits_close(k);
		return ret;
	}
	bpf_set_get_map(&k->set, "pending", &k->pending);
	bpf_set_get_map(&k->set, "totals", &k->total);
	bpf_set_get_map(&k->set, "counters", &k->counters);
	return 0;
}

int kernel_waits_attach(struct kernel_waits *k, struct err *err)
{
	return bpf_set_attach(&k->set, err);
}

void kernel_waits_detach(struct kernel_waits *k)
{
	bpf_set_detach(&k->set);
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
	bpf_set_close(&k->set);
}
