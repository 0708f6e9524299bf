/* Side-band lines: what --show-task-events and similar options print. One row per record type. */
#include "sideband.h"

#include "../data/dump.h"
#include "../event/record.h"
#include "cells.h"
#include "line-start.h"

struct sideband_line {
	struct line_worker *w;
	const struct rec *rec;
	struct record_view v;
	struct sample_ctx at;
	struct strbuf *out;
	char type[32];
	bool begun;		/* its first cells are there */
};

/* "mmap2" of PERF_RECORD_MMAP2 */
static void put_type(u32 type, char *text, size_t size)
{
	const char *name = record_name(type);
	size_t len = 0;

	for (; name[len] && len + 1 < size; len++)
		text[len] = name[len] >= 'A' && name[len] <= 'Z' ? name[len] + ('a' - 'A') : name[len];
	text[len] = '\0';
}

typedef unsigned long long ull;

/* as the dump shows it */
static void side_dump(struct sideband_line *s)
{
	strbuf_addf(s->out, "PERF_RECORD_%s", record_name(s->v.type));
	dump_view(&s->v, s->w->sc->o->words, s->out);
}

static void side_namespaces(struct sideband_line *s)
{
	const struct rec_namespaces_view *v = &s->v.namespaces;
	u64 nr = v->links.nr;

	strbuf_addf(s->out, "PERF_RECORD_NAMESPACES %d/%d - nr_namespaces: %llu\n\t\t[", v->pid, v->tid,
		    (ull)nr);
	for (u64 i = 0; i < nr; i++) {
		if (i && i % 4 == 0)
			strbuf_addstr(s->out, "\n\t\t ");
		strbuf_addf(s->out, "%llu/%s: %llu/%#llx%s", (ull)i,
			    i < NR_NAMESPACES ? namespace_names[i] : "unknown",
			    (ull)rec_row_u64(&v->links, i, 0), (ull)rec_row_u64(&v->links, i, 8),
			    i + 1 == nr ? "]\n" : ", ");
	}
}

static void side_lost(struct sideband_line *s)
{
	strbuf_addf(s->out, "PERF_RECORD_LOST lost %llu\n", (ull)s->v.lost.lost);
}

/* the words of the dump are upstream's line, too */
static void side_error(struct sideband_line *s)
{
	dump_view(&s->v, s->w->sc->o->words, s->out);
}

static void put_bytes(struct strbuf *out, const char *title, const struct rec_bytes *code)
{
	for (u64 i = 0; i < code->len; i++) {
		if (i % 16 == 0)
			strbuf_addf(out, "%s            %s bytes:", i ? "\n" : "", title);
		strbuf_addch(out, ' ');
		strbuf_add_hex(out, code->p[i], 2, '0');
	}
	if (code->len)
		strbuf_addch(out, '\n');
}

static void side_text_poke(struct sideband_line *s)
{
	const struct rec_text_poke_view *t = &s->v.text_poke;
	struct resolved_frame f;

	if (!frame_resolve(&s->w->cache, &s->at, CPUMODE_KERNEL, t->addr, false, &f))
		return;
	strbuf_addf(s->out, "PERF_RECORD_TEXT_POKE %llx ", (ull)t->addr);
	if (f.sym)
		frame_put_sym(&s->w->cache, &f, true, s->out);
	strbuf_addf(s->out, " old len %u new len %u\n", t->old_len, t->new_len);
	put_bytes(s->out, "Old", &t->old_code);
	put_bytes(s->out, "New", &t->new_code);
}

/* whose name stands in front: the task that the record's body names, or the sample id's */
enum side_who { WHO_BODY, WHO_TRAILER, WHO_NOBODY };

static const struct side_row {
	u32 type, show;
	enum side_who who;
	void (*put)(struct sideband_line *s);
} side_rows[] = {
	{ REC_COMM,		SHOW_TASK,	WHO_BODY,	side_dump },
	{ REC_FORK,		SHOW_TASK,	WHO_BODY,	side_dump },
	{ REC_EXIT,		SHOW_TASK,	WHO_BODY,	side_dump },
	{ REC_MMAP,		SHOW_MMAP,	WHO_BODY,	side_dump },
	{ REC_MMAP2,		SHOW_MMAP,	WHO_BODY,	side_dump },
	{ REC_SWITCH,		SHOW_SWITCH,	WHO_TRAILER,	side_dump },
	{ REC_SWITCH_CPU_WIDE,	SHOW_SWITCH,	WHO_TRAILER,	side_dump },
	{ REC_NAMESPACES,	SHOW_NAMESPACE,	WHO_BODY,	side_namespaces },
	{ REC_LOST,		SHOW_LOST,	WHO_TRAILER,	side_lost },
	{ REC_FINISHED_ROUND,	SHOW_ROUND,	WHO_NOBODY,	side_dump },
	{ REC_KSYMBOL,		SHOW_BPF | SHOW_TEXT_POKE,	WHO_TRAILER,	side_dump },
	{ REC_BPF_EVENT,	SHOW_BPF,	WHO_TRAILER,	side_dump },
	{ REC_CGROUP,		SHOW_CGROUP,	WHO_TRAILER,	side_dump },
	{ REC_AUXTRACE_ERROR,	SHOW_ERROR,	WHO_NOBODY,	side_error },
	{ REC_TEXT_POKE,	SHOW_TEXT_POKE,	WHO_TRAILER,	side_text_poke },
};

