/* The picture of a timeline of calls: kinds of spans, tracks, and what is said below it. */
#include "calls.h"
#include "../base/units.h"
#include "../fields/file-facts.h"

#include <errno.h>
#include <stdlib.h>

const struct timeline_kind calls_kinds[CALL_NR_KINDS] = {
	[CALL_FUNCTION] = { .key = "call", .title = "Function", .tone = TONE_RUN, .bottom = 95 },
	[CALL_KERNEL] = { .key = "kernel", .title = "Kernel function", .tone = TONE_MARKED, .bottom = 95 },
	[CALL_TAIL] = { .key = "tail-call", .title = "Tail call", .tone = TONE_SYNC, .bottom = 95 },
	[CALL_INLINED] = { .key = "inlined", .title = "Inlined function", .tone = TONE_NET, .bottom = 95 },
	[CALL_PARTIAL] = { .key = "partial", .title = "Function whose begin or end is not known",
			   .tone = TONE_WAIT, .bottom = 95 },
	[CALL_UNTRACED] = { .key = "not-traced", .title = "Not traced", .tone = TONE_SLEEP, .bottom = 95 },
	[CALL_NO_CODE] = { .key = "code-missing", .title = "Code missing", .tone = TONE_POLL, .bottom = 95 },
	[CALL_LOST] = { .key = "lost", .title = "Trace lost", .tone = TONE_ERROR, .bottom = 95 },
};

/* the part of a span that --time keeps, from its first range to its last one; false: nothing */
static bool cut(const struct calls *c, u64 *from, u64 *to)
{
	const struct time_filter *f = &c->times;

	if (!f->ranges.nr)
		return true;
	if (*to < f->ranges.v[0].from || *from > f->ranges.v[f->ranges.nr - 1].to)
		return false;
	*from = MAX(*from, f->ranges.v[0].from);
	*to = MIN(*to, f->ranges.v[f->ranges.nr - 1].to);
	return true;
}

void calls_add_span(struct calls *c, struct call_task *t, enum call_kind kind, s32 level, u64 from, u64 to,
		    u32 label)
{
	struct timeline_span span = { .label = label, .other = TIMELINE_NONE, .kind = kind };

	if (level < -CALLS_LEVELS || level > CALLS_LEVELS) {
		c->nr_hidden++;
		return;
	}
	if (!cut(c, &from, &to))
		return;
	if (t->track == TIMELINE_NONE)
		t->track = timeline_add_track(&c->picture, 0);
	span.track = t->track;
	span.from = from;
	span.to = to;
	span.level = level;
	timeline_add(&c->picture, &span);
}

static int cmp_nr(const void *pa, const void *pb)
{
	u64 a = *(const u64 *)pa, b = *(const u64 *)pb;

	return a < b ? 1 : a > b ? -1 : 0;
}

/* threads with fewer branches are not shown */
static u64 least_branches(const struct calls *c)
{
	u64 *nr = xcalloc(c->task.nr + 1, sizeof(*nr)), least = 0;

	for (size_t i = 0; i < c->task.nr; i++)
		nr[i] = c->task.v[i]->nr;
	qsort(nr, c->task.nr, sizeof(*nr), cmp_nr);
	if (c->task.nr > CALLS_TRACKS)
		least = nr[CALLS_TRACKS - 1];
	free(nr);
	return least;
}

static void describe_track(struct calls *c, const struct call_task *t, struct timeline_track *track)
{
	struct strbuf *sb = &c->text;

	strbuf_reset(sb);
	if (t->key < 0)
		strbuf_addf(sb, "%s on CPU %ld", t->tid ? "unknown thread" : "idle", -1 - t->key);
	else if (t->comm == ID_NONE)
		strbuf_addf(sb, ":%d", t->tid);
	else
		strbuf_addf(sb, "%s:%d", machine_comm_name(c->session->machine, t->comm), t->tid);
	track->name = arena_strdup(&c->picture.arena, strbuf_str(sb));
	track->pid = t->key < 0 ? -1 : t->pid;
	track->tid = t->key < 0 ? -1 : t->tid;
	strbuf_reset(sb);
	strbuf_addf(sb, "%lu branch%s", t->nr, t->nr == 1 ? "" : "es");
	track->detail = arena_strdup(&c->picture.arena, strbuf_str(sb));
}

static void describe_tracks(struct calls *c)
{
	u64 least = least_branches(c);
	u32 nr = 0, nr_hidden = 0;

	vec_foreach(&c->task, i) {
		const struct call_task *t = *i;
		struct timeline_track *track;

		if (t->track == TIMELINE_NONE)
			continue;
		track = &c->picture.track.v[t->track];
		track->hidden = t->nr < least || nr == CALLS_TRACKS;
		nr += !track->hidden;
		nr_hidden += track->hidden;
		describe_track(c, t, track);
	}
	if (nr_hidden)
		timeline_note(&c->picture, "%u thread%s with few branches %s not shown: --comm, --pid and "
			      "--tid choose threads", nr_hidden, plural(nr_hidden),
			      nr_hidden == 1 ? "is" : "are");
}

static void add_notes(struct calls *c)
{
	struct timeline *p = &c->picture;

	if (c->timeless)
		timeline_note(p, "the trace has no times: each branch counts as 1 ns");
	if (c->nr_gaps[CALL_LOST])
		timeline_note(p, "parts of the trace are lost, or do not match the code: %lu",
			      c->nr_gaps[CALL_LOST]);
	if (c->nr_gaps[CALL_NO_CODE])
		timeline_note(p, "gaps because code is missing: %lu", c->nr_gaps[CALL_NO_CODE]);
	if (c->nr_unwound)
		timeline_note(p, "jumps out of several functions (longjmp, exceptions): %lu", c->nr_unwound);
	if (c->nr_switched)
		timeline_note(p, "returns to another stack, after which the callers are not known: %lu",
			      c->nr_switched);
	if (c->nr_hidden)
		timeline_note(p, "calls that are not shown, because they are nested too deeply: %lu",
			      c->nr_hidden);
}

int calls_finish_picture(struct calls *c, struct err *err)
{
	struct timeline *p = &c->picture;

	if (!p->track.nr)
		return err_set(err, -ENOENT, "%s has no calls to draw, or filters keep none",
			       c->session->data->path);
	describe_tracks(c);
	add_notes(c);
	strbuf_reset(&c->text);
	strbuf_addstr(&c->text, "perf script: calls of threads, ");
	if (c->timeless)
		strbuf_addf(&c->text, "%lu branches", p->to - p->from);
	else
		duration_text(&c->text, p->to - p->from);
	p->title = arena_strdup(&p->arena, strbuf_str(&c->text));
	file_facts(&p->fact, &p->arena, c->session);
	timeline_finish(p);
	return 0;
}
