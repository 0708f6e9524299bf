/*
 * Timeline as JSON: a document of perf's own, and the trace format of Chrome and Perfetto ("Trace Event
 * Format": https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).
 */
#include "format.h"
#include "markup.h"
#include "timeline.h"
#include "../util/base/json-out.h"

#define TIMELINE_JSON_VERSION 1

static void add_head(struct json *w, const struct timeline *t)
{
	json_begin_object(w, JSON_LINES);
	json_key_string(w, "perf", t->name);
	json_key_u64(w, "version", TIMELINE_JSON_VERSION);
	json_key(w, "header");
	json_begin_object(w, JSON_LINES);
	json_add_facts(w, &t->fact);
	json_end(w);
	json_key_u64(w, "from", t->from);
	json_key_u64(w, "to", t->to);
	json_key_u64(w, "grain", t->grain);
}

static void add_notes(struct json *w, const struct timeline *t)
{
	json_begin_array(w, JSON_COMPACT);
	vec_foreach(&t->note, note)
		json_string(w, *note);
	json_end(w);
}

static void add_span(struct json *w, const struct timeline *t, const struct timeline_span *s)
{
	const struct timeline_kind *k = &t->kind[s->kind];

	json_begin_object(w, JSON_COMPACT);
	json_key_string(w, "kind", k->key);
	json_key_u64(w, "from", s->from);
	json_key_u64(w, "to", s->to);
	if (*timeline_label(t, s))
		json_key_string(w, "label", timeline_label(t, s));
	if (t->track.v[s->track].levels > 1)
		json_key_u64(w, "level", s->level);
	if (s->nr > 1)
		json_key_u64(w, "merged", s->nr);
	if (s->busy != s->to - s->from)
		json_key_u64(w, "busy", s->busy);
	if (k->unit)
		json_key_u64(w, k->unit, s->amount);
	if (s->other != TIMELINE_NONE)
		json_key_string(w, "by", t->track.v[s->other].name);
	json_end(w);
}

static void add_track(struct json *w, struct markup *m, const struct timeline *t,
		      const struct timeline_track *track)
{
	json_begin_object(w, JSON_COMPACT);
	json_key_string(w, "name", track->name);
	json_key_string(w, "group", t->group[track->group]);
	if (track->pid >= 0)
		json_key_u64(w, "pid", track->pid);
	if (track->tid >= 0)
		json_key_u64(w, "tid", track->tid);
	if (track->detail)
		json_key_string(w, "detail", track->detail);
	json_key(w, "spans");
	json_begin_array(w, JSON_HANGING);
	for (size_t i = 0; i < track->nr; i++) {
		add_span(w, t, &t->span.v[track->first + i]);
		markup_drain(m);
	}
	json_end(w);
	json_end(w);
}

int timeline_json(const struct timeline *t, const struct timeline_opts *o UNUSED, FILE *out)
{
	struct markup m = { .file = out };
	struct json w = { .out = &m.text };

	add_head(&w, t);
	json_key(&w, "tracks");
	json_begin_array(&w, JSON_HANGING);
	vec_foreach(&t->track, track)
		add_track(&w, &m, t, track);
	json_end(&w);
	json_key(&w, "notes");
	add_notes(&w, t);
	json_end(&w);
	strbuf_addch(&m.text, '\n');
	json_release(&w);
	return markup_end(&m);
}

/*
 * The trace has a process per group, of which each track is a thread. Viewers nest the slices of a thread, so
 * each lane is a thread of its own.
 */
struct trace_row {
	u32 pid;
	u64 tid;
};

static struct trace_row trace_row(const struct timeline *t, u32 track, u32 kind)
{
	return (struct trace_row){ t->track.v[track].group + 1, track * 256ull + t->kind[kind].lane + 1 };
}

/* microseconds with their nanoseconds */
static void add_time(struct json *w, const char *key, u64 ns)
{
	json_key(w, key);
	strbuf_addf(json_value(w), "%lu.%03lu", ns / 1000, ns % 1000);
}

static void begin_event(struct json *w, const char *name, const char *phase, struct trace_row row)
{
	json_begin_object(w, JSON_COMPACT);
	json_key_string(w, "name", name);
	json_key_string(w, "ph", phase);
	json_key_u64(w, "pid", row.pid);
	json_key_u64(w, "tid", row.tid);
}