static const struct side_row *find_row(u32 type)
{
	for (size_t i = 0; i < ARRAY_SIZE(side_rows); i++)
		if (side_rows[i].type == type)
			return &side_rows[i];
	return NULL;
}

/* The event whose field list the line follows: the trailer's, else the first */
static const struct event *side_event(const struct line_worker *w, const struct sample *sm)
{
	const struct evset *set = w->sc->s->data->evset;

	return sm->event ? sm->event : set->ev.nr ? set->ev.v[0] : NULL;
}

static void body_task(const struct record_view *v, s32 *ret_pid, s32 *ret_tid)
{
	switch (v->type) {
#define TASK_OF(type, view) case type: *ret_pid = v->view.pid; *ret_tid = v->view.tid; break;
	TASK_OF(REC_COMM, comm)
	TASK_OF(REC_FORK, task)
	TASK_OF(REC_EXIT, task)
	TASK_OF(REC_MMAP, mmap)
	TASK_OF(REC_MMAP2, mmap2)
	TASK_OF(REC_NAMESPACES, namespaces)
#undef TASK_OF
	}
}

static void side_start(struct sideband_line *s, enum side_who who)
{
	const struct session *ses = s->w->sc->s;
	struct sample sm = { 0 }, named;
	const struct event *ev;
	s32 pid = -1, tid = -1;

	sample_decode_id(ses->data->plan, s->rec, &sm);
	ev = side_event(s->w, &sm);
	if (!ev)
		return;
	named = sm;
	if (who == WHO_BODY) {
		body_task(&s->v, &pid, &tid);
		if (!(ev->attr.flags & ATTR_SAMPLE_ID_ALL)) {
			sm.pid = pid;
			sm.tid = tid;
			sm.time = sm.cpu = 0;
		}
		named.pid = pid;
		named.tid = tid;
	}
	/* the state after the record counts: a task has the name that this record gives it, until it ends */
	s->at = session_sample_ctx(ses, &named, s->rec);
	s->at.when.off += s->rec->type == REC_EXIT ? -1 : 1;
	sample_ctx_forget_dead(ses, &named, &s->at);
	s->begun = true;
	if (!s->w->sc->o->format)
		line_start(s->w, &s->w->sc->view[ev->idx], &sm, named.tid, s->rec, &s->at, s->out);
	else
		cells_start(s->w, s->type, &s->w->sc->view[ev->idx], &sm, named.tid, s->rec, &s->at, s->out);
}

static void poked_symbol(struct sideband_line *s, const struct stream_format *f)
{
	struct resolved_frame at;

	if (!frame_resolve(&s->w->cache, &s->at, CPUMODE_KERNEL, s->v.text_poke.addr, false, &at) || !at.sym)
		return;
	stream_text(f, s->out, "sym", frame_name(&s->w->cache, &at));
	stream_number(f, s->out, "symoff", at.loc.dso_addr - at.sym->start);
}

/* the cells of the dump are the record's own; a line without a task has not begun yet */
static void end_cells(struct sideband_line *s, const struct stream_format *f)
{
	size_t start, empty;

	if (!s->begun) {
		f->begin(s->out);
		stream_text(f, s->out, "type", s->type);
	}
	start = s->out->len;
	f->begin_group(s->out, "record");
	empty = s->out->len;
	dump_view(&s->v, f, s->out);
	if (s->v.type == REC_TEXT_POKE)
		poked_symbol(s, f);
	if (s->out->len == empty)
		strbuf_setlen(s->out, start);
	else
		f->end_group(s->out);
	f->end(s->out);
}

void line_side_band(struct line_worker *w, const struct rec *rec, struct strbuf *out)
{
	const struct side_row *row = find_row(rec->type);
	struct sideband_line s = { .w = w, .rec = rec, .out = out };
	const struct stream_format *format = w->sc->o->format;

	if (!row || !(w->sc->o->show & row->show))
		return;
	if (record_decode(rec, &s.v) < 0) {
		if (!record_is_side_band(rec->type))	/* else the machine has counted it */
			diag_count_record(&w->diag, DIAG_TRUNCATED_RECORD, rec->off, record_name(rec->type));
		return;
	}
	put_type(rec->type, s.type, sizeof(s.type));
	if (row->who != WHO_NOBODY)
		side_start(&s, row->who);
	if (format)
		end_cells(&s, format);
	else
		row->put(&s);
}
