/* Timehist: rows as text, as separated values, and as lines of cells. */
#include "timehist.h"

#include "sched-view.h"

/* ---- text ---- */

#define NAME_WIDTH 30
#define TIMES_WIDTH 33	/* of wait time, sch delay, run time */

static void add_number(struct strbuf *out, s64 n)
{
	if (n < 0)
		strbuf_addch(out, '-');
	strbuf_add_u64(out, n < 0 ? -(u64)n : (u64)n, 0);
}

/* "name[tid]", or "name[tid/pid]" of a thread of a process with several */
static void add_task(struct sched_timehist *t, struct sched_task *task, bool idle_as_name, struct strbuf *out)
{
	if (sched_is_idle(task) && !idle_as_name) {
		strbuf_addstr(out, "<idle>");
		return;
	}
	sched_task_know_pid(&t->sched, task);
	if (sched_is_idle(task) && *task->comm)
		strbuf_add_safe(out, task->comm);
	else
		sched_add_name(out, task);
	strbuf_addch(out, '[');
	add_number(out, task->tid);
	if (task->pid >= 0 && task->pid != task->tid) {
		strbuf_addch(out, '/');
		add_number(out, task->pid);
	}
	strbuf_addch(out, ']');
}

static void pad_to(struct strbuf *out, size_t start, size_t width)
{
	if (out->len - start < width)
		strbuf_pad(out, ' ', width - (out->len - start));
}

static u32 nr_cpus(const struct sched_timehist *t)
{
	return MAX(MIN(t->sched.session->data->feat.nr_cpus_avail, 4096u), MAX((u32)t->sched.cpu.nr, 1u));
}

static void add_titles(struct sched_timehist *t)
{
	const struct sched_timehist_opts *o = t->o;
	struct strbuf *out = &t->out;
	u32 cpus = nr_cpus(t);

	strbuf_addf(out, "%15s %6s ", "time", "cpu");
	if (o->visual) {
		strbuf_addch(out, ' ');
		for (u32 i = 0; i < cpus; i++)
			strbuf_addch(out, "0123456789abcdef"[i % 16]);
		strbuf_addch(out, ' ');
	}
	strbuf_addf(out, " %-*s%s  %9s  %9s  %9s%s%s\n", NAME_WIDTH, "task name", o->prio ? "  prio    " : "",
		    "wait time", "sch delay", "run time", o->pre_migrations ? "  pre-mig time" : "",
		    o->state ? "  state" : "");
	strbuf_addf(out, "%15s %6s %*s %-*s%s  %9s  %9s  %9s%s\n", "", "", o->visual ? (int)cpus + 2 : 0, "",
		    NAME_WIDTH, "[tid/pid]", o->prio ? "          " : "", "(msec)", "(msec)", "(msec)",
		    o->pre_migrations ? "        (msec)" : "");
	strbuf_addstr(out, "--------------- ------ ");
	if (o->visual) {
		strbuf_addch(out, ' ');
		strbuf_pad(out, '-', cpus);
		strbuf_addch(out, ' ');
	}
	strbuf_addf(out, " ------------------------------%s  ---------  ---------  ---------%s%s\n",
		    o->prio ? "  --------" : "", o->pre_migrations ? "  ------------" : "",
		    o->state ? "  -----" : "");
}

/* time, CPU, and with -V the CPU's place */
static void begin_text(struct sched_timehist *t, u64 time, u32 cpu, char mark)
{
	struct strbuf *out = &t->out;
	u32 cpus = nr_cpus(t);

	if (!t->titles)
		add_titles(t);
	t->titles = true;
	sched_add_sec(out, time, 15);
	strbuf_addstr(out, " [");
	for (u32 digits = 1000; digits > 1 && cpu < digits; digits /= 10)
		strbuf_addch(out, '0');
	strbuf_add_u64(out, cpu, 0);
	strbuf_addstr(out, "] ");
	if (t->o->visual) {
		strbuf_pad(out, ' ', 1 + cpu);
		strbuf_addch(out, mark);
		strbuf_pad(out, ' ', cpus > cpu ? cpus - cpu : 1);
	}
	strbuf_addch(out, ' ');
}

