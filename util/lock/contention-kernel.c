/* Contention-kernel: waits that BPF programs have added up become rows of the tables. */
#include "contention.h"
#include "kernel-waits.h"
#include "../kernel/cgroup.h"
#include "../obj/btf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MACHINERY_FRAMES 4u	/* of BPF, at most */

/* ---- options and filters as the programs take them ---- */

static u32 parts_of(const struct contention_opts *o)
{
	static const u32 parts[] = {
		[CONTENTION_BY_CALLER] = KERNEL_WAITS_CHAIN, [CONTENTION_BY_THREAD] = KERNEL_WAITS_TASK,
		[CONTENTION_BY_LOCK] = KERNEL_WAITS_LOCK, [CONTENTION_BY_OWNER] = KERNEL_WAITS_OWNER,
		[CONTENTION_BY_CGROUP] = KERNEL_WAITS_CGROUP,
	};

	/* chains are filtered by the names of their functions, which only this process knows */
	return parts[o->by] | (o->functions ? KERNEL_WAITS_CHAIN : 0);
}

static int find_offsets(struct kernel_wait_offsets *ret, struct err *err)
{
	struct btf *b = btf_read_kernel(err);
	int code;

	if (!b)
		return err ? err->code : -ENOTSUP;
	code = btf_offset(b, "mutex", "owner", &ret->mutex_owner, err);
	if (!code)
		code = btf_offset(b, "rw_semaphore", "owner", &ret->rwsem_owner, err);
	if (!code)
		code = btf_offset(b, "task_struct", "pid", &ret->task_pid, err);
	if (!code)
		code = btf_offset(b, "task_struct", "comm", &ret->task_comm, err);
	btf_free(b);
	if (code)
		err_prefix(err, "owners of locks are not known: ");
	return code;
}

struct id_list { VEC(u64); };

static int find_cgroups(const char *names, struct id_list *ret, struct err *err)
{
	struct strbuf path = STRBUF_INIT;
	const char *word;
	size_t len;
	int code = 0;

	if (!cgroup_unified_mount(&path))
		code = err_set(err, -ENOTSUP, "-G: the unified hierarchy of control groups is not mounted");
	while (!code && (word = lock_next_word(&names, &len))) {
		size_t mount = path.len;
		u64 id;

		strbuf_addf(&path, "/%.*s", (int)len, word);
		id = cgroup_id(strbuf_str(&path));
		if (id)
			vec_push(ret, id);
		else
			code = err_set(err, -ENOENT, "-G: there is no control group %s", strbuf_str(&path));
		strbuf_setlen(&path, mount);
	}
	strbuf_release(&path);
	return code;
}

int contention_open_kernel(struct contention *c, struct kernel_waits *k, const struct watched_opts *tasks,
			   const struct cpulist *cpus, struct err *err)
{
	const struct contention_opts *o = c->opts;
	struct kernel_waits_opts ko = {
		.by = parts_of(o), .max_stack = o->max_stack + MACHINERY_FRAMES, .tasks = *tasks,
		.entries = o->entries_of_maps ? o->entries_of_maps : KERNEL_WAITS_ENTRIES,
		.types = lock_types_flags(&c->types), .locks = c->locks.v, .nr_locks = c->locks.nr,
		.delays = c->delays.v, .nr_delays = c->delays.nr,
		.cpus = cpus->v, .nr_cpus = cpus->nr };
	struct id_list cgroups = { 0 };
	int ret = 0;

	if (o->max_stack > KERNEL_WAITS_STACK_MAX - MACHINERY_FRAMES)
		ret = err_set(err, -ENOTSUP, "--max-stack: BPF programs keep at most %u frames",
			      KERNEL_WAITS_STACK_MAX - MACHINERY_FRAMES);
	if (!ret && o->by == CONTENTION_BY_OWNER)
		ret = find_offsets(&ko.offsets, err);
	if (!ret && o->cgroups)
		ret = find_cgroups(o->cgroups, &cgroups, err);
	ko.cgroups = cgroups.v;
	ko.nr_cgroups = cgroups.nr;
	if (!ret)
		ret = kernel_waits_open(k, &ko, err);
	vec_release(&cgroups);
	return ret;
}

/* ---- results ---- */

static u64 row_key(struct contention *c, const struct kernel_wait_key *key, u32 chain)
{
	switch (c->opts->by) {
	case CONTENTION_BY_THREAD:
	case CONTENTION_BY_OWNER:
		return (u64)(s64)key->task;
	case CONTENTION_BY_LOCK:
		return key->lock;
	case CONTENTION_BY_CGROUP:
		return key->cgroup;
	case CONTENTION_BY_CALLER:
		break;
	}
	return contention_caller_key(c, chain, key->flags);
}

static const char *task_name(struct contention *c, const struct kernel_wait *w)
{
	char name[sizeof(w->comm) + 1] = "";

	memcpy(name, w->comm, sizeof(w->comm));
	return *name ? lock_safe(&c->arena, name) : NULL;
}

/* the innermost frames are of the BPF program and of what calls it; events of rings do not have them */
static u32 nr_of_machinery(struct contention *c, const u64 *ip, u32 nr_ip)
{
	const struct sample_ctx at_end = { .when = WHEN_END };
	struct kernel_name found;
	u32 nr = 0;

	arena_reset(&c->chains.scratch);
	for (u32 i = 0; i < MIN(nr_ip, MACHINERY_FRAMES); i++)
		if (kernel_name_find(&c->resolver, &at_end, ip[i], &c->chains.scratch, &found) &&
		    (!strncmp(found.name, "bpf_trace_run", 13) || !strncmp(found.name, "__bpf_trace_", 12)))
			nr = i + 1;
	return nr;
}

static void add_wait(void *ctx, const struct kernel_wait_key *key, u32 nr_ip, const struct kernel_wait *w)
{
	struct contention *c = ctx;
	struct contention_row *row;
	u32 chain = 0;

	if (c->opts->by == CONTENTION_BY_CALLER || c->opts->functions) {
		u32 skip = nr_of_machinery(c, key->ip, nr_ip);

		chain = lock_chains_add_ips(&c->chains, key->ip + skip,
					    MIN(nr_ip - skip, c->opts->max_stack));
		if (!c->chains.chain.v[chain].wanted)
			return;
	}
	row = contention_row_of(c, row_key(c, key, chain));
	if (!row->times.nr) {
		row->flags = w->flags;
		row->task = task_name(c, w);
		row->comm = ID_NONE;
		row->times.min = w->min;
	}
	row->times.nr += w->nr;
	row->times.total += w->total;
	row->times.max = MAX(row->times.max, w->max);
	row->times.min = MIN(row->times.min, w->min);
}

void contention_add_kernel(struct contention *c, const struct kernel_waits *k)
{
	struct kernel_wait_losses losses;

	kernel_waits_each(k, add_wait, c);
	kernel_waits_losses(k, &losses);
	c->losses.nr_unfinished += losses.nr_unfinished;
	c->losses.nr_no_room += losses.nr_no_room;
}
