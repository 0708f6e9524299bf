/* Time view: see time-view.h. */
#include "time-view.h"
#include "lanes.h"

#include <inttypes.h>
#include "../session/session.h"
#include "../view/view.h"

static const char *thread_name(const struct hist *h, struct view *v, u32 tid)
{
	const struct machine *m = h->session->machine;
	struct strbuf sb = STRBUF_INIT;
	u32 comm = machine_first_comm(m, tid);
	const struct sample_ctx ctx = machine_sample_ctx(m, -1, tid, (struct when){ UINT64_MAX - 1, 0 });
	const char *name;

	if (ctx.thread)
		comm = machine_comm_or_first(m, ctx.thread, (struct when){ UINT64_MAX - 1, 0 });
	if (comm != ID_NONE)
		strbuf_add_safe(&sb, machine_comm_name(m, comm));
	strbuf_addf(&sb, "%s%d", sb.len ? " " : "", (s32)tid);
	name = arena_strdup(&v->arena, strbuf_str(&sb));
	strbuf_release(&sb);
	return name;
}

static const char *cpu_name(const struct hist *h UNUSED, struct view *v, u32 cpu)
{
	struct strbuf sb = STRBUF_INIT;
	const char *name;

	strbuf_addf(&sb, "%u", cpu);
	name = arena_strdup(&v->arena, strbuf_str(&sb));
	strbuf_release(&sb);
	return name;
}

static const struct {
	const char *kind;
	const char *(*name)(const struct hist *h, struct view *v, u32 id);
} kinds[NR_LANE_KINDS] = {
	[LANE_CPU] = { "CPU", cpu_name }, [LANE_THREAD] = { "thread", thread_name },
};

static void add_lanes(const struct hist *h, struct view *v, struct view_time *t, u32 event)
{
	const struct hist_slots *s = &h->slots;
	struct { VEC(u64 *); } column = { 0 };

	vec_foreach(&s->lane, l) {
		if (l->event != event)
			continue;
		vec_push(&column, arena_zalloc(&v->arena, t->nr_columns * sizeof(u64)));
		vec_push(&t->lane, (struct view_lane){ .kind = kinds[l->kind].kind, .nr = l->nr,
			.nr_others = l->nr_others, .column = column.v[l->at],
			.name = l->nr_others ? "others" : kinds[l->kind].name(h, v, l->id) });
	}
	vec_foreach(&s->cell, c)
		if (c->event == event)
			column.v[hist_lane_of(s, event, c->kind, c->id)->at][c->column] += c->nr;
	vec_release(&column);
}

const struct view_time *hist_time_view(struct hist *h, struct view *v, u32 event, u32 nr_members)
{
	const struct hist_time *time = &h->opts.time;
	struct view_time *t = ARENA_NEW(&v->arena, struct view_time);
	u64 type = h->session->data->evset->ev.v[event]->attr.sample_type;

	*t = (struct view_time){ .start = time->start, .step = time->step, .nr_columns = time->nr_columns,
				 .nr_rows = SLOT_ROWS };
	if (!time->nr_columns || !(type & PERF_SAMPLE_TIME))
		t->missing = "There is no timeline: the samples were recorded without times.";
	else if (nr_members > 1)
		t->missing = "There is no timeline: several events share one graph.";
	if (t->missing)
		return t;
	if (!(type & PERF_SAMPLE_CPU))
		t->no_cpus = "There is no timeline of CPUs: the samples were recorded without CPU numbers.";
	add_lanes(h, v, t, event);
	if (t->lane.nr)
		vec_push(&v->owned, t->lane.v);
	return t;
}
