/* Stream view: see stream-view.h. */
#include "stream-view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../hist/count-mode.h"
#include "../hist/branch-streams.h"

#define NR_HOT 5u	/* streams of each event of a file */

/* the hot streams of an event of one file */
struct hot {
	const char *event;
	u64 nr;				/* all samples */
	struct { VEC(struct branch_stream); } stream;
};
struct hots {
	VEC(struct hot);
};

/* the lines of a table: one stream, beside itself in the other file */
struct stream_table {
	u32 nr_files;
	struct { VEC(const char *); } line;
};

static int choose(struct hist_opts *ho, struct sort_spec *sort, const struct session *s, struct err *err)
{
	const struct mode_opts mode = { .history = true, .option = "--stream" };
	int ret = mode_choose(&mode, mode_branches(s->data->evset), ho, sort, err);

	branch_streams_opts(ho);
	sort->default_sort = "comm";
	return ret;
}

static void take_event(struct hots *hots, const struct diff_profile *p, u32 event, struct arena *arena)
{
	const char *name = evset_at(p->session->data->evset, event)->name;
	struct hot hot = { .event = arena_strdup(arena, name) };
	struct branch_streams all;

	branch_streams_take(p->hist, event, &all);
	hot.nr = all.nr;
	for (u32 i = 0; i < MIN(all.stream.nr, (size_t)NR_HOT); i++) {
		struct branch_stream s = all.stream.v[i];

		s.text = arena_strdup(arena, s.text);
		vec_push(&hot.stream, s);
	}
	branch_streams_release(&all);
	vec_push(hots, hot);
}

static int take_file(struct hots *hots, const struct diff_profile_opts *o, const char *path, u32 i,
		     struct arena *arena, void (*warn)(const struct diag *diag), struct err *err)
{
	struct diff_profile p = { 0 };
	int ret = diff_profile_read(&p, o, path, i, err);

	for (u32 e = 0; !ret && e < p.hist->nr_events; e++)
		if (p.hist->event[e].nr_entries)
			take_event(hots, &p, e, arena);
	if (p.session)
		warn(&p.session->diag);
	diff_profile_release(&p);
	return ret;
}

static void stream_cell(const struct view_table *t, size_t row, u32 column UNUSED, struct strbuf *out)
{
	const struct stream_table *c = t->ctx;

	strbuf_addstr(out, c->line.v[row]);
}

static double share(const struct hot *hot, const struct branch_stream *s)
{
	return hot->nr ? 100.0 * s->nr / hot->nr : 0;
}

/* "cycles: 54, hits: 4.15%" above the lines of the stream in one file */
static void add_column(struct view *v, struct view_table *t, u32 file, const struct hot *hot,
		       const struct branch_stream *s, u32 width)
{
	static const char *const key[][4] = { { "old", "old-cycles", "old-samples", "old-share" },
					      { "new", "new-cycles", "new-samples", "new-share" } };
	struct strbuf title = STRBUF_INIT;

	strbuf_addf(&title, "cycles: %lu, hits: %.2f%%", s->cycles / s->nr, share(hot, s));
	vec_push(&t->column, (struct view_column){ .name = key[file][0], .type = VIEW_TEXT,
		.title = arena_strdup(&v->arena, strbuf_str(&title)), .width = MAX(width, (u32)title.len),
		.no_pad = true });
	strbuf_release(&title);
	view_fact_number(&t->fact, key[file][1], s->cycles / s->nr);
	view_fact_number(&t->fact, key[file][2], s->nr);
	vec_push(&t->fact, (struct view_fact){ .key = key[file][3],
					       .value = { .type = VIEW_SHARE, .real = share(hot, s) } });
}

/* the lines of the stream's text; returns the length of the longest one */
static u32 add_lines(struct view *v, struct stream_table *c, const char *text)
{
	size_t width = 0;

	while (*text) {
		size_t len = strcspn(text, "\n");
		char *line = arena_alloc(&v->arena, len + 1);

		memcpy(line, text, len);
		line[len] = '\0';
		vec_push(&c->line, line);
		width = MAX(width, len);
		text += len + 1;
	}
	vec_push(&v->owned, c->line.v);
	return width;
}

/* a or b is NULL: the stream is hot in one file only */
static void add_stream(struct view *v, const char *head, const struct hot *hot[2],
		       const struct branch_stream *a, const struct branch_stream *b)
{
	struct view_table *t = ARENA_NEW(&v->arena, struct view_table);
	struct stream_table *c = ARENA_NEW(&v->arena, struct stream_table);
	struct strbuf event = STRBUF_INIT;
	u32 width = add_lines(v, c, (a ? a : b)->text);

	t->cell = stream_cell;
	t->ctx = c;
	t->nr_rows = c->line.nr;
	t->name = head;
	vec_push(&t->member, hot[0]->event);
	strbuf_addf(&event, "%s, event '", head);
	strbuf_add_safe(&event, hot[0]->event);
	strbuf_addch(&event, '\'');
	vec_push(&t->head, arena_strdup(&v->arena, strbuf_str(&event)));
	strbuf_release(&event);
	view_fact_text(&t->fact, "event", hot[0]->event);
	if (a)
		add_column(v, t, 0, hot[0], a, width);
	if (b)
		add_column(v, t, 1, hot[1], b, width);
	vec_push(&v->table, t);
}

static const struct branch_stream *find_stream(const struct hot *hot, const char *text)
{
	vec_foreach(&hot->stream, s)
		if (!strcmp(s->text, text))
			return s;
	return NULL;
}

static void add_event(struct view *v, const struct hot *a, const struct hot *b)
{
	const struct hot *hot[2] = { a, b };

	vec_foreach(&a->stream, s)
		if (find_stream(b, s->text))
			add_stream(v, "Hot streams of both files", hot, s, find_stream(b, s->text));
	vec_foreach(&a->stream, s)
		if (!find_stream(b, s->text))
			add_stream(v, "Hot streams of the old file only", hot, s, NULL);
	vec_foreach(&b->stream, s)
		if (!find_stream(a, s->text))
			add_stream(v, "Hot streams of the new file only", hot, NULL, s);
}

static struct view *make_view(struct view *v, const struct hots hots[2], struct err *err)
{
	bool any = false;

	v->name = "diff";
	vec_foreach(&hots[0], a)
		vec_foreach(&hots[1], b)
			if (!strcmp(a->event, b->event)) {
				add_event(v, a, b);
				any = true;
				break;
			}
	if (any)
		return v;
	err_set(err, -ENOENT, "the two files have no event with samples in common");
	return NULL;
}

struct view *diff_streams_view(const struct diff_profile_opts *o, const char *before, const char *after,
			       void (*warn)(const struct diag *diag), struct err *err)
{
	struct view *v = xcalloc(1, sizeof(*v)), *ret = NULL;
	struct diff_profile_opts own = *o;
	struct hots hots[2] = { { 0 } };

	own.choose = choose;
	own.sort = NULL;
	if (!take_file(&hots[0], &own, before, 0, &v->arena, warn, err) &&
	    !take_file(&hots[1], &own, after, 1, &v->arena, warn, err))
		ret = make_view(v, hots, err);
	for (u32 i = 0; i < 2; i++) {
		vec_foreach(&hots[i], hot)
			vec_release(&hot->stream);
		vec_release(&hots[i]);
	}
	if (!ret)
		view_free(v);
	return ret;
}
