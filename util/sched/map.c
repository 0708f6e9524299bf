/* Map: see map.h. */
#include "map.h"

#include <string.h>
#include "sched-view.h"

static struct sched_map_name *name_of(struct sched_map *m, const struct sched_task *t)
{
	while (m->name.nr <= t->id)
		(void)vec_add(&m->name);
	return &m->name.v[t->id];
}

/* A0 to Z0, A1 to Z9, then Aa to Zz, and again from A0 on */
static void give_name(struct sched_map *m, struct sched_map_name *n)
{
	static const char second[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	u32 i = m->nr_names++;

	n->text[0] = 'A' + i % 26;
	n->text[1] = second[i / 26 % (sizeof(second) - 1)];
}

static bool is_named(const struct sched_map *m, const struct sched_task *t)
{
	const char *const *w = m->o->task_names;

	if (!w)
		return true;
	for (; *w; w++)
		if (m->o->fuzzy ? strstr(t->comm, *w) != NULL : !strcmp(t->comm, *w))
			return true;
	return false;
}

static bool is_wanted(struct sched_map *m, struct sched_task *t)
{
	return sched_is_idle(t) ? !m->o->task_names : is_named(m, t) && sched_shows_task(&m->sched, t);
}

/* whether the switch makes a line */
static bool makes_line(struct sched_map *m, const struct sched_switch *sw)
{
	const struct sample_filter *f = &m->sched.filter;

	if (!id_filter_ok(&m->o->cpus, sw->cpu) || !id_filter_ok(&f->cpus, sw->cpu) ||
	    !time_filter_ok(&f->times, sw->time))
		return false;
	if (f->pids.active || f->tids.active || f->comms.active || m->o->task_names)
		return (!sched_is_idle(sw->prev) && is_wanted(m, sw->prev)) ||
		       (!sched_is_idle(sw->next) && is_wanted(m, sw->next));
	return true;
}

static void add_column(struct sched_map *m, u32 cpu)
{
	const struct sample_filter *f = &m->sched.filter;

	if (m->o->compact) {
		vec_push(&m->column, cpu);
		return;
	}
	/* a column for each CPU up to the highest that switched */
	for (u32 i = m->column.nr ? m->column.v[m->column.nr - 1] + 1 : 0; i <= cpu; i++)
		if (id_filter_ok(&m->o->cpus, i) && id_filter_ok(&f->cpus, i))
			vec_push(&m->column, i);
}

/* the short name of what a CPU runs: '.' idle, '-' a thread that is not asked for */
static const char *short_name(struct sched_map *m, const struct sched_task *t)
{
	struct sched_map_name *n;

	if (sched_is_idle(t))
		return ".";
	if (!is_wanted(m, m->sched.task.v[t->id]))
		return "-";
	n = name_of(m, t);
	if (!*n->text)
		give_name(m, n);
	return n->text;
}

static void add_cell(struct sched_map *m, u32 cpu, bool is_new)
{
	const struct sched_map_opts *o = m->o;
	u32 id = cpu < m->shown.nr ? m->shown.v[cpu] : ID_NONE;
	const struct sched_task *t = id == ID_NONE ? NULL : m->sched.task.v[id];
	const char *color = "", *name = t ? short_name(m, t) : "";
	char cell[4] = { is_new ? '*' : ' ', ' ', ' ', ' ' };

	if (t && o->color_pids.active && id_filter_has(&o->color_pids, t->tid))
		color = o->pid_color;
	else if (o->color_cpus.active && id_filter_has(&o->color_cpus, cpu))
		color = o->cpu_color;
	for (u32 i = 0; i < 2 && name[i]; i++)
		cell[i + 1] = name[i];
	if (likely(!*color)) {
		strbuf_add(&m->out, cell, 4);
		return;
	}
	strbuf_addstr(&m->out, color);
	strbuf_add(&m->out, cell, 3);
	strbuf_addstr(&m->out, o->no_color);
	strbuf_addch(&m->out, ' ');
}

/* the whole name, where the short one is new, or means another name than before */
static void add_legend(struct sched_map *m, const struct sched_task *t)
{
	struct sched_map_name *n = name_of(m, t);
	const char *text = short_name(m, t);

	if ((*n->comm && !strcmp(n->comm, t->comm)) || *text == '-')
		return;
	memcpy(n->comm, *t->comm ? t->comm : "?", *t->comm ? sizeof(n->comm) : 2);
	strbuf_addf(&m->out, "%-2s => ", text);
	sched_add_name(&m->out, t);
	strbuf_addf(&m->out, ":%d", t->tid);
}

static void add_line(struct sched_map *m, const struct sched_switch *sw, bool new_cpu)
{
	strbuf_addstr(&m->out, "  ");
	for (size_t i = 0; i < m->column.nr; i++)
		add_cell(m, m->column.v[i], m->column.v[i] == sw->cpu);
	strbuf_addch(&m->out, ' ');
	sched_add_sec(&m->out, sw->time, 13);
	strbuf_addstr(&m->out, " secs ");
	/* the idle tasks of all CPUs are one */
	if (!sched_is_idle(sw->next) || !m->idle_told)
		add_legend(m, sw->next);
	m->idle_told |= sched_is_idle(sw->next);
	if (m->o->compact && new_cpu)
		strbuf_addf(&m->out, " (CPU %u)", sw->cpu);
	strbuf_addch(&m->out, '\n');
}

static void add_separated(struct sched_map *m, const struct sched_switch *sw)
{
	char sep = m->o->separator;

	if (!m->titles)
		strbuf_addf(&m->out, "# Time%cCPU%cShort%cTask%cTID\n", sep, sep, sep, sep);
	m->titles = true;
	strbuf_reset(&m->tmp);
	sched_add_name(&m->tmp, sw->next);
	for (char *p = m->tmp.buf; *p; p++)
		*p = *p == sep ? '.' : *p;
	strbuf_addf(&m->out, "%lu%c%u%c%s%c%s%c%d\n", sw->time, sep, sw->cpu, sep, short_name(m, sw->next),
		    sep,
		    m->tmp.buf, sep, sw->next->tid);
}

static void add_cells(struct sched_map *m, const struct sched_switch *sw)
{
	const struct stream_format *f = m->o->format;

	strbuf_reset(&m->tmp);
	sched_add_name(&m->tmp, sw->next);
	f->begin(&m->out);
	stream_text(f, &m->out, "type", "switch");
	stream_time(f, &m->out, "time", sw->time);
	stream_number(f, &m->out, "cpu", sw->cpu);
	stream_text(f, &m->out, "short", short_name(m, sw->next));
	stream_text(f, &m->out, "comm", strbuf_str(&m->tmp));
	stream_signed(f, &m->out, "tid", sw->next->tid);
	f->end(&m->out);
}

static void flush(struct sched_map *m, size_t keep)
{
	if (m->out.len <= keep)
		return;
	if (!m->ret)
		m->ret = m->o->write(m->o->write_ctx, m->out.buf, m->out.len);
	strbuf_reset(&m->out);
}

static void on_switched(void *ctx, struct sched *s UNUSED, const struct sched_switch *sw)
{
	struct sched_map *m = ctx;
	bool new_cpu = sw->cpu >= m->shown.nr || m->shown.v[sw->cpu] == ID_NONE;

	if (m->ret || !makes_line(m, sw))
		return;
	while (m->shown.nr <= sw->cpu)
		vec_push(&m->shown, ID_NONE);
	m->shown.v[sw->cpu] = sw->next->id;
	if (new_cpu && (m->o->compact || !m->column.nr || m->column.v[m->column.nr - 1] < sw->cpu))
		add_column(m, sw->cpu);
	if (m->o->format)
		add_cells(m, sw);
	else if (m->o->separator)
		add_separated(m, sw);
	else
		add_line(m, sw, new_cpu);
	flush(m, 65536);
}

const struct sched_ops sched_map_ops = { .switched = on_switched };

int sched_map_end(struct sched_map *m)
{
	flush(m, 0);
	return m->ret;
}

void sched_map_release(struct sched_map *m)
{
	vec_release(&m->name);
	vec_release(&m->column);
	vec_release(&m->shown);
	strbuf_release(&m->out);
	strbuf_release(&m->tmp);
}
