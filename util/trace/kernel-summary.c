/* Kernel-summary: loads the programs (util/bpf/kernel-summary.bpf.c), and reads their tables. */
#include "kernel-summary.h"
#include "call-regs.h"
#include "trace-private.h"
#include "../../arch/arch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const u8 object[] = {
#include "../bpf/kernel-summary.bpf.inc"
};

_Static_assert(SUMMARY_RULES == KERNEL_CALLS_NR_MAX, "rules are by the same numbers");

static int create_maps(struct kernel_summary *k, const struct kernel_summary_opts *o, struct err *err)
{
	/* a build on all CPUs starts thousands of threads, and none is forgotten before the end */
	u32 flags = o->tasks.all ? BPF_F_NO_PREALLOC : 0, times = o->tasks.all ? KERNEL_SUMMARY_SYSTEM : 1;
	/* a thread runs on one CPU at a time; groups have entries on each */
	enum bpf_map_type type = o->mode == TRACE_BY_THREAD ? BPF_MAP_TYPE_HASH : BPF_MAP_TYPE_PERCPU_HASH;
	int ret = bpf_map_create(&k->entries, type, "perf_entries", sizeof(struct kernel_summary_key),
				 sizeof(struct kernel_summary_entry), o->mode == TRACE_BY_THREAD ?
				 times * KERNEL_SUMMARY_ENTRIES : KERNEL_SUMMARY_ENTRIES / 4, flags, err);

	if (!ret)
		ret = bpf_map_create(&k->counts, BPF_MAP_TYPE_HASH, "perf_counts",
				     sizeof(struct kernel_summary_key), 8, times * KERNEL_SUMMARY_COUNTS,
				     flags, err);
	if (ret)
		return ret;
	bpf_set_use_map(&k->set, "entries", &k->entries);
	bpf_set_use_map(&k->set, "counts", &k->counts);
	return 0;
}

static int fill_rules(const struct kernel_summary *k, const struct kernel_summary_opts *o, struct err *err)
{
	struct bpf_map map;
	int ret = 0;

	bpf_set_get_map(&k->set, "rules", &map);
	for (u32 i = 0; !ret && i < 2 * KERNEL_CALLS_NR_MAX; i++) {
		u32 rule = o->rule[i].wanted || o->all_wanted ? SUMMARY_WANTED : 0;

		if (rule && o->rule[i].flags & KERNEL_CALL_NO_RETURN)
			rule |= SUMMARY_NO_RETURN;
		if (rule)
			ret = bpf_map_set(&map, &i, &rule);
	}
	return ret ? err_set(err, ret, "a BPF map cannot be filled") : 0;
}

static int load(struct kernel_summary *k, const struct kernel_summary_opts *o, const struct call_regs *regs,
		struct err *err)
{
	const struct bpf_set_program programs[] = {
		WATCHED_END, WATCHED_FORK(&o->tasks),
		{ "perf_exit", BPF_AT_RAW_TRACEPOINT, "sys_exit" },
		{ "perf_enter", BPF_AT_RAW_TRACEPOINT, "sys_enter" },
	};
	struct kernel_summary_settings c = { .regs = *regs, .by_thread = o->mode == TRACE_BY_THREAD,
					     .by_cgroup = o->mode == TRACE_BY_CGROUP };
	int ret = bpf_set_open(&k->set, "trace", object, sizeof(object), err);

	if (!ret)
		ret = create_maps(k, o, err);
	if (!ret)
		ret = watched_prepare(&k->set, &o->tasks, &c.watched, err);
	if (ret)
		return ret;
	bpf_set_constants(&k->set, &c, sizeof(c));
	ret = bpf_set_load(&k->set, programs, ARRAY_SIZE(programs), err);
	if (!ret)
		ret = watched_fill(&k->set, &o->tasks, err);
	return ret ? ret : fill_rules(k, o, err);
}

int kernel_summary_open(struct kernel_summary *k, const struct kernel_summary_opts *o, struct err *err)
{
	const struct arch *arch = arch_native();
	const struct call_regs *regs = arch ? call_regs_of(arch->abi[1].e_machine) : NULL;
	int ret;

	*k = (struct kernel_summary)KERNEL_SUMMARY_INIT;
	k->tasks = o->tasks;
	if (!regs)
		return err_set(err, -ENOTSUP, "calls cannot be counted by BPF on this architecture");
	ret = load(k, o, regs, err);
	if (ret)
		kernel_summary_close(k);
	return ret;
}

int kernel_summary_attach(struct kernel_summary *k, const struct target *t, struct err *err)
{
	int ret = watched_add_target(&k->set, &k->tasks, t, err);

	if (!ret)
		ret = bpf_set_attach(&k->set, err);
	k->attached = !ret;
	return ret;
}