static void run_text(struct sched_timehist *t, const struct sched_switch *sw, const struct sched_run_row *r)
{
	const struct sched_timehist_opts *o = t->o;
	struct strbuf *out = &t->out;
	size_t at;

	begin_text(t, r->time, sw->cpu, sched_is_idle(sw->prev) ? 'i' : 's');
	at = out->len;
	add_task(t, sw->prev, false, out);
	pad_to(out, at, NAME_WIDTH);
	at = out->len;
	if (o->prio) {
		strbuf_addstr(out, "  ");
		add_number(out, sw->prev->prio);
		pad_to(out, at, 10);
	}
	sched_add_ms(out, r->wait, 11);
	sched_add_ms(out, r->delay, 11);
	sched_add_ms(out, r->run, 11);
	if (o->pre_migrations)
		sched_add_ms(out, r->pre_migration, 14);
	if (o->state) {
		strbuf_addstr(out, "      ");
		strbuf_addch(out, sw->prev_letter);
	}
	if (o->next) {
		strbuf_addstr(out, "  next: ");
		at = out->len;
		add_task(t, sw->next, true, out);
		pad_to(out, at, 24);
	} else if (r->stack != ID_NONE) {
		strbuf_addch(out, ' ');
	}
	if (r->stack != ID_NONE) {
		strbuf_addstr(out, "   ");
		tracing_stack_text(&t->stacks, r->stack, out);
	}
	strbuf_addch(out, '\n');
}

/* up to the place after the times: what happened to another task */
static void begin_other(struct sched_timehist *t, u64 time, u32 cpu, char mark, struct sched_task *by)
{
	const struct sched_timehist_opts *o = t->o;
	size_t at;

	begin_text(t, time, cpu, mark);
	at = t->out.len;
	if (by)
		add_task(t, by, false, &t->out);
	pad_to(&t->out, at, NAME_WIDTH + TIMES_WIDTH + (o->prio ? 10 : 0) + (o->pre_migrations ? 14 : 0) +
	       (o->state ? 7 : 0));
}

/* ---- separated values: always the same columns ---- */

static void sep(struct sched_timehist *t)
{
	strbuf_addch(&t->out, t->o->separator);
}

/* a text that cannot be taken for several columns */
static void add_safe_column(struct sched_timehist *t, const char *text)
{
	for (; *text; text++)
		strbuf_addch(&t->out, *text == t->o->separator ? '.' : *text);
}

static void add_who(struct sched_timehist *t, struct sched_task *task)
{
	if (task) {
		strbuf_reset(&t->tmp);
		sched_task_know_pid(&t->sched, task);
		sched_add_name(&t->tmp, task);
		add_safe_column(t, strbuf_str(&t->tmp));
	}
	sep(t);
	if (task)
		add_number(&t->out, task->tid);
	sep(t);
	if (task)
		add_number(&t->out, task->pid);
	sep(t);
}

static void begin_separated(struct sched_timehist *t, u64 time, u32 cpu, const char *what,
			    struct sched_task *by)
{
	static const char *const titles[] = {
		"# Time", "CPU", "Event", "Task", "TID", "PID", "Prio", "Wait", "Delay", "Run",
		"Pre-migration", "State", "Other task", "Other TID", "Other PID", "From CPU",
		"To CPU", "Stack",
	};

	for (u32 i = 0; !t->titles && i < ARRAY_SIZE(titles); i++) {
		strbuf_addstr(&t->out, titles[i]);
		strbuf_addch(&t->out, i + 1 < ARRAY_SIZE(titles) ? t->o->separator : '\n');
	}
	t->titles = true;
	strbuf_add_u64(&t->out, time, 0);
	sep(t);
	strbuf_add_u64(&t->out, cpu, 0);
	sep(t);
	strbuf_addstr(&t->out, what);
	sep(t);
	add_who(t, by);
}

static void run_separated(struct sched_timehist *t, const struct sched_switch *sw,
			  const struct sched_run_row *r)
{
	const u64 times[] = { r->wait, r->delay, r->run, r->pre_migration };

	begin_separated(t, r->time, sw->cpu, sched_is_idle(sw->prev) ? "idle" : "run", sw->prev);
	add_number(&t->out, sw->prev->prio);
	sep(t);
	for (u32 i = 0; i < ARRAY_SIZE(times); i++) {
		strbuf_add_u64(&t->out, times[i], 0);
		sep(t);
	}
	strbuf_addch(&t->out, sw->prev_letter);
	sep(t);
	add_who(t, sw->next);
	sep(t);
	sep(t);
	strbuf_reset(&t->tmp);
	tracing_stack_text(&t->stacks, r->stack, &t->tmp);
	add_safe_column(t, strbuf_str(&t->tmp));
	strbuf_addch(&t->out, '\n');
}

