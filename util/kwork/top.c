/*
 * Kwork top: CPU time of tasks, from switches, without the time of irqs and softirqs that interrupted them.
 * Shares refer to the time between the first and the last switch of each CPU.
 */
#include "kwork.h"

#include <string.h>

static u32 task_of(struct kwork *k, s32 tid, u32 comm)
{
	u32 id = vec_find_or_add_id(&k->task, &k->task.idx, hash_u64((u32)tid), t, t->tid == tid,
				    (struct kwork_task){ .tid = tid });

	k->task.v[id].comm = comm;
	return id;
}

static s32 task_id(s32 tid, u32 cpu)
{
	return tid > 0 ? tid : -1 - (s32)cpu;
}

void kwork_top_enter(struct kwork *k, u32 cpu, u64 time)
{
	struct kwork_cpu *c = k->opts->kind == KWORK_TOP ? kwork_cpu_of(k, cpu) : NULL;

	if (c && !c->depth++)
		c->outer = time;
}

void kwork_top_leave(struct kwork *k, u32 cpu, enum kwork_class class, u64 entry, u64 time)
{
	struct kwork_cpu *c = k->opts->kind == KWORK_TOP ? kwork_cpu_of(k, cpu) : NULL;

	if (!c)
		return;
	if (class == KWORK_IRQ)
		c->irq += time - entry;
	else
		c->softirq += time - entry;
	if (c->depth && !--c->depth && c->current_known && time > MAX(c->outer, c->since))
		c->stolen += time - MAX(c->outer, c->since);
}

static void add_share(struct kwork_cpu *c, u32 task, u64 ns)
{
	vec_find_or_add(&c->share, &c->share_idx, hash_u64(task), s, s->task == task,
			(struct kwork_share){ .task = task })->ns += ns;
}

void kwork_top_switch(struct kwork *k, u32 cpu, u64 time, s32 next, u32 next_comm, s32 prev, u32 prev_comm)
{
	struct kwork_cpu *c = kwork_cpu_of(k, cpu);
	u32 task = task_of(k, task_id(prev, cpu), prev_comm);

	if (!c)
		return;
	/* after a lost switch nobody knows who ran since when */
	if (c->current_known && c->current == task && time >= c->since) {
		u64 ran = time - c->since;

		ran -= MIN(ran, c->stolen);
		add_share(c, task, ran);
		if (k->task.v[task].tid < 0)
			c->idle += ran;
		else
			c->busy += ran;
	} else if (c->current_known) {
		c->unknown += time - MIN(time, c->since);
	}
	if (!c->seen)
		c->first = time;
	c->seen = c->current_known = true;
	c->last = MAX(c->last, time);
	c->since = time;
	c->stolen = 0;
	/* no task is switched inside of an irq: the end of one was lost */
	c->depth = 0;
	c->current = task_of(k, task_id(next, cpu), next_comm);
}

void kwork_top_add(struct kwork *k, u32 cpu, s32 tid, u32 comm, u64 ns)
{
	struct kwork_cpu *c = kwork_cpu_of(k, cpu);

	if (!c)
		return;
	add_share(c, task_of(k, task_id(tid, cpu), comm), ns);
	if (tid)
		c->busy += ns;
	else
		c->idle += ns;
}

/* ---- the view ---- */

#define GET(type, name, value) \
	static type name(const void *row) { const struct kwork_task *e = row; return value; }
GET(double, task_rate, e->rate)
GET(u64, task_runtime, e->runtime)
/* smallest first, as upstream sorts them */
GET(u64, task_tid, e->tid < 0 ? 0 : (u64)(u32)e->tid)
GET(u64, task_tie, e->tid < 0 ? (u64)(-1 - (s64)e->tid) : (u64)(u32)e->tid << 32)
GET(u64, task_tid_order, UINT64_MAX - (u64)(e->tid < 0 ? 0 : (u32)e->tid))
GET(const char *, task_name, e->text)

static void format_ms(u64 ns, struct strbuf *out)
{
	strbuf_addf(out, "%.3f ms", ns / 1e6);
}

