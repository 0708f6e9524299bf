/*
 * Code in a page: listings of functions as lists of lines, for ui/html/report-code.js. To limit the size,
 * lines far from all samples, long texts, and listings above the total limit are cut.
 */
#include "listing.h"
#include "markup.h"

#include "../util/base/json-out.h"
#include "../util/view/view.h"

#define MAX_BYTES (2u << 20)	/* of all listings of a page */
#define MAX_TEXT 240u		/* of a line */
#define MAX_LINES 1000u		/* of a listing with all its lines */
#define AROUND 12u		/* lines around one with samples, of a longer listing */

/* a text that ends before max bytes, between characters */
static void add_text(struct strbuf *out, const char *s)
{
	size_t len = strnlen(s, MAX_TEXT + 1);
	struct strbuf part = STRBUF_INIT;

	if (len > MAX_TEXT) {
		for (len = MAX_TEXT; len && ((u8)s[len] & 0xc0) == 0x80; len--)
			;
		strbuf_add(&part, s, len);
		strbuf_addstr(&part, "\xe2\x80\xa6");
		s = strbuf_str(&part);
	}
	page_add_string(out, s);
	strbuf_release(&part);
}

static void add_insn(struct strbuf *out, const struct view_listing *l, const struct listing_line *line)
{
	struct strbuf text = STRBUF_INIT;

	listing_add_insn(line, &text);
	strbuf_addf(out, "[0,%lu,", line->addr - l->start);
	add_text(out, strbuf_str(&text));
	if (line->hits != LISTING_NO_HITS)
		strbuf_addf(out, ",%lu,%lu", l->hits.v[line->hits].period, l->hits.v[line->hits].nr);
	strbuf_addch(out, ']');
	strbuf_release(&text);
}

/*
 * an instruction: 0, distance from the start, text, period, samples;
 * source: 1, line, text; a note: 2, text
 */
static void add_line(struct strbuf *out, const struct view_listing *l, const struct listing_line *line)
{
	if (line->kind == LISTING_INSN) {
		add_insn(out, l, line);
		return;
	}
	if (line->kind == LISTING_SOURCE)
		strbuf_addf(out, "[1,%u,", line->number);
	else
		strbuf_addstr(out, "[2,");
	add_text(out, line->text);
	strbuf_addch(out, ']');
}

static bool has_hits(const struct listing_line *line)
{
	return line->kind == LISTING_INSN && line->hits != LISTING_NO_HITS;
}

/* left out: 3, number of lines */
static void add_gap(struct strbuf *out, size_t from, size_t *nr)
{
	if (*nr)
		strbuf_addf(out, "%s[3,%zu]", out->len > from ? ",\n" : "", *nr);
	*nr = 0;
}

static void add_lines(struct strbuf *out, const struct view_listing *l, size_t max_bytes)
{
	size_t from = out->len, gap = 0, last = SIZE_MAX, next = 0;

	for (size_t i = 0; i < l->line.nr; i++) {
		bool near = l->line.nr <= MAX_LINES;

		for (next = MAX(next, i); next < l->line.nr && !has_hits(&l->line.v[next]);)
			next++;
		if (next == i)
			last = i;
		near |= (next < l->line.nr && next - i <= AROUND) || (last != SIZE_MAX && i - last <= AROUND);
		if (!near || out->len - from > max_bytes) {
			gap++;
			continue;
		}
		add_gap(out, from, &gap);
		strbuf_addstr(out, out->len > from ? ",\n" : "");
		add_line(out, l, &l->line.v[i]);
	}
	add_gap(out, from, &gap);
}

static void add_listing(struct strbuf *out, const struct view_listing *l, size_t max_bytes)
{
	const struct listing_member *m = &l->member.v[0];

	strbuf_addstr(out, "{\"event\":");
	page_add_string(out, m->event);
	strbuf_addstr(out, ",\"name\":");
	page_add_string(out, l->symbol);
	strbuf_addstr(out, ",\"module\":");
	page_add_string(out, l->module);
	strbuf_addstr(out, ",\"dso\":");
	page_add_string(out, l->dso);
	strbuf_addf(out, ",\"start\":\"%lx\",\"period\":%lu,\"all\":%lu,\"why\":", l->start, m->period,
		    m->all_period);
	page_add_string(out, l->why ? l->why : "");
	strbuf_addstr(out, ",\"lines\":[");
	add_lines(out, l, max_bytes);
	strbuf_addstr(out, "]}");
}

void page_add_code(struct markup *m, const struct view *v)
{
	strbuf_addstr(&m->text, ",\n\"noCode\":");
	page_add_string(&m->text, v->no_code ? v->no_code : "");
	strbuf_addstr(&m->text, ",\n\"code\":[");
	vec_foreach(&v->code, l) {
		strbuf_addstr(&m->text, l == v->code.v ? "\n" : ",\n");
		add_listing(&m->text, *l, MAX_BYTES / v->code.nr);
		markup_drain(m);
	}
	strbuf_addch(&m->text, ']');
}
