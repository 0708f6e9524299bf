/* report -T: the total counts of each thread, as recorded by record -s. */
#include "contents.h"
#include "table.h"

#include <errno.h>
#include <stdlib.h>
#include "../session/thread-counts.h"

static u32 digits(u64 v)
{
	u32 n = 1;

	while (v /= 10)
		n++;
	return n;
}

static void add_titles(const struct thread_counts *c, const struct evset *set, u32 *width, u32 pid_width,
		       u32 tid_width, struct strbuf *out)
{
	strbuf_addf(out, "# %*s  %*s", pid_width, "PID", tid_width, "TID");
	for (u32 e = 0; e < c->nr_events; e++) {
		const char *name = evset_at(set, e)->name;

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
		const struct thread_count *n = c->seen[e] ? thread_counts_find(c, thread, e) : NULL;

		if (c->seen[e])
			strbuf_addf(out, "  %*lu", width[e], n ? n->value : 0ul);
	}
	strbuf_addch(out, '\n');
}

static int print_counts(const struct thread_counts *c, const struct evset *set, contents_write write,
			void *ctx)
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
	add_titles(c, set, width, pid_width, tid_width, &line);
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

static struct list_width list_widths(const struct thread_counts *c, const struct evset *set)
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
			w.name = MAX(w.name, (u32)strlen(evset_at(set, e)->name));
	return w;
}

static void add_count_line(const struct thread_counts *c, const struct evset *set, const struct list_width *w,
			   u32 thread, u32 event, struct strbuf *out)
{
	const struct counted_thread *t = &c->thread.v[thread];
	const struct thread_count *n = thread_counts_find(c, thread, event);
	const char *name = evset_at(set, event)->name;

	strbuf_addf(out, "  %*u  %*u  ", w->pid, t->pid, w->tid, t->tid);
	strbuf_pad(out, ' ', w->name - strlen(name));
	strbuf_add_safe(out, name);
	strbuf_addf(out, "  %*x  %*lu\n", w->raw, event, w->count, n ? n->value : 0ul);
}

static int list_counts(const struct thread_counts *c, const struct evset *set, contents_write write,
		       void *ctx)
{
	struct list_width w = list_widths(c, set);
	struct strbuf line = STRBUF_INIT;
	int ret;

	strbuf_addf(&line, "# %*s  %*s  %*s  %*s  %*s\n", w.pid, "PID", w.tid, "TID", w.name, "Name",
		    w.raw, "Raw", w.count, "Count");
	ret = write(ctx, line.buf, line.len);
	for (u32 t = 0; t < c->thread.nr && !ret; t++) {
		strbuf_reset(&line);
		for (u32 e = 0; e < c->nr_events; e++)
			if (c->seen[e])
				add_count_line(c, set, &w, t, e, &line);
		ret = write(ctx, line.buf, line.len);
	}
	strbuf_release(&line);
	return ret;
}

int contents_print_threads(const struct session *s, bool list, contents_write write, void *ctx)
{
	const struct evset *set = s->data->evset;
	struct thread_counts c;
	int ret = -ENOENT;

	thread_counts_read(&c, s);
	if (c.thread.nr)
		ret = list ? list_counts(&c, set, write, ctx) : print_counts(&c, set, write, ctx);
	thread_counts_release(&c);
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

bool contents_add_threads(const struct session *s, struct view *v)
{
	struct count_row *rows;
	struct thread_counts c;
	size_t nr = 0;
	bool found;

	thread_counts_read(&c, s);
	rows = xcalloc(c.count.nr + 1, sizeof(*rows));
	for (u32 t = 0; t < c.thread.nr; t++)
		for (u32 e = 0; e < c.nr_events; e++) {
			const struct thread_count *n = c.seen[e] ? thread_counts_find(&c, t, e) : NULL;

			if (n)
				rows[nr++] = (struct count_row){
					.pid = c.thread.v[t].pid, .tid = c.thread.v[t].tid,
					.event = evset_at(s->data->evset, e)->name, .count = n->value,
				};
		}
	found = c.thread.nr > 0;
	contents_add_table(v, "threads", "counts", count_fields, ARRAY_SIZE(count_fields), rows, nr,
			   sizeof(*rows));
	thread_counts_release(&c);
	return found;
}
