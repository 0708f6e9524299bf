/* Kernel-work: loads the programs of kernel-work-code, and reads their tables. */
#include "kernel-work.h"
#include "kernel-work-code.h"
#include "../base/fs.h"
#include "../kernel/tracefs.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

/* ---- programs ---- */

enum moment { MOMENT_RAISE, MOMENT_ENTER, MOMENT_LEAVE };

/* a program and where it is attached */
static const struct work_program {
	enum kwork_class class;
	enum moment moment;
	const char *system, *event;
	bool by_format;		/* attached to the payload, whose fields are found by name */
} programs[] = {
	{ KWORK_IRQ, MOMENT_ENTER, "irq", "irq_handler_entry", false },
	{ KWORK_IRQ, MOMENT_LEAVE, "irq", "irq_handler_exit", false },
	{ KWORK_SOFTIRQ, MOMENT_RAISE, "irq", "softirq_raise", false },
	{ KWORK_SOFTIRQ, MOMENT_ENTER, "irq", "softirq_entry", false },
	{ KWORK_SOFTIRQ, MOMENT_LEAVE, "irq", "softirq_exit", false },
	{ KWORK_WORKQUEUE, MOMENT_RAISE, "workqueue", "workqueue_activate_work", false },
	{ KWORK_WORKQUEUE, MOMENT_ENTER, "workqueue", "workqueue_execute_start", true },
	{ KWORK_WORKQUEUE, MOMENT_LEAVE, "workqueue", "workqueue_execute_end", false },
};
static const struct work_program switches = { KWORK_SCHED, MOMENT_ENTER, "sched", "sched_switch", true };

_Static_assert(ARRAY_SIZE(programs) <= KERNEL_WORK_PROGRAMS, "each has a place");

static int find_field(const struct work_program *p, const char *field, s16 *ret, struct err *err)
{
	u32 offset;
	int code = tracefs_field_offset(p->system, p->event, field, &offset);

	if (code)
		return err_set(err, code, "the field '%s' of %s:%s cannot be found in its format", field,
			       p->system, p->event);
	*ret = offset;
	return 0;
}

static int write_work(struct bpf_code *c, const struct kernel_work *w, const struct work_program *p,
		      struct err *err)
{
	/* the first argument of a raw tracepoint is at 0 */
	struct work_context at = { .class = p->class, .id_is_word = p->class == KWORK_WORKQUEUE,
				   .function = -1 };
	int ret = 0;

	if (p->by_format) {
		ret = find_field(p, "work", &at.id, err);
		if (!ret)
			ret = find_field(p, "function", &at.function, err);
	}
	if (ret)
		return ret;
	if (p->moment == MOMENT_RAISE)
		work_write_raise(c, w, &at);
	else if (p->moment == MOMENT_ENTER)
		work_write_enter(c, w, &at);
	else
		work_write_leave(c, w, &at);
	return 0;
}

static int write_switch(struct bpf_code *c, const struct kernel_work *w, struct err *err)
{
	struct switch_context at;
	int ret = find_field(&switches, "prev_pid", &at.prev_pid, err);

	if (!ret)
		ret = find_field(&switches, "next_pid", &at.next_pid, err);
	/* an array: its size belongs to the name */
	if (!ret)
		ret = find_field(&switches, "prev_comm[16]", &at.prev_comm, err);
	if (!ret)
		work_write_top_switch(c, w, &at);
	return ret;
}

static int write_program(struct bpf_code *c, const struct kernel_work *w, const struct work_program *p,
			 struct err *err)
{
	if (p == &switches)
		return write_switch(c, w, err);
	if (w->opts->kind != KWORK_TOP)
		return write_work(c, w, p, err);
	if (p->moment == MOMENT_ENTER)
		work_write_top_enter(c, w, p->class);
	else
		work_write_top_leave(c, w, p->class);
	return 0;
}

/* program number i of those that are needed; NULL after the last one */
static const struct work_program *program_at(const struct kwork_opts *o, u32 i)
{
	u32 nr = 0;

	if (o->kind == KWORK_TOP && nr++ == i)
		return &switches;
	for (u32 n = 0; n < ARRAY_SIZE(programs); n++) {
		const struct work_program *p = &programs[n];
		bool top = p->class != KWORK_WORKQUEUE && p->moment != MOMENT_RAISE;

		if (o->classes & 1u << p->class && (o->kind != KWORK_TOP || top) && nr++ == i)
			return p;
	}
	return NULL;
}

