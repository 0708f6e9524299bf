/*
 * Order: all records of a session by (time, file offset), sorted at once in memory. Stands in, as weak symbols, where no
 * better rec_cursor is linked.
 */
#include "../session/session.h"

#include <stdlib.h>

struct ordered {
	u64 time;
	u32 stream;
	struct rec rec;
};

struct rec_cursor {
	struct { VEC(struct ordered); } v;
	size_t pos;
};

static int by_time(const void *pa, const void *pb)
{
	const struct ordered *a = pa, *b = pb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->stream != b->stream)
		return a->stream < b->stream ? -1 : 1;
	return a->rec.off < b->rec.off ? -1 : a->rec.off > b->rec.off;
}

__attribute__((weak)) struct rec_cursor *rec_cursor_open(const struct session *s)
{
	struct rec_cursor *c = xcalloc(1, sizeof(*c));
	struct diag diag = { 0 };

	for (size_t i = 0; i < s->data->stream.nr; i++) {
		const struct data_stream *st = &s->data->stream.v[i];
		struct rec_walk w = rec_walk_of(s->data, st, st->start, st->end, &diag);
		u64 round = 0;
		struct rec r;

		while (rec_next(&w, &r)) {
			u64 t = 0;

			if (!s->has_time)
				t = r.off;
			else if (r.type == REC_FINISHED_ROUND || !sample_time(s->data->plan, &r, &t))
				t = r.type == REC_FINISHED_ROUND ? round : 0;
			round = MAX(round, t);
			vec_push(&c->v, (struct ordered){ t, st->idx, r });
		}
	}
	qsort(c->v.v, c->v.nr, sizeof(*c->v.v), by_time);
	return c;
}

__attribute__((weak)) size_t rec_cursor_next(struct rec_cursor *c, struct rec *ret, u64 *ret_time, size_t max)
{
	size_t nr = 0;

	for (; nr < max && c->pos < c->v.nr; nr++, c->pos++) {
		ret[nr] = c->v.v[c->pos].rec;
		ret_time[nr] = c->v.v[c->pos].time;
	}
	return nr;
}

__attribute__((weak)) void rec_cursor_close(struct rec_cursor *c)
{
	vec_release(&c->v);
	free(c);
}
