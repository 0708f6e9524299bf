/* List: lines for people and pipes, names for completion, JSON. */
#include "list-private.h"

#include <string.h>

#define NAME_WIDTH 50
#define DESC_INDENT 7

static const char *const headings[LIST_NR_KINDS] = {
#define SECTION(kind, words, fn, heading, none) heading,
#include "sections.def"
#undef SECTION
};

/* ---- text ---- */

static void add_name(struct strbuf *out, const struct list_entry *e)
{
	size_t from = out->len;

	strbuf_add_safe(out, e->name);
	if (*e->alias) {
		strbuf_addstr(out, " OR ");
		strbuf_add_safe(out, e->alias);
	}
	strbuf_pad(out, ' ', out->len - from < NAME_WIDTH ? NAME_WIDTH - (out->len - from) : 0);
	strbuf_addf(out, " [%s]", e->tag);
}

static const char *description(const struct list_entry *e, const struct list_style *s)
{
	/* the format of a tracepoint is for programs: people have --fields */
	if (s->long_desc && *e->long_desc && e->kind != LIST_TRACEPOINT)
		return e->long_desc;
	return s->desc || s->long_desc ? e->desc : "";
}

/* what the details are: how it is encoded, or computed */
static void add_details(struct strbuf *out, const struct list_entry *e)
{
	strbuf_add_safe(out, *e->expr ? e->expr : e->encoding);
	if (*e->threshold) {
		strbuf_addstr(out, "  threshold: ");
		strbuf_add_safe(out, e->threshold);
	}
}

static bool has_details(const struct list_entry *e)
{
	return *e->expr || *e->encoding;
}

/* all on the entry's own line, white space of any kind as one blank */
static void add_flat(struct strbuf *out, const char *text)
{
	struct strbuf flat = STRBUF_INIT;

	for (const char *p = text; *p; p++) {
		bool blank = strchr(" \t\r\n", *p);

		if (!blank || (flat.len && flat.buf[flat.len - 1] != ' '))
			strbuf_addch(&flat, blank ? ' ' : *p);
	}
	strbuf_add_safe(out, strbuf_str(&flat));
	strbuf_release(&flat);
}

static void add_line(struct strbuf *out, const struct list_entry *e, const struct list_style *s)
{
	const char *desc = description(e, s);

	add_name(out, e);
	if (*desc) {
		strbuf_addstr(out, "  ");
		add_flat(out, desc);
	}
	if (s->details && has_details(e)) {
		strbuf_addstr(out, "  ");
		add_details(out, e);
	}
	strbuf_addch(out, '\n');
}

/* "[text]" in lines of at most width columns, indented */
static void add_folded(struct strbuf *out, const char *text, int width)
{
	struct strbuf safe = STRBUF_INIT;
	size_t room = MAX(width - DESC_INDENT - 2, 30), at = 0;
	const char *p;

	strbuf_addch(&safe, '[');
	add_flat(&safe, text);
	strbuf_addch(&safe, ']');
	strbuf_pad(out, ' ', DESC_INDENT);
	for (p = safe.buf; *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");

		if (at && at + 1 + len > room) {
			strbuf_addch(out, '\n');
			strbuf_pad(out, ' ', DESC_INDENT + 1);
			at = 0;
		} else if (at) {
			strbuf_addch(out, ' ');
			at++;
		}
		strbuf_add(out, p, len);
		at += len;
		p += len;
	}
	strbuf_addch(out, '\n');
	strbuf_release(&safe);
}

/* of a section, and of a topic inside vendor events */
static void add_heading(struct strbuf *out, const struct list_entry *e, const struct list_entry *prev)
{
	if (!prev || prev->kind != e->kind)
		strbuf_addf(out, "%s%s:\n", prev ? "\n" : "", headings[e->kind]);
	if (e->kind == LIST_TABLE && *e->topic && (!prev || prev->kind != e->kind || strcmp(prev->topic, e->topic))) {
		strbuf_addch(out, '\n');
		strbuf_add_safe(out, e->topic);
		strbuf_addstr(out, ":\n");
	}
}

void list_text(struct strbuf *out, const struct list *l, const struct list_style *style)
{
	for (size_t i = 0; i < l->nr; i++) {
		const struct list_entry *e = &l->v[i];
		const char *desc = description(e, style);

		if (!style->width) {
			add_line(out, e, style);
			continue;
		}
		add_heading(out, e, i ? e - 1 : NULL);
		strbuf_addstr(out, "  ");
		add_name(out, e);
		strbuf_addch(out, '\n');
		if (*desc)
			add_folded(out, desc, style->width);
		if (style->details && has_details(e)) {
			strbuf_pad(out, ' ', DESC_INDENT + 1);
			add_details(out, e);
			strbuf_addch(out, '\n');
		}
	}
}

void list_raw(struct strbuf *out, const struct list *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		if (l->v[i].kind == LIST_RAW)
			continue;
		if (out->len)
			strbuf_addch(out, ' ');
		strbuf_add_safe(out, l->v[i].name);
	}
	strbuf_addch(out, '\n');
}

/* ---- JSON ---- */

struct json list_json_writer(struct strbuf *out)
{
	return (struct json){ .out = out, .indent = "\t", .flat_levels = 1 };
}

/* what is not known has no key */
static void add_member(struct json *w, const char *key, const char *value)
{
	if (value && *value)
		json_key_string(w, key, value);
}

/* keys and their order are upstream's */
static void add_object(struct json *w, const struct list_entry *e, const char *name)
{
	bool metric = e->kind == LIST_METRIC;

	json_begin_object(w, JSON_LINES);
	if (metric) {
		add_member(w, "MetricGroup", e->groups);
		add_member(w, "MetricName", name);
		add_member(w, "MetricExpr", e->expr);
		add_member(w, "MetricThreshold", e->threshold);
		add_member(w, "ScaleUnit", e->scale_unit);
		add_member(w, "BriefDescription", e->desc);
		add_member(w, "PublicDescription", e->long_desc);
		add_member(w, "Unit", e->pmu);
	} else if (e->kind == LIST_METRICGROUP) {
		add_member(w, "MetricGroup", name);
		add_member(w, "BriefDescription", e->desc);
	} else {
		add_member(w, "Unit", e->pmu);
		add_member(w, "Topic", e->topic);
		add_member(w, "EventName", name);
		add_member(w, "ScaleUnit", e->scale_unit);
		add_member(w, "EventType", e->json_tag ? e->json_tag : e->tag);
		add_member(w, "Deprecated", e->deprecated ? "1" : "");
		add_member(w, "BriefDescription", e->desc);
		add_member(w, "PublicDescription", e->long_desc);
		add_member(w, "Encoding", e->encoding);
	}
	json_end(w);
}

void list_json(struct strbuf *out, const struct list *l)
{
	struct json w = list_json_writer(out);
	bool metrics = false;

	for (size_t i = 0; i < l->nr; i++)
		metrics |= l->v[i].kind == LIST_METRIC;
	json_begin_array(&w, JSON_LINES);
	for (size_t i = 0; i < l->nr; i++) {
		const struct list_entry *e = &l->v[i];

		/* metrics name their groups */
		if (e->kind == LIST_METRICGROUP && metrics)
			continue;
		add_object(&w, e, e->name);
		/* an alias of a generic event is an event of its own to programs, as upstream has it */
		if (*e->alias && (e->kind == LIST_SW || e->kind == LIST_HW))
			add_object(&w, e, e->alias);
	}
	json_end(&w);
	strbuf_addch(out, '\n');
}