static const struct view_field task_fields[] = {
	{ VIEW_COUNT("tid", "PID", VIEW_NUMBER, 7), .number = task_tid },
	{ VIEW_COUNT("rate", "%CPU", VIEW_SHARE, 8), .decimals = 2, .real = task_rate },
	{ VIEW_COUNT("runtime", "RUNTIME", VIEW_TIME, 14), .number = task_runtime, .format = format_ms },
	{ .column = { .name = "comm", .title = "COMMAND", .type = VIEW_TEXT, .no_pad = true },
	  .text = task_name },
};
static const struct view_field sort_fields[] = {
	{ VIEW_COUNT("rate", "", VIEW_SHARE, 0), .real = task_rate },
	{ VIEW_COUNT("runtime", "", VIEW_TIME, 0), .number = task_runtime },
	{ VIEW_COUNT("tid", "", VIEW_NUMBER, 0), .number = task_tid_order },
};

struct cpu_row {
	u32 cpu;
	double busy, idle, irq, softirq;
	const char *bar;
};
#define GET_CPU(type, name, value) \
	static type name(const void *row) { const struct cpu_row *e = row; return value; }
GET_CPU(u64, cpu_nr, e->cpu)
GET_CPU(double, cpu_busy, e->busy)
GET_CPU(double, cpu_idle, e->idle)
GET_CPU(double, cpu_irq, e->irq)
GET_CPU(double, cpu_softirq, e->softirq)
GET_CPU(const char *, cpu_bar, e->bar)
#define SHARE(key, title, get) VIEW_COUNT(key, title, VIEW_SHARE, 8), .decimals = 2, .real = get
static const struct view_field cpu_fields[] = {
	{ VIEW_COUNT("cpu", "Cpu", VIEW_NUMBER, 4), .number = cpu_nr },
	{ SHARE("load", "load", cpu_busy) }, { SHARE("idle", "id", cpu_idle) },
	{ SHARE("irq", "hi", cpu_irq) }, { SHARE("softirq", "si", cpu_softirq) },
	{ .column = { .name = "bar", .title = "", .type = VIEW_TEXT, .no_pad = true },
	  .forms = VIEW_FORM_TEXT, .text = cpu_bar },
};

int kwork_top_sort_parse(struct view_sort *sort, const char *keys, struct err *err)
{
	sort->tie = task_tie;
	return view_sort_parse(sort, sort_fields, ARRAY_SIZE(sort_fields), keys, err);
}

static double percent(u64 part, u64 whole)
{
	return whole ? MIN(100.0 * part / whole, 100.0) : 0;
}

static const char *bar(struct arena *arena, double share)
{
	char text[33] = "[                              ]";

	for (u32 i = 0; i < (u32)(share * 30 / 100); i++)
		text[1 + i] = '|';
	return arena_strdup(arena, text);
}

static void add_cpus(struct kwork *k, struct view *v, u32 form)
{
	struct cpu_row *row = arena_zalloc(&k->arena, (k->cpu.nr + 1) * sizeof(*row));
	u32 nr = 0;

	for (u32 i = 0; i < k->cpu.nr; i++) {
		const struct kwork_cpu *c = &k->cpu.v[i];
		u64 span = c->last - c->first;

		if (c->seen)
			row[nr++] = (struct cpu_row){
				.cpu = i, .busy = percent(c->busy, span), .idle = percent(c->idle, span),
				.irq = percent(c->irq, span), .softirq = percent(c->softirq, span),
				.bar = bar(&k->arena, percent(c->busy, span)) };
	}
	view_add_rows(v, &(struct view_rows){
			.field = cpu_fields, .nr_fields = ARRAY_SIZE(cpu_fields), .form = form, .row = row,
			.nr = nr, .size = sizeof(*row), .limit = UINT64_MAX,
			.look = &kwork_plain })->name = "cpus";
}

