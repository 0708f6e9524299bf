/* Kernel-calls: loads the programs (util/bpf/kernel-calls.bpf.c), and reads what they write. */
#include "kernel-calls.h"
#include "call-regs.h"
#include "../../arch/arch.h"
#include "../base/fs.h"
#include "../kernel/open.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* the reader is woken when so much is written, or half of a ring: with less, it has less to do at the end */
#define WAKE_BYTES (512u << 10)

static const u8 object[] = {
#include "../bpf/kernel-calls.bpf.inc"
};

static const struct kernel_calls none = {
	.pending = BPF_MAP_INIT, .rules = BPF_MAP_INIT, .room = BPF_MAP_INIT, .output = BPF_MAP_INIT,
	.rings = BPF_MAP_INIT, .rings_inplace = BPF_MAP_INIT, .model = BPF_INPLACE_INIT,
};

/* an array begins with zeros: calls that are not wanted have no rule to write */
int kernel_calls_set_rules(const struct kernel_calls *k, const struct kernel_call_rule *rule, struct err *err)
{
	int ret = 0;

	for (u32 i = 0; !ret && i < 2 * KERNEL_CALLS_NR_MAX; i++)
		if (rule[i].wanted)
			ret = bpf_map_set(&k->rules, &i, &rule[i]);
	return ret ? err_set(err, ret, "the rules of BPF programs cannot be written") : 0;
}

/* the map of rings that programs write in place, with one to begin with; without them nothing is changed */
static void create_inplace(struct kernel_calls *k, const struct kernel_calls_opts *o)
{
	if (bpf_inplace_create(&k->model, "perf_inplace", o->ring_bytes, offsetof(struct call_room, unread),
			       NULL))
		return;
	if (bpf_map_create_array_of(&k->rings_inplace, &k->model.map, "perf_inplaces", o->nr_cpus, NULL)) {
		bpf_inplace_release(&k->model);
		return;
	}
	k->ring_bytes = page_size();
	while (k->inplace.nr < o->nr_cpus)
		vec_push(&k->inplace, (struct bpf_inplace)BPF_INPLACE_INIT);
}

/* the map of rings, without any: false if the kernel has no rings */
static bool create_rings(struct kernel_calls *k, const struct kernel_calls_opts *o,
			 const struct call_regs *regs)
{
	struct bpf_ring model = BPF_RING_INIT;

	/* the rings need not have the size of the model */
	if (!o->ring_bytes || bpf_ring_create(&model, "perf_ring", page_size(), NULL))
		return false;
	if (!bpf_map_create_array_of(&k->rings, &model.map, "perf_rings", o->nr_cpus, NULL)) {
		k->ring_bytes = o->ring_bytes;
		while (k->ring.nr < o->nr_cpus)
			vec_push(&k->ring, (struct bpf_ring)BPF_RING_INIT);
	}
	bpf_ring_release(&model);
	if (k->ring.nr && regs->ordered_stores)
		create_inplace(k, o);
	return k->ring.nr;
}

/* where programs write, which says what maps they use */
static void choose_output(struct kernel_calls *k, const struct kernel_calls_opts *o,
			  const struct call_regs *regs, struct kernel_calls_settings *c)
{
	bool has_rings = create_rings(k, o, regs), in_place = k->inplace.nr;

	bpf_set_use_map(&k->set, "rings", has_rings ? &k->rings : NULL);
	bpf_set_use_map(&k->set, "rings_inplace", in_place ? &k->rings_inplace : NULL);
	if (has_rings)
		bpf_set_use_map(&k->set, "output", NULL);
	else
		bpf_set_resize(&k->set, "output", 0, 0, o->nr_cpus);
	c->output = in_place ? CALLS_IN_PLACE : has_rings ? CALLS_TO_RINGS : CALLS_TO_SAMPLES;
	c->wake_bytes = MIN((in_place ? k->model.size : k->ring_bytes) / 2, WAKE_BYTES);
	c->size = k->model.size;
	c->room = k->model.room;
}

