/*
 * Items as text: with headings and folded descriptions on a terminal, one a line on a pipe; those that are
 * shown with their parts, a line for each part.
 */
#include "items.h"

#include <string.h>

#define NAME_WIDTH 50
#define DESC_INDENT 7
#define PART_WIDTH 24

static void add_name(struct strbuf *out, const struct view_item *e)
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

static const char *description(const struct view_item *e, const struct items_opts *o)
{
	if (o->long_desc && *e->long_text)
		return e->long_text;
	return o->desc || o->long_desc ? e->text : "";
}

/* what the details are: how it is encoded, or computed */
static void add_details(struct strbuf *out, const struct view_item *e)
{
	strbuf_add_safe(out, e->details);
	if (*e->threshold) {
		strbuf_addstr(out, "  threshold: ");
		strbuf_add_safe(out, e->threshold);
	}
}

/* all on the item's own line, white space of any kind as one blank */
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

static void add_line(struct strbuf *out, const struct view_item *e, const struct items_opts *o)
{
	const char *desc = description(e, o);

	strbuf_addstr(out, "  ");
	add_name(out, e);
	if (*desc) {
		strbuf_addstr(out, "  ");
		add_flat(out, desc);
	}
	if (o->details && *e->details) {
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

/* of a section, and of a topic inside of it */
static void add_heading(struct strbuf *out, const struct view_item *e, const struct view_item *prev)
{
	bool section = !prev || strcmp(prev->section, e->section);

	if (section)
		strbuf_addf(out, "%s%s:\n", prev ? "\n" : "", e->section);
	if (*e->topic && (section || strcmp(prev->topic, e->topic))) {
		strbuf_addch(out, '\n');
		strbuf_add_safe(out, e->topic);
		strbuf_addstr(out, ":\n");
	}
}

static void add_on_terminal(struct strbuf *out, const struct view_item *e, const struct view_item *prev,
			    const struct items_opts *o)
{
	const char *desc = description(e, o);

	add_heading(out, e, prev);
	strbuf_addstr(out, "  ");
	add_name(out, e);
	strbuf_addch(out, '\n');
	if (*desc)
		add_folded(out, desc, o->width);
	if (o->details && *e->details) {
		strbuf_pad(out, ' ', DESC_INDENT + 1);
		add_details(out, e);
		strbuf_addch(out, '\n');
	}
}

static void add_column(struct strbuf *out, const char *before, const char *text)
{
	size_t from = out->len;

	strbuf_addstr(out, before);
	strbuf_add_safe(out, text);
	strbuf_pad(out, ' ', out->len - from < PART_WIDTH ? PART_WIDTH - (out->len - from) : 0);
	strbuf_addch(out, ' ');
}

/* the item, a line for each of its parts, and how they are printed */
static void add_parts(struct strbuf *out, const struct view_item *e)
{
	strbuf_add_safe(out, e->name);
	strbuf_addch(out, '\n');
	for (u32 i = 0; i < e->nr_parts; i++) {
		add_column(out, "  ", e->part[i].name);
		add_column(out, "", e->part[i].type);
		strbuf_addf(out, "%s\n", e->part[i].note);
	}
	if (e->prints) {
		strbuf_addstr(out, "  prints: ");
		strbuf_add_safe(out, e->prints);
		strbuf_addch(out, '\n');
	}
}

void text_items(const struct view_items *v, const struct items_opts *o, struct strbuf *out)
{
	struct view_item item[2];

	for (size_t i = 0; i < v->nr; i++) {
		struct view_item *e = &item[i % 2];

		v->item(v, i, e);
		if (v->parts) {
			strbuf_addstr(out, i ? "\n" : "");
			add_parts(out, e);
		} else if (o->width) {
			add_on_terminal(out, e, i ? &item[(i + 1) % 2] : NULL, o);
		} else {
			add_line(out, e, o);
		}
	}
	if (v->foot)
		strbuf_addf(out, "\n%s", v->foot);
}
