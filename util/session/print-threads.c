/* report -T: what each thread counted in all, as record -s keeps it. */
#include "print.h"

#include <stdlib.h>
#include "../base/cursor.h"
#include "../base/hash.h"

struct counted_thread {
	u32 pid, tid;
};

struct counts {
	struct { VEC(struct counted_thread); } thread;	/* as they come */
	struct { VEC(u64); } value;			/* by thread, then event */
	struct hidx idx;
	u32 nr_events;
	bool *seen;					/* by event */
};

static u64 *counts_of(struct counts *c, u32 pid, u32 tid)
{
	u64 hash = hash_u64((u64)pid << 32 | tid);
	u32 id;

	HIDX_FOREACH(&c->idx, hash, id)
		if (c->thread.v[id].pid == pid && c->thread.v[id].tid == tid)
			return c->value.v + (size_t)id * c->nr_events;
	id = c->thread.nr;
	vec_push(&c->thread, (struct counted_thread){ pid, tid });
	for (u32 e = 0; e < c->nr_events; e++)
		vec_push(&c->value, 0);
	hidx_insert(&c->idx, hash, id);
	return c->value.v + (size_t)id * c->nr_events;
}

/* one event has a READ record for each CPU that it was open on: they add up */
static void take_read(struct counts *c, const struct session *s, const struct rec *rec)
{
	struct cursor in = cursor_of(rec->p + sizeof(struct rec_header), rec->size - sizeof(struct rec_header), rec->swap);
	u32 pid = cursor_u32(&in), tid = cursor_u32(&in);
	u64 value = cursor_u64(&in);
	struct sample id;

	if (in.bad || sample_decode_id(s->data->plan, rec, &id) || !id.event)
		return;
	c->seen[id.event->idx] = true;
	counts_of(c, pid, tid)[id.event->idx] += value;
}

static void read_counts(struct counts *c, const struct session *s)
{
	struct rec_cursor *cursor = rec_cursor_open(s);
	struct rec rec[64];
	u64 time[64];
	size_t nr;

	while ((nr = rec_cursor_next(cursor, rec, time, 64)))
		for (size_t i = 0; i < nr; i++)
			if (rec[i].type == REC_READ)
				take_read(c, s, &rec[i]);
	rec_cursor_close(cursor);
}

static u32 digits(u64 v)
{
	u32 n = 1;

	while (v /= 10)
		n++;
	return n;
}

static void print_counts(const struct counts *c, const struct session *s, struct strbuf *out)
{
	u32 *width = xcalloc(c->nr_events + 1, sizeof(*width)), pid_width = strlen("PID"), tid_width = strlen("TID");

	for (u32 t = 0; t < c->thread.nr; t++) {
		pid_width = MAX(pid_width, digits(c->thread.v[t].pid));
		tid_width = MAX(tid_width, digits(c->thread.v[t].tid));
		for (u32 e = 0; e < c->nr_events; e++)
			width[e] = MAX(width[e], digits(c->value.v[(size_t)t * c->nr_events + e]));
	}
	strbuf_addf(out, "# %*s  %*s", pid_width, "PID", tid_width, "TID");
	for (u32 e = 0; e < c->nr_events; e++) {
		const char *name = evset_at(s->data->evset, e)->name;

		width[e] = MAX(width[e], (u32)strlen(name));
		if (!c->seen[e])
			continue;
		strbuf_pad(out, ' ', 2 + width[e] - strlen(name));
		strbuf_add_safe(out, name);
	}
	strbuf_addch(out, '\n');
	for (u32 t = 0; t < c->thread.nr; t++) {
		strbuf_addf(out, "  %*u  %*u", pid_width, c->thread.v[t].pid, tid_width, c->thread.v[t].tid);
		for (u32 e = 0; e < c->nr_events; e++)
			if (c->seen[e])
				strbuf_addf(out, "  %*lu", width[e], c->value.v[(size_t)t * c->nr_events + e]);
		strbuf_addch(out, '\n');
	}
	free(width);
}

void session_print_threads(const struct session *s, struct strbuf *out)
{
	struct counts c = { .nr_events = s->data->evset->ev.nr };

	c.seen = xcalloc(c.nr_events + 1, sizeof(*c.seen));
	read_counts(&c, s);
	if (c.thread.nr)
		print_counts(&c, s, out);
	free(c.seen);
	vec_release(&c.thread);
	vec_release(&c.value);
	hidx_release(&c.idx);
}
