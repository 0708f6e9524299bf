/* Timeline: its size is bounded by merging short spans. */
#include "timeline.h"

#include <stdarg.h>
#include <stdlib.h>
#include "../base/units.h"

void timeline_init(struct timeline *t, const char *name, const struct timeline_kind *kind, u32 nr_kinds,
		   const char *const *group, u32 nr_groups)
{
	*t = (struct timeline){ .name = name, .kind = kind, .nr_kinds = nr_kinds, .group = group,
				.nr_groups = nr_groups, .max_spans = TIMELINE_MAX_SPANS };
	strtab_add(&t->labels, "");
}

void timeline_release(struct timeline *t)
{
	vec_release(&t->fact);
	vec_release(&t->note);
	vec_release(&t->track);
	vec_release(&t->span);
	strtab_release(&t->labels);
	arena_release(&t->arena);
}

u32 timeline_add_track(struct timeline *t, u8 group)
{
	vec_push(&t->track, (struct timeline_track){ .name = "", .pid = -1, .tid = -1, .group = group,
						     .rank = t->track.nr });
	return t->track.nr - 1;
}

void timeline_note(struct timeline *t, const char *fmt, ...)
{
	struct strbuf sb = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&sb, fmt, ap);
	va_end(ap);
	vec_push(&t->note, arena_strdup(&t->arena, strbuf_str(&sb)));
	strbuf_release(&sb);
}

/* whether s, which follows a, became part of it */
static bool merge(struct timeline_span *a, const struct timeline_span *s, u64 grain, bool bar)
{
	u64 from = MIN(a->from, s->from), to = MAX(a->to, s->to);

	if (to - from > grain)
		return false;
	if (s->busy > a->busy) {
		a->kind = s->kind;
		a->label = s->label;
		a->other = s->other;
	}
	a->from = from;
	a->to = to;
	a->busy += s->busy;
	a->amount = bar ? MAX(a->amount, s->amount) : a->amount + s->amount;
	a->nr += s->nr;
	return true;
}

static int cmp_spans(const void *pa, const void *pb)
{
	const struct timeline_span *a = pa, *b = pb;

	if (a->track != b->track)
		return a->track < b->track ? -1 : 1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	if (a->to != b->to)
		return a->to > b->to ? -1 : 1;
	return (a->kind > b->kind) - (a->kind < b->kind);
}

static void sort_spans(struct timeline_spans *spans)
{
	if (spans->nr)
		qsort(spans->v, spans->nr, sizeof(*spans->v), cmp_spans);
}

/*
 * nested spans: a, and s after it, are in the same span of the level before theirs. parent: the last one of
 * that level, or TIMELINE_NONE
 */
static bool have_one_parent(const struct timeline_spans *spans, u32 parent, const struct timeline_span *a,
			    const struct timeline_span *s)
{
	const struct timeline_span *p = parent == TIMELINE_NONE ? NULL : &spans->v[parent];

	/* a mark at the end of p is in p: its next span may be in one that is not over, and not here yet */
	return !p || (a->from >= p->from && (s->from < p->to || a->from > p->to));
}

/*
 * merges in place, in any order in which spans of one track and kind are in the order of time. Nested spans
 * must be sorted; they are merged by level, whatever their kinds are, because spans of a level never overlap
 */
static void merge_all(const struct timeline *t, struct timeline_spans *spans, u64 grain)
{
	bool nested = t->min_level != t->max_level;
	size_t rows = nested ? (size_t)(t->max_level - t->min_level) + 1 : t->nr_kinds;
	u32 *last = xreallocarray(NULL, t->track.nr * rows + 1, sizeof(*last));
	size_t nr = 0;

	memset(last, 0xff, (t->track.nr * rows + 1) * sizeof(*last));
	vec_foreach(spans, s) {
		u32 *at = &last[s->track * rows + (nested ? s->level - t->min_level : s->kind)];
		u32 parent = nested && s->level > t->min_level ? at[-1] : TIMELINE_NONE;

		if (*at != TIMELINE_NONE && have_one_parent(spans, parent, &spans->v[*at], s) &&
		    merge(&spans->v[*at], s, grain, t->kind[s->kind].bar))
			continue;
		*at = nr;
		spans->v[nr++] = *s;
	}
	spans->nr = nr;
	free(last);
}

/*
 * Until half of the room is free again, so that this happens rarely. With more tracks than spans fit, merging
 * cannot help: the room grows.
 */
static void make_room(struct timeline *t)
{
	u64 span = t->to - t->from;

	if (t->min_level != t->max_level)
		sort_spans(&t->span);
	if (!t->grain)
		t->grain = MAX(span / t->max_spans, (u64)1);
	merge_all(t, &t->span, t->grain);
	for (; t->span.nr > t->max_spans / 2; merge_all(t, &t->span, t->grain)) {
		if (t->grain > span) {
			t->max_spans *= 2;
			return;
		}
		t->grain *= 2;
	}
}

