/* report -T: the total counts of each thread, as recorded by record -s. */
#include "print.h"
#include "values.h"
#include "../event/record.h"

#include <errno.h>
#include <stdlib.h>
#include "../base/cursor.h"
#include "../base/hash.h"

struct counted_thread {
	u32 pid, tid;
};

struct thread_count {
	u32 thread, event;
	u64 value;
};

/* the counts: there can be many threads and events, but few combinations */
struct thread_counts {
	struct { VEC(struct counted_thread); } thread;	/* in the order of the file */
	struct { VEC(struct thread_count); } count;
	struct hidx thread_idx, count_idx;
	u32 nr_events;
	bool *seen;					/* by event */
};

static u32 thread_of(struct thread_counts *c, u32 pid, u32 tid)
{
	u64 hash = hash_u64((u64)pid << 32 | tid);
	u32 id;

	HIDX_FOREACH(&c->thread_idx, hash, id)
		if (c->thread.v[id].pid == pid && c->thread.v[id].tid == tid)
			return id;
	hidx_insert(&c->thread_idx, hash, c->thread.nr);
	vec_push(&c->thread, (struct counted_thread){ pid, tid });
	return c->thread.nr - 1;
}

/* NULL: that thread did not count that event */
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
	struct thread_count *known = count_find(c, thread, event);

	if (known) {
		known->value += value;
		return;
	}
	hidx_insert(&c->count_idx, hash_u64((u64)thread << 32 | event), c->count.nr);
	vec_push(&c->count, (struct thread_count){ thread, event, value });
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

static u32 digits(u64 v)
{
	u32 n = 1;

	while (v /= 10)
		n++;
	return n;
}

static void add_titles(const struct thread_counts *c, const struct session *s, u32 *width, u32 pid_width,
		       u32 tid_width, struct strbuf *out)
{
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
}

static void add_values(const struct thread_counts *c, u32 thread, const u32 *width, struct strbuf *out)
{
	for (u32 e = 0; e < c->nr_events; e++) {
		const struct thread_count *n = c->seen[e] ? count_find(c, thread, e) : NULL;

		if (c->seen[e])
			strbuf_addf(out, "  %*lu", width[e], n ? n->value : 0ul);
	}
	strbuf_addch(out, '\n');
}

static int print_counts(const struct thread_counts *c, const struct session *s, print_write write, void *ctx)
{
	u32 *width = xcalloc(c->nr_events + 1, sizeof(*width)), pid_width = strlen("PID"),
			tid_width = strlen("TID");
	struct strbuf line = STRBUF_INIT;
	int ret;

	vec_foreach(&c->thread, t) {
		pid_width = MAX(pid_width, digits(t->pid));
		tid_width = MAX(tid_width, digits(t->tid));
	}
	vec_foreach(&c->count, n)
		width[n->event] = MAX(width[n->event], digits(n->value));
	add_titles(c, s, width, pid_width, tid_width, &line);
	ret = write(ctx, line.buf, line.len);
	for (u32 t = 0; t < c->thread.nr && !ret; t++) {
		strbuf_reset(&line);
		strbuf_addf(&line, "  %*u  %*u", pid_width, c->thread.v[t].pid, tid_width,
			    c->thread.v[t].tid);
		add_values(c, t, width, &line);
		ret = write(ctx, line.buf, line.len);
	}
	strbuf_release(&line);
	free(width);
	return ret;
}

/* widths of columns in a list of counts: a line for each thread and event */
struct list_width {
	u32 pid, tid, name, raw, count;
};

static struct list_width list_widths(const struct thread_counts *c, const struct session *s)
{
	struct list_width w = { .pid = strlen("PID"), .tid = strlen("TID"), .name = strlen("Name"),
				.raw = strlen("Raw"), .count = strlen("Count") };

	vec_foreach(&c->thread, t) {
		w.pid = MAX(w.pid, digits(t->pid));
		w.tid = MAX(w.tid, digits(t->tid));
	}
	vec_foreach(&c->count, n)
		w.count = MAX(w.count, digits(n->value));
	for (u32 e = 0; e < c->nr_events; e++)
		if (c->seen[e])
			w.name = MAX(w.name, (u32)strlen(evset_at(s->data->evset, e)->name));
	return w;
}

