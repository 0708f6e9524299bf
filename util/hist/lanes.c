/* Lanes: samples of CPUs and threads by time, for views; of the busiest ones, and the sum of the rest. */
#include "hist.h"

#include <inttypes.h>
#include <stdlib.h>
#include "../view/view.h"

#define MAX_LANES 32u		/* of each kind; then one for the rest */

struct lane_sum {
	u32 id;
	size_t first, nr_cells;
	u64 nr;
};
struct lane_sums {
	VEC(struct lane_sum);
};

static int cmp_busy(const void *pa, const void *pb)
{
	const struct lane_sum *a = pa, *b = pb;

	if (a->nr != b->nr)
		return a->nr < b->nr ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

static int cmp_id(const void *pa, const void *pb)
{
	const struct lane_sum *a = pa, *b = pb;

	return (a->id > b->id) - (a->id < b->id);
}

static void sum_lanes(const struct hist *h, u32 event, u32 kind, struct lane_sums *ret)
{
	vec_foreach(&h->slots.lane, c) {
		if (c->event != event || c->kind != kind)
			continue;
		if (!ret->nr || ret->v[ret->nr - 1].id != c->id)
			vec_push(ret, (struct lane_sum){ .id = c->id, .first = c - h->slots.lane.v });
		ret->v[ret->nr - 1].nr_cells++;
		ret->v[ret->nr - 1].nr += c->nr;
	}
}

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
	bool by_id;		/* else the busiest one is the first */
} kinds[] = {
	{ "CPU", cpu_name, true }, { "thread", thread_name },
};

static void add_cells(const struct hist *h, const struct lane_sum *s, u64 *column)
{
	for (size_t i = s->first; i < s->first + s->nr_cells; i++)
		column[h->slots.lane.v[i].column] += h->slots.lane.v[i].nr;
}

static void add_lanes(const struct hist *h, struct view *v, struct view_time *t, u32 event, u32 kind)
{
	struct lane_sums sums = { 0 };
	struct view_lane rest = { .kind = kinds[kind].kind, .name = "others" };
	u64 *others = arena_alloc(&v->arena, t->nr_columns * sizeof(u64));
	u32 nr;

	sum_lanes(h, event, kind, &sums);
	if (sums.nr)
		qsort(sums.v, sums.nr, sizeof(*sums.v), cmp_busy);
	nr = MIN(sums.nr, (size_t)MAX_LANES);
	if (nr && kinds[kind].by_id)
		qsort(sums.v, nr, sizeof(*sums.v), cmp_id);
	memset(others, 0, t->nr_columns * sizeof(u64));
	for (u32 i = 0; i < sums.nr; i++) {
		u64 *column = others;

		if (i < nr) {
			column = arena_alloc(&v->arena, t->nr_columns * sizeof(u64));
			memset(column, 0, t->nr_columns * sizeof(u64));
			vec_push(&t->lane, (struct view_lane){ .kind = kinds[kind].kind, .nr = sums.v[i].nr,
				.name = kinds[kind].name(h, v, sums.v[i].id), .column = column });
		} else {
			rest.nr_others++;
			rest.nr += sums.v[i].nr;
		}
		add_cells(h, &sums.v[i], column);
	}
	rest.column = others;
	if (rest.nr_others)
		vec_push(&t->lane, rest);
	vec_release(&sums);
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
	for (u32 kind = 0; kind < ARRAY_SIZE(kinds); kind++)
		add_lanes(h, v, t, event, kind);
	if (t->lane.nr)
		vec_push(&v->owned, t->lane.v);
	return t;
}