void kernel_summary_detach(struct kernel_summary *k)
{
	bpf_set_detach(&k->set);
	k->attached = false;
}

void kernel_summary_close(struct kernel_summary *k)
{
	bpf_set_close(&k->set);
	bpf_map_release(&k->entries);
	bpf_map_release(&k->counts);
}

u64 kernel_summary_missed(const struct kernel_summary *k)
{
	const u32 only = 0;
	struct bpf_map map;
	u64 nr = 0;

	bpf_set_get_map(&k->set, "no_room", &map);
	return bpf_map_get(&map, &only, &nr) ? 0 : nr;
}

/* ---- results ---- */

static struct trace_stat *stat_of(struct trace *t, const struct kernel_summary_key *key,
				  const struct kernel_summary_entry *e)
{
	bool compat = key->part & KERNEL_SUMMARY_COMPAT;
	const struct syscall_table *table = compat && t->compat ? t->compat : t->native;
	u64 events = e ? e->calls + e->timed : 0;

	if (t->o->mode == TRACE_BY_THREAD) {
		struct trace_thread *th = trace_thread_counted(t, e ? e->pid : 0, key->group);

		if (e)
			trace_name_counted(th, e->comm, e->named_ns);

		th->nr_events += events;
		return trace_stat_of(&th->stats, table, key->nr);
	} else {
		struct trace_group *g = trace_group_of(&t->groups, key->group);

		g->nr_events += events;
		return trace_stat_of(&g->stats, table, key->nr);
	}
}

/* per-CPU entries of a key become one */
static void merge(struct kernel_summary_entry *to, const struct kernel_summary_entry *from)
{
	to->calls += from->calls;
	to->errors += from->errors;
	to->timed += from->timed;
	to->total += from->total;
	to->max = MAX(to->max, from->max);
	if (from->timed)
		to->min = to->timed == from->timed ? from->min : MIN(to->min, from->min);
	to->squares_low += from->squares_low;
	to->squares_high += from->squares_high + (to->squares_low < from->squares_low);
	if (from->named_ns > to->named_ns) {
		to->named_ns = from->named_ns;
		to->pid = from->pid;
		memcpy(to->comm, from->comm, sizeof(to->comm));
	}
}

static void set_moments(struct trace_stat *st, const struct kernel_summary_entry *e)
{
	/* 64 bits of mantissa, as the two numbers are nearly equal where all calls take the same time */
	long double squares = e->squares_high * 18446744073709551616.0L + e->squares_low;
	long double m2 = e->timed ? squares - (long double)e->total * e->total / e->timed : 0;

	st->mean = e->timed ? (double)e->total / e->timed : 0;
	st->m2 = m2 > 0 ? m2 : 0;
}

static void add_entries(const struct kernel_summary *k, struct trace *t)
{
	u32 nr_values = k->entries.nr_cpus, stride = bpf_map_bytes(&k->entries) / nr_values;
	u8 *bytes = xcalloc(nr_values, stride);
	struct kernel_summary_key key;

	for (u32 i = 0; i < k->entries.nr; i++) {
		struct kernel_summary_entry sum = { 0 };
		struct trace_stat *st;

		if (bpf_map_next(&k->entries, i ? &key : NULL, &key))
			break;
		if (bpf_map_get(&k->entries, &key, bytes))
			continue;
		for (u32 n = 0; n < nr_values; n++)
			merge(&sum, (const void *)(bytes + (size_t)n * stride));
		if (!sum.calls)
			continue;
		st = stat_of(t, &key, &sum);
		st->calls = sum.calls;
		st->errors = sum.errors;
		st->timed = sum.timed;
		st->total = sum.total;
		st->min = sum.min;
		st->max = sum.max;
		set_moments(st, &sum);
		t->nr_pairs += sum.timed;
	}
	free(bytes);
}

static void add_counts(const struct kernel_summary *k, struct trace *t)
{
	struct kernel_summary_key key;
	u64 nr;

	for (u32 i = 0; i < k->counts.nr && !bpf_map_next(&k->counts, i ? &key : NULL, &key); i++) {
		u32 which = key.part & 0xffff;

		if (bpf_map_get(&k->counts, &key, &nr))
			continue;
		if (key.part & KERNEL_SUMMARY_BUCKET)
			trace_stat_add_bucket(stat_of(t, &key, NULL), which, nr);
		else if (key.part & KERNEL_SUMMARY_ERROR)
			vec_push(&stat_of(t, &key, NULL)->errnos, (struct trace_errno){ which, nr });
	}
}

void kernel_summary_add(const struct kernel_summary *k, struct trace *t)
{
	add_entries(k, t);
	add_counts(k, t);
}
