/* Wall-whole: see wall-whole.h. */
#include "wall-whole.h"
#include "../session/ordered-reader.h"
#include "../event/record-type.h"
#include "../event/record.h"

#include <string.h>

#define RECORDS_MAX 65536u	/* that are looked at */
#define CPUS_MAX 4096u

struct whole_look {
	const struct session *s;
	const struct wall_file_events *e;
	struct arena scratch;
	struct { VEC(s64); } next;	/* by CPU: who got it last; -1: not known */
	u64 nr_same, nr_other;		/* leaving threads that had their CPU, and those that had not */
	bool names_threads;
};

static u64 value_of(const struct whole_look *l, const struct tracefmt_field *f, const struct sample *s)
{
	u64 value = 0;

	tracefmt_value(l->e->formats, f, s->raw, s->raw_size, &value);
	return value;
}

/* the thread that got this CPU last; NULL: the CPU number is too large */
static s64 *next_of(struct whole_look *l, u32 cpu)
{
	if (cpu >= CPUS_MAX)
		return NULL;
	while (l->next.nr <= cpu)
		vec_push(&l->next, -1);
	return &l->next.v[cpu];
}

/* it has the CPU, or leaves it */
static void compare(struct whole_look *l, const s64 *next, u32 tid)
{
	if (*next >= 0 && (u32)*next == tid)
		l->nr_same++;
	else if (*next >= 0)
		l->nr_other++;
}

static void take_switch(struct whole_look *l, const struct sample *s)
{
	const struct wall_fields *f = &l->e->event[s->event->idx];
	s64 *next = next_of(l, s->cpu);

	if (!next)
		return;
	compare(l, next, value_of(l, f->prev, s));
	*next = (u32)value_of(l, f->next, s);
}

/* of a context switch; tracepoints tell it, too */
static void take_switch_record(struct whole_look *l, const struct rec *rec)
{
	struct record_view v;
	struct sample s;
	s64 *next;

	if (l->e->has_tracepoints || sample_decode_id(l->s->data->plan, rec, &s) || record_decode(rec, &v))
		return;
	next = next_of(l, s.cpu);
	if (!next)
		return;
	if (rec->misc & PERF_RECORD_MISC_SWITCH_OUT)
		*next = v.pid_tid.tid;
	else
		compare(l, next, s.tid);
}

static void take_record(struct whole_look *l, const struct rec *rec)
{
	struct record_view v;
	struct sample s;

	if (rec->type == REC_THREAD_MAP && !record_decode(rec, &v))
		l->names_threads |= v.thread_map.nr && (s32)rec_row_u64(&v.thread_map.threads, 0, 0) >= 0;
	if (rec->type == REC_SWITCH_CPU_WIDE)
		take_switch_record(l, rec);
	if (rec->type != REC_SAMPLE)
		return;
	arena_reset(&l->scratch);
	if (!sample_decode(l->s->data->plan, rec, &s, &l->scratch) && s.event &&
	    l->e->event[s.event->idx].kind == KIND_SWITCH)
		take_switch(l, &s);
}

/* see ret_cpus of wall_whole_cpus() */
static u32 some_cpus(const struct whole_look *l)
{
	u32 online = l->s->data->feat.nr_cpus_online, nr_open = 0, nr_seen = 0;

	vec_foreach(&l->s->data->evset->ev, it)
		if ((*it)->tp_name && !strcmp((*it)->tp_name, "sched_switch"))
			nr_open = (*it)->nr_ids;
	vec_foreach(&l->next, next)
		nr_seen += *next >= 0;
	return nr_open && nr_open < online && nr_seen <= nr_open ? nr_open : 0;
}

enum wall_whole wall_whole_cpus(const struct session *s, const struct wall_file_events *e, u32 *ret_cpus)
{
	struct whole_look l = { .s = s, .e = e };
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
	*ret_cpus = some_cpus(&l);
	arena_release(&l.scratch);
	vec_release(&l.next);
	if (l.names_threads || !(l.nr_same + l.nr_other))
		return WALL_WHOLE_UNKNOWN;
	/* some records may be lost */
	return l.nr_same > 16 * l.nr_other ? WALL_WHOLE_CPUS : WALL_WHOLE_SOME;
}
