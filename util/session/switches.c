/* Switches: see switches.h. */
#include "switches.h"

#include <errno.h>
#include <stdlib.h>

/* a sample of an event that switches, and what holds from it on */
struct switch_point {
	u64 time, off;
	u32 event;
	bool shown, on;
};

struct switches {
	struct { VEC(struct switch_point); } point;	/* by time, offset */
	bool first;					/* what holds before all of them */
};

int switch_event(const struct session *s, const char *name, const char *option, u32 *ret, struct err *err)
{
	const struct evset *set = s->data->evset;

	*ret = WORLD_NONE;
	for (size_t i = 0; name && i < set->ev.nr; i++)
		if (!strcmp(set->ev.v[i]->name, name))
			*ret = i;
	if (!name || *ret != WORLD_NONE)
		return 0;
	err_set(err, -ENOENT, "%s event not found (%s)", option, name);
	err_hint(err, "HINT:  use 'perf evlist' to see the available event names");
	return -ENOENT;
}

static int cmp_points(const void *pa, const void *pb)
{
	const struct switch_point *a = pa, *b = pb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->off < b->off ? -1 : a->off > b->off;
}

static void find_points(struct switches *w, const struct session *s, u32 on, u32 off)
{
	struct diag counted_elsewhere = { 0 };
	struct arena scratch = { 0 };

	vec_foreach(&s->chunks, chunk) {
		struct rec_walk walk = rec_walk_of(s->data, chunk->stream, chunk->off, chunk->end, &counted_elsewhere);
		struct sample sample;
		struct rec rec;

		while (rec_next(&walk, &rec) > 0) {
			if (rec.type != REC_SAMPLE)
				continue;
			arena_reset(&scratch);
			if (sample_decode(s->data->plan, &rec, &sample, &scratch) ||
			    (sample.event->idx != on && sample.event->idx != off))
				continue;
			vec_push(&w->point, (struct switch_point){ .time = s->has_time ? sample.time : rec.off, .off = rec.off,
								   .event = sample.event->idx });
		}
	}
	arena_release(&scratch);
	if (w->point.nr)
		qsort(w->point.v, w->point.nr, sizeof(*w->point.v), cmp_points);
}

int switches_new(struct switches **ret, const struct session *s, const struct switch_opts *o, struct err *err)
{
	struct switches *w;
	u32 on, off;
	int r = switch_event(s, o->on, "switch-on", &on, err);
	bool now = on == WORLD_NONE;

	*ret = NULL;
	if (!r)
		r = switch_event(s, o->off, "switch-off", &off, err);
	if (r || (!o->on && !o->off))
		return r;
	*ret = w = xcalloc(1, sizeof(*w));
	w->first = now;
	find_points(w, s, on, off);
	/* the first that switches off without one that switches on is all that it hides, as upstream has it */
	vec_foreach(&w->point, p) {
		p->shown = true;
		if (on != WORLD_NONE && !now) {
			now = p->event == on;
			p->shown = now && o->show;
		} else if (p->event == off && now) {
			now = false;
			p->shown = o->show;
		}
		p->on = now || on == WORLD_NONE;
	}
	return 0;
}

void switches_free(struct switches *w)
{
	if (!w)
		return;
	vec_release(&w->point);
	free(w);
}

bool switches_ok(const struct switches *w, u64 time, u64 off)
{
	const struct switch_point key = { .time = time, .off = off };
	size_t lo = 0, hi = w ? w->point.nr : 0;

	if (!w)
		return true;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (cmp_points(&w->point.v[mid], &key) <= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return w->first;
	return cmp_points(&w->point.v[lo - 1], &key) ? w->point.v[lo - 1].on : w->point.v[lo - 1].shown;
}