static int load_programs(struct kernel_calls *k, const struct kernel_calls_opts *o,
			 const struct call_regs *regs, struct err *err)
{
	const struct bpf_set_program programs[] = {
		WATCHED_END, WATCHED_FORK(&o->tasks),
		{ "perf_exit", BPF_AT_RAW_TRACEPOINT, "sys_exit" },
		{ "perf_enter", BPF_AT_RAW_TRACEPOINT, "sys_enter" },
	};
	struct kernel_calls_settings c = {
		.regs = *regs, .failed_only = o->failed_only, .all_wanted = o->all_wanted,
		.min_ns = o->min_ns,
	};
	int ret = bpf_set_open(&k->set, "trace", object, sizeof(object), err);

	if (ret)
		return ret;
	choose_output(k, o, regs, &c);
	ret = watched_prepare(&k->set, &o->tasks, &c.watched, err);
	if (ret)
		return ret;
	bpf_set_constants(&k->set, &c, sizeof(c));
	ret = bpf_set_load(&k->set, programs, ARRAY_SIZE(programs), err);
	return ret ? ret : watched_fill(&k->set, &o->tasks, err);
}

int kernel_calls_open(struct kernel_calls *k, const struct kernel_calls_opts *o, struct err *err)
{
	const struct arch *arch = arch_native();
	const struct call_regs *regs = arch ? call_regs_of(arch->abi[1].e_machine) : NULL;
	int ret;

	*k = none;
	k->tasks = o->tasks;
	if (!regs)
		return err_set(err, -ENOTSUP, "calls cannot be recorded by BPF on this architecture");
	ret = load_programs(k, o, regs, err);
	if (!ret) {
		bpf_set_get_map(&k->set, "pending", &k->pending);
		bpf_set_get_map(&k->set, "rules", &k->rules);
		bpf_set_get_map(&k->set, "room", &k->room);
		bpf_set_get_map(&k->set, "output", &k->output);
	}
	if (!ret && o->rule)
		ret = kernel_calls_set_rules(k, o->rule, err);
	if (ret)
		kernel_calls_close(k);
	return ret;
}

int kernel_calls_set_output(struct kernel_calls *k, u32 cpu, int event_fd)
{
	return bpf_map_set(&k->output, &cpu, &event_fd);
}

int kernel_calls_add_ring(struct kernel_calls *k, u32 cpu, struct err *err)
{
	struct bpf_inplace *r = k->inplace.nr ? &k->inplace.v[cpu] : NULL;
	int ret = bpf_ring_create(&k->ring.v[cpu], "perf_ring", k->ring_bytes, err);

	if (ret || !r)
		return ret;
	if (!k->model.head)
		return bpf_inplace_create(r, "perf_inplace", k->model.size, k->model.room, err);
	*r = k->model;
	k->model.head = NULL;
	k->model.map.fd = -1;
	return 0;
}

/* programs see the rings from now on */
static int show_rings(const struct kernel_calls *k, struct err *err)
{
	u32 *cpu = xcalloc(k->ring.nr + 1, sizeof(*cpu)), nr = 0;
	int *fd = xcalloc(k->ring.nr + 1, sizeof(*fd)), ret;
	int *fd_inplace = xcalloc(k->ring.nr + 1, sizeof(*fd_inplace));

	for (u32 i = 0; i < k->ring.nr; i++) {
		if (!k->ring.v[i].consumer)
			continue;
		cpu[nr] = i;
		if (k->inplace.nr)
			fd_inplace[nr] = k->inplace.v[i].map.fd;
		fd[nr++] = k->ring.v[i].map.fd;
	}
	ret = bpf_map_set_all(&k->rings, cpu, fd, nr);
	if (!ret && k->inplace.nr)
		ret = bpf_map_set_all(&k->rings_inplace, cpu, fd_inplace, nr);
	free(cpu);
	free(fd);
	free(fd_inplace);
	return ret ? err_set(err, ret, "the ring buffers of BPF programs cannot be used") : 0;
}

struct ring_reader {
	kernel_calls_fn fn;
	void *ctx;
	u32 cpu;
};

static void on_ring_record(void *ctx, const void *record, u32 len)
{
	const struct ring_reader *r = ctx;

	if (len >= sizeof(struct kernel_call))
		r->fn(r->ctx, r->cpu, record, len);
}

void kernel_calls_read(struct kernel_calls *k, kernel_calls_fn fn, void *ctx)
{
	struct ring_reader r = { fn, ctx, 0 };

	for (; r.cpu < k->ring.nr; r.cpu++) {
		if (!k->ring.v[r.cpu].consumer)
			continue;
		/* what wakes is too short for a record */
		bpf_ring_read(&k->ring.v[r.cpu], on_ring_record, &r);
		if (k->inplace.nr && k->inplace.v[r.cpu].head)
			bpf_inplace_read(&k->inplace.v[r.cpu], on_ring_record, &r);
	}
}

