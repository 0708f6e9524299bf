/* Kwork: the handlers of its events. */
#include "kwork.h"

#include <errno.h>
#include <string.h>

/* more than any machine has: a CPU beyond it is a damaged event */
#define MAX_CPUS 65536u

enum { IRQ_NR, IRQ_NAME };
static const struct tracing_field irq_entry_fields[] = {
	{ .name = "irq" }, { .name = "name", .is_bytes = true }, { .name = NULL }
};
static const struct tracing_field irq_exit_fields[] = { { .name = "irq" }, { .name = NULL } };
enum { SOFTIRQ_VEC };
static const struct tracing_field softirq_fields[] = { { .name = "vec" }, { .name = NULL } };
enum { WORK_ADDR, WORK_FUNCTION };
static const struct tracing_field activate_fields[] = { { .name = "work" }, { .name = NULL } };
static const struct tracing_field work_fields[] = {
	{ .name = "work" }, { .name = "function", .optional = true }, { .name = NULL }
};
enum { SWITCH_PREV, SWITCH_PREV_COMM, SWITCH_NEXT, SWITCH_NEXT_COMM };
static const struct tracing_field switch_fields[] = {
	{ .name = "prev_pid" }, { .name = "prev_comm", .is_bytes = true }, { .name = "next_pid" },
	{ .name = "next_comm", .is_bytes = true }, { .name = NULL }
};

struct kwork_cpu *kwork_cpu_of(struct kwork *k, u32 cpu)
{
	if (cpu >= MAX_CPUS)
		return NULL;
	while (k->cpu.nr <= cpu)
		vec_add(&k->cpu);
	return &k->cpu.v[cpu];
}

static bool is_kept(struct kwork *k, const struct tracing_sample *ts)
{
	u64 time = ts->when.time;

	k->first = k->nr_events ? k->first : time;
	k->last = MAX(k->last, time);
	k->nr_events++;
	return id_filter_ok(&k->cpus, ts->sample->cpu);
}

static struct kwork_open *open_of(struct kwork *k, enum kwork_class class, u32 cpu, u64 id)
{
	u64 hash = hash_mix(hash_u64(id), (u64)cpu << 4 | class);

	return vec_find_or_add(&k->open, &k->open.idx, hash, e,
			       e->class == class && e->cpu == cpu && e->id == id,
			       (struct kwork_open){ .class = class, .cpu = cpu, .id = id });
}

static u32 work_of(struct kwork *k, const struct kwork_work *w)
{
	u64 kind = (u64)w->cpu << 32 | w->name << 4 | w->class;
	u64 hash = hash_mix(hash_mix(hash_u64(w->id), w->function), kind);

	return vec_find_or_add_id(&k->work, &k->work.idx, hash, o, o->class == w->class && o->cpu == w->cpu &&
				  o->id == w->id && o->name == w->name && o->function == w->function, *w);
}

static void add_times(struct kwork_times *t, u64 start, u64 end)
{
	if (!t->nr || end - start > t->max) {
		t->max = end - start;
		t->max_start = start;
		t->max_end = end;
	}
	t->total += end - start;
	t->nr++;
}

/* the call chain of an event, as text: the innermost kernel functions */
static u32 chain_of(struct kwork *k, const struct tracing_sample *ts)
{
	struct strbuf text = STRBUF_INIT;
	struct sample_chain chain;
	struct chain_run run;
	u32 id, nr = 0;

	if (!k->opts->chains)
		return 0;
	arena_reset(&k->scratch);
	chain = sample_chain_of(&k->resolver, ts->sample, tracing_ctx(ts), k->opts->max_stack);
	while (sample_chain_next(&chain, &run))
		for (u64 i = 0; run.cpumode == CPUMODE_KERNEL && i < run.nr; i++) {
			strbuf_addstr(&text, nr++ ? " <- " : "");
			tracing_add_kernel_name(&k->resolver, run.ip[i], false, &k->scratch, &text);
		}
	id = strtab_add(&k->names, strbuf_str(&text));
	strbuf_release(&text);
	return id;
}

static void raise_work(struct kwork *k, const struct tracing_sample *ts, struct kwork_open *o)
{
	o->raised = true;
	o->raise = ts->when.time;
	o->chain = chain_of(k, ts);
}