static void add_name(struct json *w, const char *what, struct trace_row row, const char *name, u64 order)
{
	begin_event(w, what, "M", row);
	json_key(w, "args");
	json_begin_object(w, JSON_COMPACT);
	json_key_string(w, "name", name);
	json_end(w);
	json_end(w);
	begin_event(w, !strcmp(what, "process_name") ? "process_sort_index" : "thread_sort_index", "M", row);
	json_key(w, "args");
	json_begin_object(w, JSON_COMPACT);
	json_key_u64(w, "sort_index", order);
	json_end(w);
	json_end(w);
}

/* the rows that a track needs */
static void add_rows(struct json *w, const struct timeline *t, u32 i)
{
	const struct timeline_track *track = &t->track.v[i];
	struct strbuf name = STRBUF_INIT;
	bool seen[256] = { false };
	u64 used = 0;

	for (size_t n = 0; n < track->nr; n++)
		used |= 1ull << t->span.v[track->first + n].kind;
	for (u32 k = 0; k < t->nr_kinds; k++) {
		struct trace_row row = trace_row(t, i, k);

		if (!(used >> k & 1) || seen[t->kind[k].lane])
			continue;
		seen[t->kind[k].lane] = true;
		strbuf_reset(&name);
		strbuf_addstr(&name, track->name);
		if (t->kind[k].lane)
			strbuf_addf(&name, " (%s)", t->kind[k].title);
		add_name(w, "thread_name", row, strbuf_str(&name), row.tid);
	}
	strbuf_release(&name);
}

/* what caused a span, as an arrow from the other track */
static void add_arrow(struct json *w, const struct timeline *t, const struct timeline_span *s, u64 id)
{
	const struct trace_row from = trace_row(t, s->other, 0), to = trace_row(t, s->track, s->kind);

	begin_event(w, "wakeup", "s", from);
	json_key_string(w, "cat", "wakeup");
	json_key_u64(w, "id", id);
	add_time(w, "ts", s->from);
	json_end(w);
	begin_event(w, "wakeup", "f", to);
	json_key_string(w, "cat", "wakeup");
	json_key_string(w, "bp", "e");
	json_key_u64(w, "id", id);
	add_time(w, "ts", s->from);
	json_end(w);
}

static void add_slice(struct json *w, const struct timeline *t, const struct timeline_span *s)
{
	const struct timeline_kind *k = &t->kind[s->kind];
	const char *label = timeline_label(t, s);

	begin_event(w, *label ? label : k->title, s->to > s->from ? "X" : "i",
		    trace_row(t, s->track, s->kind));
	json_key_string(w, "cat", k->key);
	add_time(w, "ts", s->from);
	if (s->to > s->from)
		add_time(w, "dur", s->to - s->from);
	else
		json_key_string(w, "s", "t");
	json_key(w, "args");
	json_begin_object(w, JSON_COMPACT);
	json_key_string(w, "kind", k->title);
	if (s->nr > 1)
		json_key_u64(w, "merged", s->nr);
	if (k->unit)
		json_key_u64(w, k->unit, s->amount);
	if (s->other != TIMELINE_NONE)
		json_key_string(w, "by", t->track.v[s->other].name);
	json_end(w);
	json_end(w);
}

int timeline_trace(const struct timeline *t, const struct timeline_opts *o UNUSED, FILE *out)
{
	struct markup m = { .file = out };
	struct json w = { .out = &m.text };

	json_begin_object(&w, JSON_LINES);
	json_key_string(&w, "displayTimeUnit", "ns");
	json_key(&w, "otherData");
	json_begin_object(&w, JSON_LINES);
	json_add_facts(&w, &t->fact);
	json_key(&w, "notes");
	add_notes(&w, t);
	json_end(&w);
	json_key(&w, "traceEvents");
	json_begin_array(&w, JSON_HANGING);
	for (u32 g = 0; g < t->nr_groups; g++)
		add_name(&w, "process_name", (struct trace_row){ g + 1, 0 }, t->group[g], g);
	for (u32 i = 0; i < t->track.nr; i++)
		add_rows(&w, t, i);
	vec_foreach(&t->span, s) {
		add_slice(&w, t, s);
		if (s->other != TIMELINE_NONE)
			add_arrow(&w, t, s, s - t->span.v + 1);
		markup_drain(&m);
	}
	json_end(&w);
	json_end(&w);
	strbuf_addch(&m.text, '\n');
	json_release(&w);
	return markup_end(&m);
}
