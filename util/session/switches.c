/* Switches: see switches.h. */
#include "switches.h"
#include "../event/record-type.h"

#include <errno.h>
#include <stdlib.h>
#include "walk.h"
#include "../base/search.h"

/* a sample of a switching event, and the state after it */
struct switch_point {
	struct when when;
	u32 event;
	bool shown, on;
};

struct switches {
	struct { VEC(struct switch_point); } point;	/* by time, offset */
	bool first, now;				/* the state before all of them, and after them */
	u32 on, off;					/* events; ID_NONE: not given */
	bool show;
};

int switch_event(const struct session *s, const char *name, const char *option, u32 *ret, struct err *err)
{
	const struct evset *set = s->data->evset;

	*ret = ID_NONE;
	for (size_t i = 0; name && i < set->ev.nr; i++)
		if (!strcmp(set->ev.v[i]->name, name))
			*ret = i;
	if (!name || *ret != ID_NONE)
		return 0;
	err_set(err, -ENOENT, "%s event not found (%s)", option, name);
	err_hint(err, "'perf evlist' shows the names of the events");
	return -ENOENT;
}

static int cmp_points(const void *pa, const void *pb)
{
	const struct switch_point *a = pa, *b = pb;

	return when_before(a->when, b->when) ? -1 : when_before(b->when, a->when);
}

/* the points of one chunk of the file, in file order */
struct points { VEC(struct switch_point); };

struct switch_finder {
	const struct session *s;
	const struct time_filter *times;
	u32 on, off;
	struct points *of;	/* by chunk */
};

static void find_point(void *ctx, size_t i, const struct rec *rec, struct arena *scratch)
{
	const struct switch_finder *f = ctx;
	const struct session *s = f->s;
	struct sample sample;

	if (rec->type != REC_SAMPLE || sample_decode(s->data->plan, rec, &sample, scratch) ||
	    (sample.event->idx != f->on && sample.event->idx != f->off) ||
	    (f->times && !time_filter_ok(f->times, sample.time)))
		return;
	vec_push(&f->of[i], (struct switch_point){ .when = { s->has_time ? sample.time : rec->off, rec->off },
						   .event = sample.event->idx });
}

static void find_points(struct switches *w, const struct session *s, const struct time_filter *times)
{
	struct switch_finder f = { .s = s, .times = times, .on = w->on, .off = w->off,
				   .of = xcalloc(s->chunks.nr + 1, sizeof(*f.of)) };

	session_walk(s, "looking for switches", find_point, &f);
	for (size_t i = 0; i < s->chunks.nr; i++) {
		vec_foreach(&f.of[i], p)
			vec_push(&w->point, *p);
		vec_release(&f.of[i]);
	}
	free(f.of);
	if (w->point.nr)
		qsort(w->point.v, w->point.nr, sizeof(*w->point.v), cmp_points);
}

/*
 * without an event that switches on, the first sample that switches off is the only one hidden, as in
 * upstream
 */
static void switch_points(struct switches *w)
{
	vec_foreach(&w->point, p) {
		p->shown = true;
		if (w->on != ID_NONE && !w->now) {
			w->now = p->event == w->on;
			p->shown = w->now && w->show;
		} else if (p->event == w->off && w->now) {
			w->now = false;
			p->shown = w->show;
		}
		p->on = w->now || w->on == ID_NONE;
	}
}

int switches_new(struct switches **ret, const struct session *s, const struct switch_opts *o,
		 const struct time_filter *times, struct err *err)
{
	struct switches *w;
	u32 on, off;
	int r = switch_event(s, o->on, "switch-on", &on, err);

	*ret = NULL;
	if (!r)
		r = switch_event(s, o->off, "switch-off", &off, err);
	if (r || (!o->on && !o->off))
		return r;
	*ret = w = xcalloc(1, sizeof(*w));
	w->on = on;
	w->off = off;
	w->show = o->show;
	w->first = w->now = on == ID_NONE;
	find_points(w, s, times);
	switch_points(w);
	return 0;
}

void switches_next(struct switches *w, const struct session *s)
{
	if (!w)
		return;
	w->point.nr = 0;
	w->first = w->now || w->on == ID_NONE;
	find_points(w, s, NULL);
	switch_points(w);
}

void switches_free(struct switches *w)
{
	if (!w)
		return;
	vec_release(&w->point);
	free(w);
}

bool switches_ok(const struct switches *w, struct when when)
{
	const struct switch_point key = { .when = when };
	size_t lo;

	if (!w)
		return true;
	lo = LOWER_BOUND(w ? w->point.nr : 0, i, cmp_points(&w->point.v[i], &key) <= 0);
	if (!lo)
		return w->first;
	return cmp_points(&w->point.v[lo - 1], &key) ? w->point.v[lo - 1].on : w->point.v[lo - 1].shown;
}