static void add_up_tasks(struct kwork *k)
{
	vec_foreach(&k->cpu, c)
		vec_foreach(&c->share, s) {
			struct kwork_task *t = &k->task.v[s->task];

			t->runtime += s->ns;
			t->rate += percent(s->ns, c->last - c->first);
			t->shown = true;
		}
}

static bool is_shown(const struct kwork *k, const struct kwork_task *t)
{
	const char *comm = strtab_get(&k->names, t->comm);
	const struct sample_filter *f = &k->tasks;
	const struct thread *thread = NULL;

	if (!t->shown || (k->opts->name && !strstr(comm, k->opts->name)))
		return false;
	if (f->pids.active && t->tid > 0)
		thread = machine_sample_ctx(k->session->machine, -1, t->tid, WHEN_END).thread;
	return id_filter_ok(&f->tids, t->tid) && name_filter_ok(&f->comms, comm) &&
	       id_filter_ok(&f->pids, thread ? thread->pid : -1);
}

/* tasks that ran and have the wanted name, to the front; their number */
static size_t keep_tasks(struct kwork *k)
{
	size_t nr = 0;

	for (size_t i = 0; i < k->task.nr; i++) {
		struct kwork_task t = k->task.v[i];

		if (is_shown(k, &t))
			k->task.v[nr++] = t;
	}
	return nr;
}

static void add_totals(const struct kwork *k, struct view *v, u32 form)
{
	struct view_summary *b = view_add_summary(v, "summary", NULL);
	u64 total = 0, idle = 0, irq = 0, softirq = 0, unknown = 0, nr = 0;

	vec_foreach(&k->cpu, c) {
		total += c->last - c->first;
		idle += c->idle;
		irq += c->irq;
		softirq += c->softirq;
		unknown += c->unknown;
		nr += c->seen;
	}
	*view_add_number(b, "total-ms", "", 0) = (struct view_words){
		"total-ms", { .type = VIEW_REAL, .real = total / 1e6 }, 3, "Total  : ", " ms, " };
	view_add_number(b, "cpus", "", nr)->after = " cpus\n";
	*view_add_number(b, "idle", "", 0) = (struct view_words){
		"idle", { .type = VIEW_SHARE, .real = percent(idle, total) }, 2, "%Cpu(s): ", " id, " };
	*view_add_number(b, "irq", "", 0) = (struct view_words){
		"irq", { .type = VIEW_SHARE, .real = percent(irq, total) }, 2, "", " hi, " };
	*view_add_number(b, "softirq", "", 0) = (struct view_words){
		"softirq", { .type = VIEW_SHARE, .real = percent(softirq, total) }, 2, "", " si\n" };
	if (unknown || form == VIEW_FORM_VALUES)
		*view_add_number(b, "unknown-ms", "", 0) = (struct view_words){
			"unknown-ms", { .type = VIEW_REAL, .real = unknown / 1e6 }, 3,
			"Unaccounted: ", " ms (sched_switch events were lost)\n" };
}

void kwork_add_top(struct kwork *k, struct view *v, u32 form)
{
	struct view_sort sort = k->opts->sort;
	struct strbuf name = STRBUF_INIT;
	size_t nr;

	if (!sort.nr)
		kwork_top_sort_parse(&sort, "rate", NULL);
	add_cpus(k, v, form);
	add_up_tasks(k);
	nr = keep_tasks(k);
	view_sort_rows(&sort, k->task.v, nr, sizeof(*k->task.v));
	for (size_t i = 0; i < nr; i++) {
		strbuf_reset(&name);
		strbuf_add_safe(&name, strtab_get(&k->names, k->task.v[i].comm));
		k->task.v[i].text = arena_strdup(&k->arena, strbuf_str(&name));
	}
	strbuf_release(&name);
	view_add_rows(v, &(struct view_rows){
			.field = task_fields, .nr_fields = ARRAY_SIZE(task_fields), .form = form,
			.row = k->task.v, .nr = nr, .size = sizeof(*k->task.v), .limit = UINT64_MAX,
			.look = &kwork_plain })->name = "tasks";
	add_totals(k, v, form);
}