u64 kernel_calls_lost(const struct kernel_calls *k)
{
	struct call_room *room = xcalloc(1, bpf_map_bytes(&k->room));
	const u32 key = 0;
	u64 lost = 0;

	if (!bpf_map_get(&k->room, &key, room))
		for (u32 i = 0; i < k->room.nr_cpus; i++)
			lost += room[i].lost;
	vec_foreach(&k->inplace, r)
		lost += r->head ? bpf_inplace_lost(r) : 0;
	free(room);
	return lost;
}

int kernel_calls_attach(struct kernel_calls *k, struct err *err)
{
	int ret = show_rings(k, err);

	if (!ret)
		ret = bpf_set_attach(&k->set, err);
	k->attached = !ret;
	return ret;
}

void kernel_calls_detach(struct kernel_calls *k)
{
	bpf_set_detach(&k->set);
	k->attached = false;
}

u64 kernel_calls_missed(const struct kernel_calls *k)
{
	const u32 key = 0;
	struct bpf_map map;
	u64 nr = 0;

	bpf_set_get_map(&k->set, "no_room", &map);
	return bpf_map_get(&map, &key, &nr) ? 0 : nr;
}

bool kernel_calls_next_pending(const struct kernel_calls *k, u32 *tid, struct kernel_call *ret)
{
	struct pending_call p;

	while (!bpf_map_next(&k->pending, *tid ? tid : NULL, tid)) {
		if (bpf_map_get(&k->pending, tid, &p) || !p.state)
			continue;
		*ret = (struct kernel_call){ .enter_ns = p.enter_ns, .nr = p.nr, .pid = p.pid, .tid = *tid,
					     .flags = p.flags | KERNEL_CALL_IS_OPEN };
		memcpy(ret->arg, p.arg, sizeof(ret->arg));
		return true;
	}
	return false;
}

void kernel_calls_close(struct kernel_calls *k)
{
	bpf_set_close(&k->set);
	bpf_map_release(&k->rings);
	vec_foreach(&k->ring, r)
		bpf_ring_release(r);
	vec_release(&k->ring);
	vec_foreach(&k->inplace, own)
		bpf_inplace_release(own);
	vec_release(&k->inplace);
	bpf_inplace_release(&k->model);
	bpf_map_release(&k->rings_inplace);
}

/* false: they do not fit into the bytes that are left */
static bool decode_parts(const u8 *at, u32 left, u32 nr, struct kernel_call_data *data)
{
	struct kernel_call_part part;

	for (data->nr_parts = 0; data->nr_parts < nr; data->nr_parts++) {
		if (data->nr_parts == KERNEL_CALLS_PARTS_MAX || left < sizeof(part))
			return false;
		memcpy(&part, at, sizeof(part));
		at += sizeof(part);
		left -= sizeof(part);
		if (part.len > left)
			return false;
		data->part[data->nr_parts] = (struct syscall_part){ part.addr, at, part.len };
		at += part.len;
		left -= part.len;
	}
	return true;
}

const struct kernel_call *kernel_call_at(const void *raw, u32 size, struct kernel_call *copy,
					 struct kernel_call_data *data)
{
	const struct kernel_call *k = raw;
	const u8 *at = (const u8 *)raw + sizeof(*k);
	u32 left;

	if (size < sizeof(*k))
		return NULL;
	if ((uintptr_t)raw % _Alignof(struct kernel_call))
		k = memcpy(copy, raw, sizeof(*copy));
	left = size - sizeof(*k);
	for (u32 i = 0; i < KERNEL_CALLS_ARGS; i++) {
		data->arg[i] = k->len[i] ? at : NULL;
		if (k->len[i] > left)
			return NULL;
		at += k->len[i];
		left -= k->len[i];
	}
	return decode_parts(at, left, k->nr_parts, data) ? k : NULL;
}

bool kernel_call_decode(const void *raw, u32 size, struct kernel_call *ret, struct kernel_call_data *data)
{
	const struct kernel_call *k = kernel_call_at(raw, size, ret, data);

	if (k && k != ret)
		*ret = *k;
	return k;
}