static void add_count_line(const struct thread_counts *c, const struct session *s, const struct list_width *w,
			   u32 thread, u32 event, struct strbuf *out)
{
	const struct counted_thread *t = &c->thread.v[thread];
	const struct thread_count *n = count_find(c, thread, event);
	const char *name = evset_at(s->data->evset, event)->name;

	strbuf_addf(out, "  %*u  %*u  ", w->pid, t->pid, w->tid, t->tid);
	strbuf_pad(out, ' ', w->name - strlen(name));
	strbuf_add_safe(out, name);
	strbuf_addf(out, "  %*x  %*lu\n", w->raw, event, w->count, n ? n->value : 0ul);
}

static int list_counts(const struct thread_counts *c, const struct session *s, print_write write, void *ctx)
{
	struct list_width w = list_widths(c, s);
	struct strbuf line = STRBUF_INIT;
	int ret;

	strbuf_addf(&line, "# %*s  %*s  %*s  %*s  %*s\n", w.pid, "PID", w.tid, "TID", w.name, "Name",
		    w.raw, "Raw", w.count, "Count");
	ret = write(ctx, line.buf, line.len);
	for (u32 t = 0; t < c->thread.nr && !ret; t++) {
		strbuf_reset(&line);
		for (u32 e = 0; e < c->nr_events; e++)
			if (c->seen[e])
				add_count_line(c, s, &w, t, e, &line);
		ret = write(ctx, line.buf, line.len);
	}
	strbuf_release(&line);
	return ret;
}

static void counts_read(struct thread_counts *c, const struct session *s)
{
	*c = (struct thread_counts){ .nr_events = s->data->evset->ev.nr };
	c->seen = xcalloc(c->nr_events + 1, sizeof(*c->seen));
	read_counts(c, s);
}

static void counts_release(struct thread_counts *c)
{
	free(c->seen);
	vec_release(&c->thread);
	vec_release(&c->count);
	hidx_release(&c->thread_idx);
	hidx_release(&c->count_idx);
}

int session_print_threads(const struct session *s, bool list, print_write write, void *ctx)
{
	struct thread_counts c;
	int ret = -ENOENT;

	counts_read(&c, s);
	if (c.thread.nr)
		ret = list ? list_counts(&c, s, write, ctx) : print_counts(&c, s, write, ctx);
	counts_release(&c);
	return ret;
}

/* ---- as values ---- */

struct count_row {
	u32 pid, tid;
	const char *event;
	u64 count;
};

static u64 count_pid(const void *row) { return ((const struct count_row *)row)->pid; }
static u64 count_tid(const void *row) { return ((const struct count_row *)row)->tid; }
static u64 count_count(const void *row) { return ((const struct count_row *)row)->count; }
static const char *count_event(const void *row) { return ((const struct count_row *)row)->event; }

static const struct view_field count_fields[] = {
	{ VIEW_COUNT("pid", "PID", VIEW_NUMBER, 1), .number = count_pid },
	{ VIEW_COUNT("tid", "TID", VIEW_NUMBER, 1), .number = count_tid },
	{ VIEW_NAME("event", "Event", VIEW_TEXT, 1), .text = count_event },
	{ VIEW_COUNT("count", "Count", VIEW_NUMBER, 1), .number = count_count },
};

bool session_add_threads(const struct session *s, struct view *v)
{
	struct count_row *rows;
	struct thread_counts c;
	size_t nr = 0;
	bool found;

	counts_read(&c, s);
	rows = xcalloc(c.count.nr + 1, sizeof(*rows));
	for (u32 t = 0; t < c.thread.nr; t++)
		for (u32 e = 0; e < c.nr_events; e++) {
			const struct thread_count *n = c.seen[e] ? count_find(&c, t, e) : NULL;

			if (n)
				rows[nr++] = (struct count_row){
					.pid = c.thread.v[t].pid, .tid = c.thread.v[t].tid,
					.event = evset_at(s->data->evset, e)->name, .count = n->value,
				};
		}
	found = c.thread.nr > 0;
	session_add_values(v, "threads", "counts", count_fields, ARRAY_SIZE(count_fields), rows, nr,
			   sizeof(*rows));
	counts_release(&c);
	return found;
}
