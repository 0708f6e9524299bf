/* Kernel-work: loads kernel-work.bpf.c or kernel-top.bpf.c of util/bpf, and reads their tables. */
#include "kernel-work.h"
#include "../base/fs.h"
#include "../kernel/tracefs.h"

#include <errno.h>
#include <string.h>

/* ---- programs ---- */

static const u8 work_object[] = {
#include "../bpf/kernel-work.bpf.inc"
};
static const u8 top_object[] = {
#include "../bpf/kernel-top.bpf.inc"
};

static int find_field(const char *system, const char *event, const char *field, u32 *ret, struct err *err)
{
	int code = tracefs_field_offset(system, event, field, ret);

	return code ? err_set(err, code, "the field '%s' of %s:%s cannot be found in its format", field,
			      system, event) : 0;
}

static int load_work(struct bpf_set *s, u32 classes, struct err *err)
{
	const bool no_irq = !(classes & 1u << KWORK_IRQ), no_softirq = !(classes & 1u << KWORK_SOFTIRQ);
	const bool no_work = !(classes & 1u << KWORK_WORKQUEUE);
	const struct bpf_set_program programs[] = {
		{ "perf_irq_enter", BPF_AT_RAW_TRACEPOINT, "irq_handler_entry", no_irq },
		{ "perf_irq_leave", BPF_AT_RAW_TRACEPOINT, "irq_handler_exit", no_irq },
		{ "perf_softirq_raise", BPF_AT_RAW_TRACEPOINT, "softirq_raise", no_softirq },
		{ "perf_softirq_enter", BPF_AT_RAW_TRACEPOINT, "softirq_entry", no_softirq },
		{ "perf_softirq_leave", BPF_AT_RAW_TRACEPOINT, "softirq_exit", no_softirq },
		{ "perf_work_raise", BPF_AT_RAW_TRACEPOINT, "workqueue_activate_work", no_work },
		{ "perf_work_enter", BPF_AT_TRACEPOINT, "workqueue:workqueue_execute_start", no_work },
		{ "perf_work_leave", BPF_AT_RAW_TRACEPOINT, "workqueue_execute_end", no_work },
	};
	static const char event[] = "workqueue_execute_start";
	struct kernel_work_settings c = { 0 };
	int ret = bpf_set_open(s, "kwork", work_object, sizeof(work_object), err);

	if (!ret && !no_work)
		ret = find_field("workqueue", event, "work", &c.work, err);
	if (!ret && !no_work)
		ret = find_field("workqueue", event, "function", &c.function, err);
	if (ret)
		return ret;
	bpf_set_constants(s, &c, sizeof(c));
	return bpf_set_load(s, programs, ARRAY_SIZE(programs), err);
}

static int load_top(struct bpf_set *s, u32 classes, struct err *err)
{
	const bool no_irq = !(classes & 1u << KWORK_IRQ), no_softirq = !(classes & 1u << KWORK_SOFTIRQ);
	const struct bpf_set_program programs[] = {
		{ "perf_switch", BPF_AT_TRACEPOINT, "sched:sched_switch" },
		{ "perf_irq_enter", BPF_AT_RAW_TRACEPOINT, "irq_handler_entry", no_irq },
		{ "perf_irq_leave", BPF_AT_RAW_TRACEPOINT, "irq_handler_exit", no_irq },
		{ "perf_softirq_enter", BPF_AT_RAW_TRACEPOINT, "softirq_entry", no_softirq },
		{ "perf_softirq_leave", BPF_AT_RAW_TRACEPOINT, "softirq_exit", no_softirq },
	};
	struct kernel_top_settings c = { 0 };
	int ret = bpf_set_open(s, "kwork top", top_object, sizeof(top_object), err);

	if (!ret)
		ret = find_field("sched", "sched_switch", "prev_pid", &c.prev_pid, err);
	if (!ret)
		ret = find_field("sched", "sched_switch", "next_pid", &c.next_pid, err);
	/* an array: its size belongs to the name */
	if (!ret)
		ret = find_field("sched", "sched_switch", "prev_comm[16]", &c.prev_comm, err);
	if (ret)
		return ret;
	bpf_set_constants(s, &c, sizeof(c));
	return bpf_set_load(s, programs, ARRAY_SIZE(programs), err);
}

