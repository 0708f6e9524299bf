/* Places: see places.h. */
#include "places.h"
#include "../session/session.h"

#define COLUMN_NS 100u		/* the shortest column: a slot has whole nanoseconds */
#define NEAR_PLACES 16u		/* of a list that are compared: a file is nearly in the order of time */

struct hist_time hist_time_of(const struct session *s)
{
	static const u8 factor[] = { 1, 2, 5 };
	struct hist_time t = { .start = s->first_time, .end = s->last_time };
	u64 span = t.end - t.start, column = COLUMN_NS, unit = COLUMN_NS;

	if (!s->has_time || t.start > t.end)
		return (struct hist_time){ 0 };
	for (u32 i = 1; span / column >= SLOT_MAX_COLUMNS; i++) {
		if (i % 3 == 0)
			unit *= 10;
		column = unit * factor[i % 3];
	}
	t.step = column / SLOT_ROWS;
	t.nr_columns = span / column + 1;
	return t;
}

struct place place_of_sample(const struct hist_time *t, const struct sample *s)
{
	u64 type = s->event->attr.sample_type, time = MIN(MAX(s->time, t->start), t->end);

	return (struct place){ .slot = type & PERF_SAMPLE_TIME ? (time - t->start) / t->step : SLOT_NONE,
			       .tid = s->tid, .cpu = type & PERF_SAMPLE_CPU ? s->cpu : PLACE_NO_CPU };
}

static void add_part(struct places *v, u64 *head, const struct place *at, u64 period, u64 nr)
{
	u32 tries = NEAR_PLACES;
	struct place *p;

	for (u32 i = *head; i && tries; i = p->next, tries--) {
		p = &v->v[i - 1];
		if (p->slot != at->slot || p->tid != at->tid || p->cpu != at->cpu)
			continue;
		p->nr += nr;
		p->period += period;
		return;
	}
	vec_push(v, *at);
	p = &v->v[v->nr - 1];
	p->next = *head;
	p->nr = nr;
	p->period = period;
	*head = v->nr;
}

void places_add(struct places *v, u64 *head, const struct place *at, u64 period)
{
	add_part(v, head, at, period, 1);
}

void places_spread(const struct hist_time *t, struct places *v, u64 *head, const struct place *at,
		   const struct place_span *span, u64 period)
{
	u64 from = MAX(span->from, t->start), to = MIN(span->to, t->end), left = period, nr = 1;
	struct place p = *at;

	if (from >= to || at->slot == SLOT_NONE) {
		places_add(v, head, at, period);
		return;
	}
	for (u64 slot = (from - t->start) / t->step; left; slot++, nr = 0) {
		u64 end = t->start + (slot + 1) * t->step, begin = MAX(end - t->step, from);
		u64 part = end >= to ? left : MIN((u64)((double)(end - begin) / (to - from) * period), left);

		p.slot = slot;
		if (part || nr)
			add_part(v, head, &p, part, nr);
		left -= part;
		if (end >= to)
			break;
	}
}
