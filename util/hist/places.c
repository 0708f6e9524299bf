/* Places: see places.h. */
#include "places.h"
#include "../session/session.h"
#include "../wall/wall-event.h"

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

#define MAX_SPANS (1u << 22)	/* that are kept apart, roughly */

struct hist_time hist_ticks_of(const struct session *s)
{
	struct hist_time t = { .start = s->first_time, .end = s->last_time, .step = 1, .nr_columns = 1,
			       .spans = true };
	u64 ticks, threads = machine_nr_threads(s->machine);

	if (!s->has_time || t.start > t.end)
		return (struct hist_time){ 0 };
	while ((t.end - t.start) / t.step >= UINT32_MAX)
		t.step *= 10;
	ticks = (t.end - t.start) / t.step;
	if (s->nr_samples > MAX_SPANS)
		for (t.grain = 1; t.grain < 1u << 31 && ticks / t.grain * threads > MAX_SPANS;)
			t.grain *= 2;
	return t;
}

struct place place_of_sample(const struct hist_time *t, const struct sample *s)
{
	u64 type = s->event->attr.sample_type, time = MIN(MAX(s->time, t->start), t->end);

	return (struct place){ .slot = type & PERF_SAMPLE_TIME ? (time - t->start) / t->step : SLOT_NONE,
			       .tid = s->tid,
			       .cpu = type & PERF_SAMPLE_CPU && !t->spans ? s->cpu : PLACE_NO_CPU,
			       .waker = t->spans ? wall_event_waker(s) : 0,
			       .state = t->spans ? wall_event_state(s) : 0,
			       .wait = t->spans ? wall_event_wait(s) : 0 };
}

static void add_part(struct places *v, u64 *head, const struct place *at, u64 period, u64 nr)
{
	u32 tries = NEAR_PLACES;
	struct place *p;

	for (u32 i = *head; i && tries; i = p->next, tries--) {
		p = &v->v[i - 1];
		if (p->slot != at->slot || p->tid != at->tid || p->cpu != at->cpu ||
		    p->length != at->length || p->state != at->state || p->wait != at->wait)
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

/* begin and end are cut to ticks, so spans that follow each other still do */
static void add_span(const struct hist_time *t, struct places *v, u64 *head, const struct place *at,
		     u64 from, u64 to, u64 period)
{
	struct place p = *at;
	u64 first = (from - t->start) / t->step, last = (MAX(to, from) - t->start) / t->step;

	p.slot = first;
	p.length = MAX(last - first, 1ul);
	if (p.length >= t->grain) {
		vec_push(v, p);
		v->v[v->nr - 1].next = *head;
		v->v[v->nr - 1].nr = 1;
		v->v[v->nr - 1].period = period;
		*head = v->nr;
		return;
	}
	p.slot -= p.slot % t->grain;
	p.length = t->grain;
	p.waker = -1;
	add_part(v, head, &p, period, 1);
}

void places_spread(const struct hist_time *t, struct places *v, u64 *head, const struct place *at,
		   const struct place_span *span, u64 period)
{
	u64 from = MAX(span->from, t->start), to = MIN(span->to, t->end), left = period, nr = 1;
	struct place p = *at;

	if (t->spans && at->slot != SLOT_NONE) {
		add_span(t, v, head, at, MIN(from, t->end), MIN(to, t->end), period);
		return;
	}
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