int kernel_work_open(struct kernel_work *w, const struct kwork_opts *o, struct err *err)
{
	int ret;

	*w = (struct kernel_work){ .opts = o };
	ret = o->kind == KWORK_TOP ? load_top(&w->set, o->classes, err) :
				     load_work(&w->set, o->classes, err);
	if (ret)
		kernel_work_close(w);
	return ret;
}

int kernel_work_attach(struct kernel_work *w, struct err *err)
{
	return bpf_set_attach(&w->set, err);
}

void kernel_work_detach(struct kernel_work *w)
{
	bpf_set_detach(&w->set);
}

void kernel_work_close(struct kernel_work *w)
{
	bpf_set_close(&w->set);
}

/* ---- results ---- */

/* the names of an interrupt's handlers: "eth0", or "a,b" where it is shared */
static u32 irq_name(struct kwork *k, u64 irq)
{
	struct strbuf path = STRBUF_INIT, line = STRBUF_INIT;
	u32 id = 0;

	strbuf_addf(&path, "/sys/kernel/irq/%lu/actions", irq);
	if (!fs_read_line(path.buf, &line) && line.len)
		id = strtab_addn(&k->names, line.buf, strcspn(line.buf, "\n"));
	strbuf_release(&path);
	strbuf_release(&line);
	return id;
}

static void add_work(const struct kernel_work *w, struct kwork *k)
{
	struct kernel_work_key key;
	struct bpf_map map;

	bpf_set_get_map(&w->set, "work", &map);
	for (u32 i = 0; i < KERNEL_WORK_MAX && !bpf_map_next(&map, i ? &key : NULL, &key); i++) {
		struct kernel_work_entry e;

		if (bpf_map_get(&map, &key, &e) || key.class >= KWORK_NR_CLASSES ||
		    !id_filter_ok(&k->cpus, key.cpu))
			continue;
		vec_push(&k->work, (struct kwork_work){
				.class = key.class, .cpu = key.cpu, .id = key.id, .function = key.function,
				.name = key.class == KWORK_IRQ ? irq_name(k, key.id) : 0,
				.run = e.run, .delay = e.delay });
	}
}

static void add_cpus(const struct kernel_work *w, struct kwork *k)
{
	u32 stride, only = 0;
	struct bpf_map map;
	u8 *bytes;

	bpf_set_get_map(&w->set, "cpu", &map);
	stride = bpf_map_bytes(&map) / map.nr_cpus;
	bytes = xcalloc(map.nr_cpus, stride);
	if (bpf_map_get(&map, &only, bytes))
		memset(bytes, 0, (size_t)map.nr_cpus * stride);
	for (u32 i = 0; i < map.nr_cpus; i++) {
		const struct kernel_cpu *from = (const void *)(bytes + (size_t)i * stride);
		struct kwork_cpu *c;

		if (!from->known || !id_filter_ok(&k->cpus, i) || !(c = kwork_cpu_of(k, i)))
			continue;
		c->seen = true;
		c->first = from->first;
		c->last = from->last;
		c->irq = from->irq;
		c->softirq = from->softirq;
		c->unknown = from->unknown;
	}
	free(bytes);
}

static void add_shares(const struct kernel_work *w, struct kwork *k)
{
	struct kernel_share_key key;
	struct bpf_map map;

	bpf_set_get_map(&w->set, "share", &map);
	for (u32 i = 0; i < KERNEL_WORK_MAX && !bpf_map_next(&map, i ? &key : NULL, &key); i++) {
		struct kernel_share s;

		if (!bpf_map_get(&map, &key, &s) && id_filter_ok(&k->cpus, key.cpu))
			kwork_top_add(k, key.cpu, key.tid,
				      strtab_addn(&k->names, s.comm, strnlen(s.comm, sizeof(s.comm))), s.ns);
	}
}

void kernel_work_add(const struct kernel_work *w, struct kwork *k)
{
	const u32 only = 0;
	struct bpf_map map;
	u64 no_room;

	if (w->opts->kind == KWORK_TOP) {
		add_cpus(w, k);
		add_shares(w, k);
	} else {
		add_work(w, k);
	}
	bpf_set_get_map(&w->set, "no_room", &map);
	if (!bpf_map_get(&map, &only, &no_room))
		k->nr_no_room += no_room;
}