void timeline_add(struct timeline *t, const struct timeline_span *span)
{
	struct timeline_span s = *span;

	s.to = MAX(s.to, s.from);
	if (!s.nr) {
		s.nr = 1;
		s.busy = s.to - s.from;
	}
	if (!t->span.nr && t->from == t->to) {
		t->from = s.from;
		t->to = s.to;
	}
	t->from = MIN(t->from, s.from);
	t->to = MAX(t->to, s.to);
	t->min_level = MIN(t->min_level, s.level);
	t->max_level = MAX(t->max_level, s.level);
	if (t->span.nr >= t->max_spans)
		make_room(t);
	vec_push(&t->span, s);
}

/* a track and where it was */
struct placed {
	struct timeline_track track;
	u32 was;
};

static int cmp_tracks(const void *pa, const void *pb)
{
	const struct placed *a = pa, *b = pb;

	if (a->track.hidden != b->track.hidden)
		return a->track.hidden ? 1 : -1;
	if (a->track.group != b->track.group)
		return a->track.group < b->track.group ? -1 : 1;
	if (a->track.rank != b->track.rank)
		return a->track.rank < b->track.rank ? -1 : 1;
	return (a->was > b->was) - (a->was < b->was);
}

/* returns the new id by the old one; hidden ones are the last */
static u32 *sort_tracks(struct timeline *t)
{
	struct placed *p = xcalloc(t->track.nr + 1, sizeof(*p));
	u32 *now = xcalloc(t->track.nr + 1, sizeof(*now));

	for (u32 i = 0; i < t->track.nr; i++)
		p[i] = (struct placed){ t->track.v[i], i };
	qsort(p, t->track.nr, sizeof(*p), cmp_tracks);
	for (u32 i = 0; i < t->track.nr; i++) {
		t->track.v[i] = p[i].track;
		now[p[i].was] = i;
	}
	free(p);
	return now;
}

/* sorted spans get their tracks, and levels of each track begin with 0 */
static void place_spans(struct timeline *t)
{
	t->min_level = t->max_level = 0;
	for (size_t i = 0; i < t->span.nr; i++) {
		struct timeline_track *track = &t->track.v[t->span.v[i].track];

		track->first = track->nr ? track->first : i;
		track->nr++;
	}
	vec_foreach(&t->track, track) {
		struct timeline_span *s = t->span.v + track->first;
		s16 min = track->nr ? s->level : 0, max = min;

		for (size_t i = 0; i < track->nr; i++) {
			min = MIN(min, s[i].level);
			max = MAX(max, s[i].level);
		}
		for (size_t i = 0; i < track->nr; i++)
			s[i].level -= min;
		track->levels = max - min + 1;
		t->max_level = MAX(t->max_level, max - min);
	}
}

void timeline_finish(struct timeline *t)
{
	u32 *now = sort_tracks(t);
	size_t nr = 0;

	while (t->track.nr && t->track.v[t->track.nr - 1].hidden)
		t->track.nr--;
	vec_foreach(&t->span, s) {
		s->track = now[s->track];
		s->other = s->other == TIMELINE_NONE || now[s->other] >= t->track.nr ? TIMELINE_NONE :
			   now[s->other];
		if (s->track < t->track.nr)
			t->span.v[nr++] = *s;
	}
	t->span.nr = nr;
	free(now);
	sort_spans(&t->span);
	place_spans(t);
	if (t->grain) {
		struct strbuf grain = STRBUF_INIT;

		duration_text(&grain, t->grain);
		timeline_note(t, "spans that together are shorter than %s are shown as one", grain.buf);
		strbuf_release(&grain);
	}
}

u64 timeline_kinds_used(const struct timeline *t)
{
	u64 used = 0;

	vec_foreach(&t->span, s)
		used |= 1ull << s->kind;
	return used;
}

u64 timeline_max_amount(const struct timeline *t, u32 kind)
{
	u64 max = 0;

	vec_foreach(&t->span, s)
		max = s->kind == kind ? MAX(max, s->amount) : max;
	return max;
}

void timeline_merged(const struct timeline *t, u64 grain, struct timeline_spans *ret)
{
	*ret = (struct timeline_spans){ 0 };
	vec_reserve(ret, t->span.nr + 1);
	if (t->span.nr)
		memcpy(ret->v, t->span.v, t->span.nr * sizeof(*ret->v));
	ret->nr = t->span.nr;
	if (grain)
		merge_all(t, ret, grain);
}