static int create_maps(struct kernel_work *w, struct err *err)
{
	int ret = bpf_map_create(&w->no_room, BPF_MAP_TYPE_ARRAY, "perf_no_room", 4, 8, 1, 0, err);

	if (!ret && w->opts->kind == KWORK_TOP) {
		ret = bpf_map_create(&w->cpu, BPF_MAP_TYPE_PERCPU_ARRAY, "perf_cpu", 4,
				     sizeof(struct kernel_cpu), 1, 0, err);
		if (!ret)
			ret = bpf_map_create(&w->share, BPF_MAP_TYPE_HASH, "perf_share",
					     sizeof(struct kernel_share_key), sizeof(struct kernel_share),
					     KERNEL_WORK_MAX, 0, err);
	} else if (!ret) {
		ret = bpf_map_create(&w->open, BPF_MAP_TYPE_HASH, "perf_open", sizeof(struct open_work_key),
				     sizeof(struct open_work), KERNEL_WORK_MAX, 0, err);
		if (!ret)
			ret = bpf_map_create(&w->work, BPF_MAP_TYPE_HASH, "perf_work",
					     sizeof(struct kernel_work_key),
					     sizeof(struct kernel_work_entry), KERNEL_WORK_MAX, 0, err);
	}
	return ret;
}

int kernel_work_open(struct kernel_work *w, const struct kwork_opts *o, struct err *err)
{
	const struct work_program *p;
	int ret;

	*w = (struct kernel_work)KERNEL_WORK_INIT;
	w->opts = o;
	ret = create_maps(w, err);
	for (u32 i = 0; !ret && (p = program_at(o, i)); i++) {
		struct bpf_code c = { 0 };

		ret = write_program(&c, w, p, err);
		if (!ret)
			ret = bpf_prog_load(&w->prog[i], p->by_format ? BPF_PROG_TYPE_TRACEPOINT :
					    BPF_PROG_TYPE_RAW_TRACEPOINT, "perf_kwork", &c, err);
		bpf_code_release(&c);
	}
	if (ret)
		kernel_work_close(w);
	return ret;
}

int kernel_work_attach(struct kernel_work *w, struct err *err)
{
	const struct work_program *p;
	int ret = 0;

	for (u32 i = 0; !ret && (p = program_at(w->opts, i)); i++)
		ret = p->by_format ? bpf_prog_attach_tracepoint(&w->prog[i], p->system, p->event, err) :
				     bpf_prog_attach_raw(&w->prog[i], p->event, err);
	if (ret)
		kernel_work_detach(w);
	return ret;
}

void kernel_work_detach(struct kernel_work *w)
{
	for (u32 i = 0; i < KERNEL_WORK_PROGRAMS; i++)
		bpf_prog_detach(&w->prog[i]);
}

void kernel_work_close(struct kernel_work *w)
{
	for (u32 i = 0; i < KERNEL_WORK_PROGRAMS; i++)
		bpf_prog_release(&w->prog[i]);
	bpf_map_release(&w->open);
	bpf_map_release(&w->work);
	bpf_map_release(&w->share);
	bpf_map_release(&w->cpu);
	bpf_map_release(&w->no_room);
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

	for (u32 i = 0; i < KERNEL_WORK_MAX && !bpf_map_next(&w->work, i ? &key : NULL, &key); i++) {
		struct kernel_work_entry e;

		if (bpf_map_get(&w->work, &key, &e) || key.class >= KWORK_NR_CLASSES ||
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
	u32 stride = bpf_map_bytes(&w->cpu) / w->cpu.nr_cpus, only = 0;
	u8 *bytes = xcalloc(w->cpu.nr_cpus, stride);

	if (bpf_map_get(&w->cpu, &only, bytes))
		memset(bytes, 0, (size_t)w->cpu.nr_cpus * stride);
	for (u32 i = 0; i < w->cpu.nr_cpus; i++) {
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

	for (u32 i = 0; i < KERNEL_WORK_MAX && !bpf_map_next(&w->share, i ? &key : NULL, &key); i++) {
		struct kernel_share s;

		if (!bpf_map_get(&w->share, &key, &s) && id_filter_ok(&k->cpus, key.cpu))
			kwork_top_add(k, key.cpu, key.tid,
				      strtab_addn(&k->names, s.comm, strnlen(s.comm, sizeof(s.comm))), s.ns);
	}
}

void kernel_work_add(const struct kernel_work *w, struct kwork *k)
{
	const u32 only = 0;
	u64 no_room;

	if (w->opts->kind == KWORK_TOP) {
		add_cpus(w, k);
		add_shares(w, k);
	} else {
		add_work(w, k);
	}
	if (!bpf_map_get(&w->no_room, &only, &no_room))
		k->nr_no_room += no_room;
}
