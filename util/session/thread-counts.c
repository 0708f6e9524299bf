/* Thread counts: see thread-counts.h. */
#include "thread-counts.h"
#include "../event/record.h"

#include <stdlib.h>
#include "../base/hash.h"
#include "ordered-reader.h"

static u32 thread_of(struct thread_counts *c, u32 pid, u32 tid)
{
	return vec_find_or_add_id(&c->thread, &c->thread_idx, hash_u64((u64)pid << 32 | tid), t,
				  t->pid == pid && t->tid == tid, (struct counted_thread){ pid, tid });
}

static struct thread_count *count_find(const struct thread_counts *c, u32 thread, u32 event)
{
	u32 id;

	HIDX_FOREACH(&c->count_idx, hash_u64((u64)thread << 32 | event), id)
		if (c->count.v[id].thread == thread && c->count.v[id].event == event)
			return &c->count.v[id];
	return NULL;
}

static void count_add(struct thread_counts *c, u32 thread, u32 event, u64 value)
{
	vec_find_or_add(&c->count, &c->count_idx, hash_u64((u64)thread << 32 | event), t,
			t->thread == thread && t->event == event,
			(struct thread_count){ .thread = thread, .event = event })->value += value;
}

/* an event has a READ record for each CPU on which it was open: they are added up */
static void take_read(struct thread_counts *c, const struct session *s, const struct rec *rec)
{
	struct record_view v;
	struct sample id;

	if (record_decode(rec, &v) || sample_decode_id(s->data->plan, rec, &id) || !id.event)
		return;
	c->seen[id.event->idx] = true;
	count_add(c, thread_of(c, v.read.pid, v.read.tid), id.event->idx, v.read.value);
}

static void read_counts(struct thread_counts *c, const struct session *s)
{
	struct ordered_reader *cursor = ordered_reader_open(s);
	struct rec rec[64];
	u64 time[64];
	size_t nr;

	while ((nr = ordered_reader_next(cursor, rec, time, 64)))
		for (size_t i = 0; i < nr; i++)
			if (rec[i].type == REC_READ)
				take_read(c, s, &rec[i]);
	ordered_reader_close(cursor);
}

void thread_counts_read(struct thread_counts *c, const struct session *s)
{
	*c = (struct thread_counts){ .nr_events = s->data->evset->ev.nr };
	c->seen = xcalloc(c->nr_events + 1, sizeof(*c->seen));
	read_counts(c, s);
}

void thread_counts_release(struct thread_counts *c)
{
	free(c->seen);
	vec_release(&c->thread);
	vec_release(&c->count);
	hidx_release(&c->thread_idx);
	hidx_release(&c->count_idx);
}

const struct thread_count *thread_counts_find(const struct thread_counts *c, u32 thread, u32 event)
{
	return count_find(c, thread, event);
}
