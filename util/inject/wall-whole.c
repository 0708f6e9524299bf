/* Wall-whole: see wall-whole.h. */
#include "wall-whole.h"
#include "../session/ordered-reader.h"
#include "../event/record-type.h"
#include "../event/record.h"

#define RECORDS_MAX 65536u	/* that are looked at */
#define CPUS_MAX 4096u

struct whole_look {
	const struct session *s;
	const struct wall_fields *event;
	struct tracefmt *formats;
	struct arena scratch;
	struct { VEC(s64); } next;	/* by CPU: who got it last; -1: not known */
	u64 nr_same, nr_other;		/* leaving threads that had their CPU, and those that had not */
	bool names_threads;
};

static u64 value_of(const struct whole_look *l, const struct tracefmt_field *f, const struct sample *s)
{
	u64 value = 0;

	tracefmt_value(l->formats, f, s->raw, s->raw_size, &value);
	return value;
}

static void take_switch(struct whole_look *l, const struct sample *s)
{
	const struct wall_fields *f = &l->event[s->event->idx];
	s64 *next;

	if (s->cpu >= CPUS_MAX)
		return;
	while (l->next.nr <= s->cpu)
		vec_push(&l->next, -1);
	next = &l->next.v[s->cpu];
	if (*next >= 0 && (u32)*next == (u32)value_of(l, f->prev, s))
		l->nr_same++;
	else if (*next >= 0)
		l->nr_other++;
	*next = (u32)value_of(l, f->next, s);
}

static void take_record(struct whole_look *l, const struct rec *rec)
{
	struct record_view v;
	struct sample s;

	if (rec->type == REC_THREAD_MAP && !record_decode(rec, &v))
		l->names_threads |= v.thread_map.nr && (s32)rec_row_u64(&v.thread_map.threads, 0, 0) >= 0;
	if (rec->type != REC_SAMPLE)
		return;
	arena_reset(&l->scratch);
	if (!sample_decode(l->s->data->plan, rec, &s, &l->scratch) && s.event &&
	    l->event[s.event->idx].kind == KIND_SWITCH)
		take_switch(l, &s);
}

bool wall_whole_cpus(const struct session *s, const struct wall_fields *event, struct tracefmt *formats)
{
	struct whole_look l = { .s = s, .event = event, .formats = formats };
	struct ordered_reader *r = ordered_reader_open(s);
	struct rec rec[256];
	u64 time[ARRAY_SIZE(rec)];
	size_t nr, sum = 0;

	while (sum < RECORDS_MAX && (nr = ordered_reader_next(r, rec, time, ARRAY_SIZE(rec)))) {
		for (size_t i = 0; i < nr; i++)
			take_record(&l, &rec[i]);
		sum += nr;
	}
	ordered_reader_close(r);
	arena_release(&l.scratch);
	vec_release(&l.next);
	/* some records may be lost */
	return l.nr_same > 16 * l.nr_other && !l.names_threads;
}
