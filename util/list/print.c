/* List: lines for people and pipes, names for completion, JSON. */
#include "list-internal.h"

#include <string.h>
#include "../base/json-out.h"

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

static void add_member(struct strbuf *out, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	strbuf_addf(out, "%s\t\"%s\": ", out->buf[out->len - 1] == '{' ? "\n" : ",\n", key);
	json_add_string(out, value);
}

/* keys and their order are upstream's */
static void add_object(struct strbuf *out, const struct list_entry *e, const char *name, const char *sep)
{
	bool metric = e->kind == LIST_METRIC;

	strbuf_addf(out, "%s{", sep);
	if (metric) {
		add_member(out, "MetricGroup", e->groups);
		add_member(out, "MetricName", name);
		add_member(out, "MetricExpr", e->expr);
		add_member(out, "MetricThreshold", e->threshold);
		add_member(out, "ScaleUnit", e->scale_unit);
		add_member(out, "BriefDescription", e->desc);
		add_member(out, "PublicDescription", e->long_desc);
		add_member(out, "Unit", e->pmu);
	} else if (e->kind == LIST_METRICGROUP) {
		add_member(out, "MetricGroup", name);
		add_member(out, "BriefDescription", e->desc);
	} else {
		add_member(out, "Unit", e->pmu);
		add_member(out, "Topic", e->topic);
		add_member(out, "EventName", name);
		add_member(out, "ScaleUnit", e->scale_unit);
		add_member(out, "EventType", e->json_tag ? e->json_tag : e->tag);
		add_member(out, "Deprecated", e->deprecated ? "1" : "");
		add_member(out, "BriefDescription", e->desc);
		add_member(out, "PublicDescription", e->long_desc);
		add_member(out, "Encoding", e->encoding);
	}
	strbuf_addstr(out, "\n}");
}

void list_json(struct strbuf *out, const struct list *l)
{
	bool any = false, metrics = false;

	for (size_t i = 0; i < l->nr; i++)
		metrics |= l->v[i].kind == LIST_METRIC;
	strbuf_addstr(out, "[\n");
	for (size_t i = 0; i < l->nr; i++) {
		const struct list_entry *e = &l->v[i];

		/* metrics name their groups */
		if (e->kind == LIST_METRICGROUP && metrics)
			continue;
		add_object(out, e, e->name, any ? ",\n" : "");
		any = true;
		/* an alias of a generic event is an event of its own to programs, as upstream has it */
		if (*e->alias && (e->kind == LIST_SW || e->kind == LIST_HW))
			add_object(out, e, e->alias, ",\n");
	}
	strbuf_addstr(out, any ? "\n]\n" : "]\n");
}
