/*
 * Timeline as a page for a browser: the data as columns of numbers by track, which ui/html/timeline.js draws.
 * Values that all spans of a track share (not merged, no amount ...) are left out.
 */
#include "markup.h"
#include "timeline.h"

static const char *const tone_name[TONE_NR] = {
	[TONE_RUN] = "run", [TONE_MARKED] = "marked", [TONE_WAIT] = "wait", [TONE_BLOCKED] = "blocked",
	[TONE_SLEEP] = "sleep", [TONE_IDLE] = "idle", [TONE_DEEP_IDLE] = "deep-idle",
	[TONE_DEEPEST_IDLE] = "deepest-idle", [TONE_SPEED] = "speed", [TONE_DISK] = "disk",
	[TONE_NET] = "net", [TONE_SYNC] = "sync", [TONE_POLL] = "poll", [TONE_ERROR] = "error",
};

static void add_key_string(struct strbuf *out, const char *key, const char *s)
{
	strbuf_addf(out, "\"%s\":", key);
	page_add_string(out, s);
}

static void add_kinds(struct strbuf *out, const struct timeline *t)
{
	u64 used = timeline_kinds_used(t);

	strbuf_addstr(out, "\"kinds\":[");
	for (u32 i = 0; i < t->nr_kinds; i++) {
		const struct timeline_kind *k = &t->kind[i];

		strbuf_addstr(out, i ? ",\n{" : "{");
		add_key_string(out, "key", k->key);
		strbuf_addch(out, ',');
		add_key_string(out, "title", k->title);
		strbuf_addf(out, ",\"tone\":\"%s\",\"top\":%u,\"bottom\":%u,\"used\":%s", tone_name[k->tone],
			    k->top, k->bottom, used >> i & 1 ? "true" : "false");
		if (k->unit) {
			strbuf_addch(out, ',');
			add_key_string(out, "unit", k->unit);
		}
		if (k->bar)
			strbuf_addf(out, ",\"max\":%lu", timeline_max_amount(t, i));
		strbuf_addch(out, '}');
	}
	strbuf_addstr(out, "],\n\"groups\":[");
	for (u32 i = 0; i < t->nr_groups; i++) {
		strbuf_addstr(out, i ? "," : "");
		page_add_string(out, t->group[i]);
	}
	strbuf_addstr(out, "],\n\"labels\":[");
	for (size_t i = 0; i < t->labels.str.nr; i++) {
		strbuf_addstr(out, i ? "," : "");
		page_add_string(out, t->labels.str.v[i]);
	}
	strbuf_addch(out, ']');
}

/* columns: the nth number of a span, given the one before it (or NULL); usual: what need not be written */
static u64 column_kind(const struct timeline_span *s, const struct timeline_span *prev UNUSED)
{
	return s->kind;
}

static u64 column_delta(const struct timeline_span *s, const struct timeline_span *prev)
{
	return prev ? s->from - prev->from : 0;
}

static u64 column_length(const struct timeline_span *s, const struct timeline_span *prev UNUSED)
{
	return s->to - s->from;
}

static u64 column_label(const struct timeline_span *s, const struct timeline_span *prev UNUSED)
{
	return s->label;
}

static u64 column_more(const struct timeline_span *s, const struct timeline_span *prev UNUSED)
{
	return s->nr - 1;
}

static u64 column_gaps(const struct timeline_span *s, const struct timeline_span *prev UNUSED)
{
	return MAX(s->to - s->from, s->busy) - s->busy;
}

static u64 column_amount(const struct timeline_span *s, const struct timeline_span *prev UNUSED)
{
	return s->amount;
}

static u64 column_other(const struct timeline_span *s, const struct timeline_span *prev UNUSED)
{
	return (u32)(s->other + 1);
}

static u64 column_level(const struct timeline_span *s, const struct timeline_span *prev UNUSED)
{
	return s->level;
}

static const struct {
	const char *name;
	u64 (*get)(const struct timeline_span *s, const struct timeline_span *prev);
} columns[] = {
	{ "k", column_kind }, { "d", column_delta }, { "n", column_length }, { "l", column_label },
	{ "m", column_more }, { "g", column_gaps }, { "a", column_amount }, { "o", column_other },
	{ "v", column_level },
};

/* a column of zeros is not written */
static void add_column(struct markup *m, const struct timeline_span *s, size_t nr, u32 column)
{
	bool any = false;

	for (size_t i = 0; i < nr && !any; i++)
		any = columns[column].get(&s[i], i ? &s[i - 1] : NULL);
	if (!any)
		return;
	strbuf_addf(&m->text, ",\"%s\":[", columns[column].name);
	for (size_t i = 0; i < nr; i++) {
		if (i)
			strbuf_addch(&m->text, ',');
		strbuf_add_u64(&m->text, columns[column].get(&s[i], i ? &s[i - 1] : NULL), 0);
		markup_drain(m);
	}
	strbuf_addch(&m->text, ']');
}

static void add_track(struct markup *m, const struct timeline *t, const struct timeline_track *track)
{
	const struct timeline_span *s = t->span.v + track->first;

	strbuf_addch(&m->text, '{');
	add_key_string(&m->text, "name", track->name);
	if (track->detail) {
		strbuf_addch(&m->text, ',');
		add_key_string(&m->text, "detail", track->detail);
	}
	strbuf_addf(&m->text, ",\"group\":%u,\"nr\":%zu,\"from\":%lu", track->group, track->nr,
		    track->nr ? s->from - t->from : 0);
	if (track->levels > 1)
		strbuf_addf(&m->text, ",\"levels\":%u", track->levels);
	for (u32 i = 0; i < ARRAY_SIZE(columns) && track->nr; i++)
		add_column(m, s, track->nr, i);
	strbuf_addch(&m->text, '}');
}

int timeline_html(const struct timeline *t, const struct timeline_opts *o UNUSED, FILE *out)
{
	struct markup m = { .file = out };

	page_begin(&m, t->title);
	strbuf_addch(&m.text, '{');
	add_key_string(&m.text, "title", t->title);
	strbuf_addstr(&m.text, ",\n");
	page_add_facts(&m.text, &t->fact, t->note.v, t->note.nr);
	/* a string: a script's numbers are not exact above 2^53 */
	strbuf_addf(&m.text, ",\n\"start\":\"%lu\",\"length\":%lu,\"grain\":%lu,\n", t->from, t->to - t->from,
		    t->grain);
	add_kinds(&m.text, t);
	strbuf_addstr(&m.text, ",\n\"tracks\":[\n");
	vec_foreach(&t->track, track) {
		strbuf_addstr(&m.text, track == t->track.v ? "" : ",\n");
		add_track(&m, t, track);
	}
	strbuf_addstr(&m.text, "]}");
	page_end(&m, &page_timeline_js, NULL);
	return markup_end(&m);
}