static void enter_work(struct kwork *k, const struct tracing_sample *ts, struct kwork_open *o,
		       const struct kwork_work *work)
{
	k->nr_lost_exits += o->running;
	/* CPU time of tasks is also reduced by what interrupts the others */
	o->skipped = k->filters_tasks && k->opts->kind != KWORK_TOP && !tracing_keeps(&k->tasks, ts);
	if (o->skipped) {
		o->raised = o->running = false;
		return;
	}
	o->running = true;
	o->entry = ts->when.time;
	o->work = work_of(k, work);
	if (!o->raised)
		o->chain = chain_of(k, ts);
	o->delayed = o->raised && o->entry >= o->raise;
	if (o->delayed) {
		o->delay = o->entry - o->raise;
		add_times(&k->work.v[o->work].delay, o->raise, o->entry);
	}
	/* a raise from now on is for the next run */
	o->raised = false;
	o->run_chain = o->chain;
	if (work->class != KWORK_WORKQUEUE)
		kwork_top_enter(k, work->cpu, o->entry);
}

static void leave_work(struct kwork *k, const struct tracing_sample *ts, struct kwork_open *o)
{
	u64 end = ts->when.time;

	if (o->skipped) {
		o->skipped = false;
		return;
	}
	if (!o->running || end < o->entry) {
		k->nr_lost_entries++;
		return;
	}
	add_times(&k->work.v[o->work].run, o->entry, end);
	if (k->opts->kind == KWORK_TIMEHIST)
		vec_push(&k->event, (struct kwork_event){
				.start = o->entry, .end = end, .work = o->work, .delayed = o->delayed,
				.delay = o->delay, .chain = o->run_chain });
	if (o->class != KWORK_WORKQUEUE)
		kwork_top_leave(k, o->cpu, o->class, o->entry, end);
	o->running = false;
}

static void handle_irq_entry(void *ctx, const struct tracing_sample *ts)
{
	struct kwork *k = ctx;
	struct kwork_work w = { .class = KWORK_IRQ, .cpu = ts->sample->cpu, .id = ts->value[IRQ_NR] };

	if (!is_kept(k, ts))
		return;
	w.name = strtab_addn(&k->names, ts->bytes[IRQ_NAME].data, tracing_text_len(&ts->bytes[IRQ_NAME]));
	enter_work(k, ts, open_of(k, KWORK_IRQ, w.cpu, w.id), &w);
}

static void handle_irq_exit(void *ctx, const struct tracing_sample *ts)
{
	struct kwork *k = ctx;

	if (is_kept(k, ts))
		leave_work(k, ts, open_of(k, KWORK_IRQ, ts->sample->cpu, ts->value[IRQ_NR]));
}

static void handle_raise(void *ctx, const struct tracing_sample *ts)
{
	struct kwork *k = ctx;

	if (is_kept(k, ts))
		raise_work(k, ts, open_of(k, KWORK_SOFTIRQ, ts->sample->cpu, ts->value[SOFTIRQ_VEC]));
}

static void handle_softirq_entry(void *ctx, const struct tracing_sample *ts)
{
	struct kwork *k = ctx;
	struct kwork_work w = { .class = KWORK_SOFTIRQ, .cpu = ts->sample->cpu,
				.id = ts->value[SOFTIRQ_VEC] };

	if (is_kept(k, ts))
		enter_work(k, ts, open_of(k, KWORK_SOFTIRQ, w.cpu, w.id), &w);
}

static void handle_softirq_exit(void *ctx, const struct tracing_sample *ts)
{
	struct kwork *k = ctx;

	if (is_kept(k, ts))
		leave_work(k, ts, open_of(k, KWORK_SOFTIRQ, ts->sample->cpu, ts->value[SOFTIRQ_VEC]));
}

/* a work can be queued on one CPU and run on others, so a filter of CPUs looks at where it begins to run */
static void handle_activate(void *ctx, const struct tracing_sample *ts)
{
	struct kwork *k = ctx;

	is_kept(k, ts);
	raise_work(k, ts, open_of(k, KWORK_WORKQUEUE, 0, ts->value[WORK_ADDR]));
}

static void handle_execute(void *ctx, const struct tracing_sample *ts)
{
	struct kwork *k = ctx;
	struct kwork_open *o = open_of(k, KWORK_WORKQUEUE, 0, ts->value[WORK_ADDR]);
	struct kwork_work w = { .class = KWORK_WORKQUEUE, .cpu = ts->sample->cpu, .id = ts->value[WORK_ADDR],
				.function = ts->value[WORK_FUNCTION] };

	if (is_kept(k, ts))
		enter_work(k, ts, o, &w);
	else
		o->raised = o->running = false;
}

static void handle_execute_end(void *ctx, const struct tracing_sample *ts)
{
	struct kwork *k = ctx;
	struct kwork_open *o = open_of(k, KWORK_WORKQUEUE, 0, ts->value[WORK_ADDR]);

	if (is_kept(k, ts) || o->running || o->skipped)
		leave_work(k, ts, o);
}