static void other_separated(struct sched_timehist *t, u64 time, u32 cpu, const char *what,
			    struct sched_task *by,
			    struct sched_task *other, const struct sched_move *m)
{
	begin_separated(t, time, cpu, what, by);
	strbuf_pad(&t->out, t->o->separator, 6);
	add_who(t, other);
	if (m)
		strbuf_add_u64(&t->out, m->from, 0);
	sep(t);
	if (m)
		strbuf_add_u64(&t->out, m->to, 0);
	sep(t);
	strbuf_addch(&t->out, '\n');
}

/* ---- lines of cells ---- */

static void who_cells(struct sched_timehist *t, struct sched_task *task)
{
	const struct stream_format *f = t->o->format;

	strbuf_reset(&t->tmp);
	sched_task_know_pid(&t->sched, task);
	sched_add_name(&t->tmp, task);
	stream_text(f, &t->out, "comm", strbuf_str(&t->tmp));
	stream_signed(f, &t->out, "tid", task->tid);
	stream_signed(f, &t->out, "pid", task->pid);
}

static void begin_cells(struct sched_timehist *t, u64 time, u32 cpu, const char *what, struct sched_task *by)
{
	const struct stream_format *f = t->o->format;

	f->begin(&t->out);
	stream_text(f, &t->out, "type", what);
	stream_time(f, &t->out, "time", time);
	stream_number(f, &t->out, "cpu", cpu);
	if (by)
		who_cells(t, by);
}

static void other_cells(struct sched_timehist *t, const char *key, struct sched_task *other)
{
	t->o->format->begin_group(&t->out, key);
	who_cells(t, other);
	t->o->format->end_group(&t->out);
}

static void run_cells(struct sched_timehist *t, const struct sched_switch *sw, const struct sched_run_row *r)
{
	const struct stream_format *f = t->o->format;
	char letter[2] = { sw->prev_letter };
	const struct tracing_frame *frame;

	begin_cells(t, r->time, sw->cpu, sched_is_idle(sw->prev) ? "idle" : "run", sw->prev);
	stream_signed(f, &t->out, "prio", sw->prev->prio);
	stream_time(f, &t->out, "wait", r->wait);
	stream_time(f, &t->out, "delay", r->delay);
	stream_time(f, &t->out, "run", r->run);
	stream_time(f, &t->out, "pre-migration", r->pre_migration);
	stream_text(f, &t->out, "state", letter);
	other_cells(t, "next", sw->next);
	if (r->stack != ID_NONE) {
		f->begin_rows(&t->out, "stack");
		for (u32 i = 0; (frame = tracing_stack_frame(&t->stacks, r->stack, i)); i++) {
			if (i)
				f->next_row(&t->out);
			f->begin_row(&t->out);
			stream_text(f, &t->out, "sym", frame->name);
			f->end_row(&t->out);
		}
		f->end_rows(&t->out);
	}
	f->end(&t->out);
}

/* ---- rows ---- */

void sched_timehist_run_row(struct sched_timehist *t, const struct sched_switch *sw,
			    const struct sched_run_row *r)
{
	if (t->o->format)
		run_cells(t, sw, r);
	else if (t->o->separator)
		run_separated(t, sw, r);
	else
		run_text(t, sw, r);
}

void sched_timehist_wakeup_row(struct sched_timehist *t, const struct sched_wakeup *w)
{
	if (t->o->format) {
		begin_cells(t, w->time, w->cpu, "wakeup", w->waker);
		other_cells(t, "woken", w->task);
		t->o->format->end(&t->out);
	} else if (t->o->separator) {
		other_separated(t, w->time, w->cpu, "wakeup", w->waker, w->task, NULL);
	} else {
		begin_other(t, w->time, w->cpu, ' ', w->waker);
		strbuf_addstr(&t->out, "  awakened: ");
		add_task(t, w->task, true, &t->out);
		strbuf_addch(&t->out, '\n');
	}
}

void sched_timehist_move_row(struct sched_timehist *t, const struct sched_move *m)
{
	u32 cpu = m->ts->sample->cpu;

	if (t->o->format) {
		begin_cells(t, m->time, cpu, "migration", m->mover);
		other_cells(t, "moved", m->task);
		stream_number(t->o->format, &t->out, "from", m->from);
		stream_number(t->o->format, &t->out, "to", m->to);
		t->o->format->end(&t->out);
	} else if (t->o->separator) {
		other_separated(t, m->time, cpu, "migration", m->mover, m->task, m);
	} else {
		begin_other(t, m->time, cpu, 'm', m->mover);
		strbuf_addstr(&t->out, "  migrated: ");
		add_task(t, m->task, true, &t->out);
		strbuf_addf(&t->out, " cpu %u => %u\n", m->from, m->to);
	}
}
