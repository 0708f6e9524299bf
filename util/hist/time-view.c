/* Time view: see time-view.h. */
#include "time-view.h"
#include "lanes.h"

#include <inttypes.h>
#include <stdlib.h>
#include "../session/session.h"
#include "../view/view.h"
#include "../wall/wall.h"

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
			.id = l->id, .nr_others = l->nr_others, .column = column.v[l->at],
			.name = l->nr_others ? "others" : kinds[l->kind].name(h, v, l->id) });
	}
	vec_foreach(&s->cell, c)
		if (c->event == event)
			column.v[hist_lane_of(s, event, c->kind, c->id)->at][c->column] += c->nr;
	vec_release(&column);
}

static int cmp_tids(const void *pa, const void *pb)
{
	s32 a = *(const s32 *)pa, b = *(const s32 *)pb;

	return (a > b) - (a < b);
}

/* those who ended spans without a lane of their own */
static void add_others(const struct hist *h, struct view *v, struct view_time *t, u32 event)
{
	const struct hist_slots *s = &h->slots;
	struct { VEC(s32); } tid = { 0 };

	vec_foreach(&s->slot, slot)
		if (slot->other > 0 && (!tid.nr || tid.v[tid.nr - 1] != slot->other))
			vec_push(&tid, slot->other);
	if (tid.nr)
		qsort(tid.v, tid.nr, sizeof(*tid.v), cmp_tids);
	for (size_t i = 0; i < tid.nr; i++) {
		const struct hist_lane *l = hist_lane_of(s, event, LANE_THREAD, tid.v[i]);

		if ((i && tid.v[i] == tid.v[i - 1]) || (l && !l->nr_others && (s32)l->id == tid.v[i]))
			continue;
		vec_push(&t->other, (struct view_other){ tid.v[i], thread_name(h, v, tid.v[i]) });
	}
	vec_release(&tid);
	if (t->other.nr)
		vec_push(&v->owned, t->other.v);
}

static void add_spans(const struct hist *h, struct view *v, struct view_time *t, u32 event)
{
	const char **word = arena_alloc(&v->arena, WALL_NR_WAITS * sizeof(*word));

	for (u32 i = 0; i < WALL_NR_WAITS; i++)
		word[i] = wall_wait_word(i);
	t->detail = word;
	t->nr_details = WALL_NR_WAITS;
	add_others(h, v, t, event);
}

const struct view_time *hist_time_view(struct hist *h, struct view *v, u32 event, u32 nr_members,
				       const struct view_marks *mark)
{
	const struct hist_time *time = &h->opts.time;
	struct view_time *t = ARENA_NEW(&v->arena, struct view_time);
	u64 type = h->session->data->evset->ev.v[event]->attr.sample_type;

	*t = (struct view_time){ .start = time->start, .step = time->step, .nr_columns = time->nr_columns,
				 .nr_rows = time->spans ? 1 : SLOT_ROWS, .spans = time->spans,
				 .end = time->end, .grain = time->grain, .mark = mark };
	if (!time->nr_columns || !(type & PERF_SAMPLE_TIME))
		t->missing = "There is no timeline: the samples were recorded without times.";
	else if (nr_members > 1)
		t->missing = "There is no timeline: several events share one graph.";
	if (t->missing)
		return t;
	if (!(type & PERF_SAMPLE_CPU) && !t->spans)
		t->no_cpus = "There is no timeline of CPUs: the samples were recorded without CPU numbers.";
	add_lanes(h, v, t, event);
	if (t->spans)
		add_spans(h, v, t, event);
	if (t->lane.nr)
		vec_push(&v->owned, t->lane.v);
	return t;
}