static u32 comm_of(struct kwork *k, const struct tracing_bytes *text)
{
	u32 len = tracing_text_len(text);

	return len ? strtab_addn(&k->names, text->data, len) : 0;
}

static void handle_switch(void *ctx, const struct tracing_sample *ts)
{
	struct kwork *k = ctx;

	if (is_kept(k, ts) && k->opts->kind == KWORK_TOP)
		kwork_top_switch(k, ts->sample->cpu, ts->when.time, ts->value[SWITCH_NEXT],
				 comm_of(k, &ts->bytes[SWITCH_NEXT_COMM]), ts->value[SWITCH_PREV],
				 comm_of(k, &ts->bytes[SWITCH_PREV_COMM]));
}

const struct tracing_row kwork_rows[KWORK_NR_ROWS] = {
	{ "irq:irq_handler_entry", irq_entry_fields, handle_irq_entry, false },
	{ "irq:irq_handler_exit", irq_exit_fields, handle_irq_exit, false },
	{ "irq:softirq_raise", softirq_fields, handle_raise, false },
	{ "irq:softirq_entry", softirq_fields, handle_softirq_entry, false },
	{ "irq:softirq_exit", softirq_fields, handle_softirq_exit, false },
	{ "workqueue:workqueue_activate_work", activate_fields, handle_activate, false },
	{ "workqueue:workqueue_execute_start", work_fields, handle_execute, false },
	{ "workqueue:workqueue_execute_end", work_fields, handle_execute_end, false },
	{ "sched:sched_switch", switch_fields, handle_switch, false },
};
static const struct kwork_class_row {
	const char *name;
	u32 first, nr;		/* of kwork_rows */
} classes[KWORK_NR_CLASSES] = {
	[KWORK_IRQ] = { "irq", 0, 2 }, [KWORK_SOFTIRQ] = { "softirq", 2, 3 },
	[KWORK_WORKQUEUE] = { "workqueue", 5, 3 }, [KWORK_SCHED] = { "sched", 8, 1 },
};

u32 kwork_rows_of(u32 bits, struct tracing_row *ret)
{
	u32 nr = 0;

	for (u32 c = 0; c < KWORK_NR_CLASSES; c++)
		for (u32 i = 0; bits & 1u << c && i < classes[c].nr; i++)
			ret[nr++] = kwork_rows[classes[c].first + i];
	return nr;
}

static bool is_class(const struct kwork_class_row *row, const char *word, size_t len)
{
	return !strncmp(row->name, word, len) && !row->name[len];
}

int kwork_classes_parse(const char *words, u32 *ret, struct err *err)
{
	*ret = 0;
	while (*words) {
		size_t len = strcspn(words, ", ");
		u32 c = 0;

		while (len && c < KWORK_NR_CLASSES && !is_class(&classes[c], words, len))
			c++;
		if (c == KWORK_NR_CLASSES)
			return err_set(err, -EINVAL, "'%.*s' is not a class of work: they are irq, softirq, "
				       "workqueue and sched", (int)len, words);
		*ret |= len ? 1u << c : 0;
		words += len + (words[len] != '\0');
	}
	return *ret ? 0 : err_set(err, -EINVAL, "say at least one of irq, softirq, workqueue and sched");
}

int kwork_init(struct kwork *k, const struct session *s, const struct kwork_opts *opts, struct err *err)
{
	*k = (struct kwork){ .session = s, .opts = opts };
	resolver_init(&k->resolver, s, &k->scratch);
	/* chains are named at each event, works at the end */
	if (opts->chains)
		kernel_names_load(s);
	k->tasks = opts->tasks;
	k->filters_tasks = sample_filter_given(&k->tasks);
	if (opts->cpus && id_filter_parse_cpus(&k->cpus, opts->cpus, err))
		return err->code;
	return sample_filter_parse(&k->tasks, s, err);
}

void kwork_release(struct kwork *k)
{
	vec_foreach(&k->cpu, c) {
		vec_release(&c->share);
		hidx_release(&c->share_idx);
	}
	vec_release(&k->cpu);
	vec_release(&k->work);
	vec_release(&k->open);
	vec_release(&k->event);
	vec_release(&k->task);
	hidx_release(&k->work.idx);
	hidx_release(&k->open.idx);
	hidx_release(&k->task.idx);
	strtab_release(&k->names);
	id_filter_release(&k->cpus);
	sample_filter_release(&k->tasks);
	resolver_release(&k->resolver);
	arena_release(&k->scratch);
	arena_release(&k->arena);
}
