/* Reads: see reads.h. */
#include "reads.h"
#include "../base/search.h"
#include "../event/record-type.h"

#include <stdlib.h>

struct read_row {
	u64 off;
	u32 stream;
	u32 first;		/* its first element in delta */
};

/* the last value of a counter; an inherited counter has one per task */
struct read_counter {
	u64 id, value;
	u32 tid;
};

struct session_reads {
	struct { VEC(struct read_row); } row;	/* by stream, then offset */
	struct { VEC(u64); } delta;
};

struct builder {
	struct session_reads *r;
	struct { VEC(struct read_counter); } counter;
	struct hidx idx;
};

static u64 counter_step(struct builder *b, u64 id, u32 tid, u64 value)
{
	struct read_counter *known = vec_find_or_add(&b->counter, &b->idx, hash_mix(hash_u64(id), tid), c,
						     c->id == id && c->tid == tid,
						     (struct read_counter){ .id = id, .tid = tid });
	u64 last = known->value;

	known->value = value;
	return value - last;
}

static void add_sample(struct builder *b, const struct rec *rec, u32 stream, const struct sample *s)
{
	u32 tid = s->event->attr.flags & ATTR_INHERIT ? s->tid : 0;

	vec_push(&b->r->row, (struct read_row){ rec->off, stream, b->r->delta.nr });
	for (u64 i = 0; i < s->nr_reads; i++) {
		u64 id = s->event->attr.read_format & ABI_READ_ID ? s->reads[i].id : s->id;

		vec_push(&b->r->delta, counter_step(b, id, tid, s->reads[i].value));
	}
}

static bool any_reads(const struct evset *set)
{
	vec_foreach(&set->ev, ev)
		if ((*ev)->attr.sample_type & ABI_SAMPLE_READ)
			return true;
	return false;
}

struct session_reads *session_reads_new(const struct session *s)
{
	struct builder b = { 0 };
	struct diag counted_before = { 0 };
	struct arena scratch = { 0 };

	if (!any_reads(s->data->evset))
		return NULL;
	b.r = xcalloc(1, sizeof(*b.r));
	vec_foreach(&s->data->stream, st) {
		struct rec_walk w = rec_walk_of(s->data, st, st->start, st->end, &counted_before);
		struct sample sample;
		struct rec rec;

		while (rec_next(&w, &rec) > 0) {
			if (rec.type != REC_SAMPLE)
				continue;
			if (!sample_decode(s->data->plan, &rec, &sample, &scratch) && sample.nr_reads)
				add_sample(&b, &rec, st->idx, &sample);
			arena_reset(&scratch);
		}
	}
	arena_release(&scratch);
	vec_release(&b.counter);
	hidx_release(&b.idx);
	return b.r;
}

void session_reads_free(struct session_reads *r)
{
	if (!r)
		return;
	vec_release(&r->row);
	vec_release(&r->delta);
	free(r);
}

static u32 stream_of(const struct session *s, const struct rec *rec)
{
	vec_foreach(&s->data->stream, st)
		if (rec->p >= st->base + st->start && rec->p < st->base + st->end)
			return st->idx;
	return 0;
}

static const struct read_row *find_row(const struct session *s, const struct rec *rec)
{
	const struct session_reads *r = s->reads;
	u32 stream = s->data->stream.nr > 1 ? stream_of(s, rec) : 0;
	const struct read_row *row = r->row.v;
	size_t at = LOWER_BOUND(r->row.nr, i, row[i].stream < stream ||
				(row[i].stream == stream && row[i].off < rec->off));

	return at < r->row.nr && row[at].off == rec->off && row[at].stream == stream ? &row[at] : NULL;
}

bool session_read_known(const struct session *s, const struct sample *sample, u32 i)
{
	return !(sample->event->attr.read_format & ABI_READ_ID) ||
	       evset_by_id(s->data->evset, sample->reads[i].id);
}

int session_read(const struct session *s, const struct rec *rec, u32 i, struct sample *sample)
{
	const struct read_row *row = find_row(s, rec);
	const struct event *ev;

	if (!row || i >= sample->nr_reads)
		return -1;
	if (sample->event->attr.read_format & ABI_READ_ID) {
		ev = evset_by_id(s->data->evset, sample->reads[i].id);
		if (!ev)
			return 0;
		sample->event = ev;
		sample->id = sample->reads[i].id;
	}
	sample->period = s->reads->delta.v[row->first + i];
	return sample->period != 0;
}

u32 session_nr_reads(const struct session *s, const struct rec *rec, struct sample *sample)
{
	u32 nr = 0;
	int what;

	for (u32 i = 0; (what = session_read(s, rec, i, sample)) >= 0; i++)
		nr += what;
	return nr;
}
