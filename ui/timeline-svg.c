/*
 * Timeline as a static SVG: groups of tracks below each other, a time axis, a legend, and the text of a span
 * as its <title>. Coordinates are in hundredths of a pixel. Spans shorter than a twentieth of a pixel are
 * merged, so that the picture can be magnified; if there are very many, longer ones as well.
 */
#include "markup.h"
#include "timeline.h"
#include "../util/base/units.h"

#define MARGIN 1000u
#define FINEST 20u		/* parts of a pixel */
#define ROW 2400u		/* height of a track */
#define GAP 400u
#define HEADING 2200u
#define LINE 1600u
#define MAX_ARROWS 8000u	/* about 20 bytes each */
#define MAX_SPANS 40000u	/* browsers are slow with more elements: about 8 MB */
#define MAX_LABELED 60u		/* characters of a label in a span */
#define CHAR_WIDTH 620u

struct timeline_picture {
	struct markup m;
	const struct timeline *t;
	struct timeline_spans span;	/* merged */
	struct strbuf text;		/* scratch */
	u64 width, names, chart;	/* of the picture, of the column of names, of the chart */
	u64 max_amount[64];
	u64 *top;			/* of each track */
	u64 below;			/* the last track ends here */
};

static const struct {
	const char *light, *dark;
	bool pale;		/* what is written there has the color of other texts */
} tone[TONE_NR] = {
	[TONE_RUN] = { "#3b6fd4", "#6c9bf5" }, [TONE_MARKED] = { "#f08000", "#ffa033" },
	[TONE_WAIT] = { "#e0c000", "#d8bc2a", true }, [TONE_BLOCKED] = { "#e05050", "#e86a6a" },
	[TONE_SLEEP] = { "#d5d8dd", "#343a44", true }, [TONE_IDLE] = { "#ffe1e1", "#40282c", true },
	[TONE_DEEP_IDLE] = { "#ffb3b3", "#663038", true },
	[TONE_DEEPEST_IDLE] = { "#ff8080", "#8c3844", true },
	[TONE_SPEED] = { "#8a8f98", "#9aa2ae" }, [TONE_DISK] = { "#3b6fd4", "#6c9bf5" },
	[TONE_NET] = { "#2e9e4f", "#4cc270" }, [TONE_SYNC] = { "#8f8f20", "#bcbc4a" },
	[TONE_POLL] = { "#9fd3d3", "#2f5f62", true }, [TONE_ERROR] = { "#e05050", "#e86a6a" },
};

static void add_attr(struct strbuf *out, const char *name, u64 hundredths)
{
	strbuf_addch(out, ' ');
	strbuf_addstr(out, name);
	strbuf_addstr(out, "=\"");
	markup_add_hundredths(out, hundredths);
	strbuf_addch(out, '"');
}

static void add_rect(struct strbuf *out, const char *class, u64 x, u64 y, u64 width, u64 height)
{
	strbuf_addf(out, "<rect class=\"%s\"", class);
	add_attr(out, "x", x);
	add_attr(out, "y", y);
	add_attr(out, "width", width);
	add_attr(out, "height", height);
}

static void add_text(struct strbuf *out, const char *class, u64 x, u64 y, const char *text)
{
	strbuf_addf(out, "<text class=\"%s\"", class);
	add_attr(out, "x", x);
	add_attr(out, "y", y);
	strbuf_addch(out, '>');
	markup_add_text(out, text);
	strbuf_addstr(out, "</text>\n");
}

/* at most this many bytes, with dots if it was cut, between characters */
static const char *cut(struct timeline_picture *p, const char *text, u64 width)
{
	size_t max = width / CHAR_WIDTH, len = strlen(text);

	strbuf_reset(&p->text);
	if (len <= max) {
		strbuf_addstr(&p->text, text);
		return strbuf_str(&p->text);
	}
	for (len = max > 2 ? max - 2 : 0; len && ((u8)text[len] & 0xc0) == 0x80; len--)
		;
	strbuf_add(&p->text, text, len);
	strbuf_addstr(&p->text, "\xe2\x80\xa6");
	return strbuf_str(&p->text);
}

static u64 x_of(const struct timeline_picture *p, u64 time)
{
	u64 span = MAX(p->t->to - p->t->from, (u64)1);

	return p->names + (u64)((double)(time - p->t->from) * p->chart / span);
}

static void add_style(struct timeline_picture *p)
{
	struct strbuf *out = &p->m.text;

	strbuf_addstr(out, "<style>\ntext{font:11px sans-serif;fill:#1d2129}\n.title{font-size:15px}\n"
		      ".heading{font-weight:bold}\n.page{fill:#fff}\n.track{fill:#f3f4f6}\n"
		      ".in,.on{font-size:10px;pointer-events:none}\n.in{fill:#fff}\n"
		      ".grid{stroke:#c8ccd4;stroke-width:.5}\n"
		      ".arrow{fill:none;pointer-events:none;stroke:#666;stroke-width:.5;"
		      "stroke-opacity:.4}\n");
	for (u32 i = 0; i < p->t->nr_kinds; i++)
		strbuf_addf(out, ".k%u{fill:%s}\n", i, tone[p->t->kind[i].tone].light);
	strbuf_addstr(out, "@media (prefers-color-scheme:dark){text{fill:#e4e7ec}.page{fill:#14171c}"
		      ".track{fill:#1d2129}.grid{stroke:#3a404a}.arrow{stroke:#9aa2ae}.in{fill:#111}\n");
	for (u32 i = 0; i < p->t->nr_kinds; i++)
		strbuf_addf(out, ".k%u{fill:%s}\n", i, tone[p->t->kind[i].tone].dark);
	strbuf_addstr(out, "}\n</style>\n");
}

/* the kinds that are in the picture; where it ends. draw false: only that */
static u64 add_legend(struct timeline_picture *p, u64 y, bool draw)
{
	u64 used = timeline_kinds_used(p->t), x = MARGIN;

	for (u32 i = 0; i < p->t->nr_kinds; i++) {
		const struct timeline_kind *k = &p->t->kind[i];
		u64 width = 2400 + strlen(k->title) * CHAR_WIDTH;
		bool repeated = false;
		char class[16];

		for (u32 j = 0; j < i; j++)
			repeated |= used >> j & 1 && !strcmp(p->t->kind[j].title, k->title);
		if (!(used >> i & 1) || repeated)
			continue;
		if (x + width > p->width && x > MARGIN) {
			x = MARGIN;
			y += LINE;
		}
		snprintf(class, sizeof(class), "k%u", i);
		x += width;
		if (!draw)
			continue;
		add_rect(&p->m.text, class, x - width, y, 1000, 1000);
		strbuf_addstr(&p->m.text, "/>");
		add_text(&p->m.text, "legend", x - width + 1400, y + 900, k->title);
	}
	return y + LINE;
}

/* a round number of nanoseconds with about eight steps in the picture */
static u64 tick_step(const struct timeline_picture *p)
{
	u64 span = MAX(p->t->to - p->t->from, (u64)1);
	u64 want = MAX(span / MAX(p->chart / 12000, (u64)1), (u64)1);
	u64 step = 1;

	while (step < want && step <= UINT64_MAX / 10)
		step *= 10;
	if (step >= 10 && step / 5 >= want)
		return step / 5;
	return step >= 10 && step / 2 >= want ? step / 2 : step;
}

static void add_axis(struct timeline_picture *p, u64 y)
{
	u64 step = tick_step(p), span = p->t->to - p->t->from;

	for (u64 at = 0; at <= span && at + step > at; at += step) {
		u64 x = x_of(p, p->t->from + at);

		strbuf_addstr(&p->m.text, "<line class=\"grid\"");
		add_attr(&p->m.text, "x1", x);
		add_attr(&p->m.text, "x2", x);
		add_attr(&p->m.text, "y1", y);
		add_attr(&p->m.text, "y2", p->below);
		strbuf_addstr(&p->m.text, "/>");
		strbuf_reset(&p->text);
		duration_text(&p->text, at);
		add_text(&p->m.text, "tick", x + 200, y + 900, strbuf_str(&p->text));
	}
}

static void add_span(struct timeline_picture *p, const struct timeline_span *s)
{
	const struct timeline_kind *k = &p->t->kind[s->kind];
	u64 x = x_of(p, s->from), width = MAX(x_of(p, s->to) - x, (u64)(100 / FINEST));
	u64 top = ROW * (u64)s->level + ROW * k->top / 100, height = ROW * (k->bottom - k->top) / 100;
	const char *label = timeline_label(p->t, s);
	char class[16];

	if (k->bar) {
		u64 part = height * ((double)s->amount / MAX(p->max_amount[s->kind], (u64)1));

		top += height - part;
		height = part;
	}
	snprintf(class, sizeof(class), "k%u", s->kind);
	add_rect(&p->m.text, class, x, p->top[s->track] + top, width, height);
	strbuf_addstr(&p->m.text, "><title>");
	strbuf_reset(&p->text);
	timeline_span_text(p->t, s, &p->text);
	markup_add_text(&p->m.text, strbuf_str(&p->text));
	strbuf_addstr(&p->m.text, "</title></rect>\n");
	if (*label && width > 4 * CHAR_WIDTH && height >= ROW / 2)
		add_text(&p->m.text, tone[k->tone].pale ? "on" : "in", x + 200,
			 p->top[s->track] + top + height / 2 + 350,
			 cut(p, label, MIN(width, (u64)MAX_LABELED * CHAR_WIDTH)));
	markup_drain(&p->m);
}

/* tracks get their places; y: where the first one may begin */
static void place_tracks(struct timeline_picture *p, u64 y)
{
	u32 group = UINT32_MAX;

	p->top = xcalloc(p->t->track.nr + 1, sizeof(*p->top));
	for (u32 i = 0; i < p->t->track.nr; i++) {
		y += p->t->track.v[i].group != group ? HEADING : 0;
		group = p->t->track.v[i].group;
		p->top[i] = y;
		y += ROW * (u64)p->t->track.v[i].levels + GAP;
	}
	p->below = y;
}

static void add_tracks(struct timeline_picture *p)
{
	struct strbuf *out = &p->m.text;
	u32 group = UINT32_MAX;

	for (u32 i = 0; i < p->t->track.nr; i++) {
		const struct timeline_track *track = &p->t->track.v[i];

		if (track->group != group)
			add_text(out, "heading", MARGIN, p->top[i] - 600, p->t->group[track->group]);
		group = track->group;
		add_rect(out, "track", p->names, p->top[i], p->chart, ROW * (u64)track->levels);
		strbuf_addstr(out, "/>");
		strbuf_addstr(out, "<g><title>");
		markup_add_text(out, track->name);
		markup_add_text(out, track->detail ? ": " : "");
		markup_add_text(out, track->detail ? track->detail : "");
		strbuf_addstr(out, "</title>");
		add_text(out, "name", MARGIN, p->top[i] + ROW / 2 + 400,
			 cut(p, track->name, p->names - MARGIN));
		strbuf_addstr(out, "</g>\n");
		markup_drain(&p->m);
	}
}

static void add_arrow(struct timeline_picture *p, const struct timeline_span *s, u64 x)
{
	strbuf_addch(&p->m.text, 'M');
	markup_add_hundredths(&p->m.text, x);
	strbuf_addch(&p->m.text, ' ');
	markup_add_hundredths(&p->m.text, p->top[s->other] + (s->other < s->track ? ROW : 0));
	strbuf_addch(&p->m.text, 'V');
	markup_add_hundredths(&p->m.text, p->top[s->track] + (s->other < s->track ? 0 : ROW));
	strbuf_addch(&p->m.text, '\n');
	markup_drain(&p->m);
}

/*
 * Arrows from the track that caused a span to the span's begin; arrows between the same two tracks in the
 * same step of hundredths of a pixel are one. Returns the number of arrows; draw false: only counts. Spans of
 * a track are in the order of time, also merged ones
 */
static u32 add_arrows(struct timeline_picture *p, u64 step, bool draw)
{
	struct { u32 track; u64 x; } *last = xcalloc(p->t->track.nr + 1, sizeof(*last));
	u32 nr = 0;

	vec_foreach(&p->t->span, s) {
		u64 x = x_of(p, s->from) / step * step;

		if (s->other == TIMELINE_NONE || s->other == s->track ||
		    (last[s->other].track == s->track + 1 && last[s->other].x == x))
			continue;
		last[s->other].track = s->track + 1;
		last[s->other].x = x;
		nr++;
		if (draw)
			add_arrow(p, s, x);
	}
	free(last);
	return nr;
}

/* the steps grow until the picture is small enough: no arrow is left out */
static void add_all_arrows(struct timeline_picture *p)
{
	u64 step = 50;

	while (add_arrows(p, step, false) > MAX_ARROWS && step < p->chart)
		step *= 2;
	strbuf_addstr(&p->m.text, "<path class=\"arrow\" d=\"");
	add_arrows(p, step, true);
	strbuf_addstr(&p->m.text, "\"/>\n");
}

static void add_notes(struct timeline_picture *p, u64 grain)
{
	u64 y = p->below + LINE;

	vec_foreach(&p->t->note, note) {
		add_text(&p->m.text, "note", MARGIN, y, *note);
		y += LINE;
	}
	strbuf_reset(&p->text);
	if (p->span.nr < p->t->span.nr) {
		strbuf_addstr(&p->text, "spans that together are shorter than ");
		duration_text(&p->text, grain);
		strbuf_addstr(&p->text, " are drawn as one");
	}
	add_text(&p->m.text, "note", MARGIN, y, strbuf_str(&p->text));
}

int timeline_svg(const struct timeline *t, const struct timeline_opts *o, FILE *out)
{
	u64 width = o->width ? o->width : TIMELINE_WIDTH, grain, y, height, notes = t->note.nr + 2;
	struct timeline_picture p = { .m.file = out, .t = t };

	p.width = width * 100;
	p.names = MIN(p.width / 4, 18000u);
	p.chart = p.width - p.names - MIN(p.width / 20, MARGIN);
	grain = (t->to - t->from) / (MAX(p.chart / 100, 1ul) * FINEST);
	grain = MAX(grain, t->grain);
	timeline_merged(t, grain, &p.span);
	while (p.span.nr > MAX_SPANS && grain < t->to - t->from) {
		grain = MAX(grain * 2, 1ul);
		vec_release(&p.span);
		timeline_merged(t, grain, &p.span);
	}
	for (u32 i = 0; i < t->nr_kinds; i++)
		p.max_amount[i] = t->kind[i].bar ? timeline_max_amount(t, i) : 0;
	y = add_legend(&p, 3000, false);
	place_tracks(&p, y + LINE);
	height = p.below + (notes + 1) * LINE;
	strbuf_addf(&p.m.text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%lu\" height=\"%lu\" "
		    "viewBox=\"0 0 %lu %lu\">\n<title>", width, height / 100, width, height / 100);
	markup_add_text(&p.m.text, t->title);
	strbuf_addstr(&p.m.text, "</title>\n");
	add_style(&p);
	add_rect(&p.m.text, "page", 0, 0, p.width, height);
	strbuf_addstr(&p.m.text, "/>\n");
	add_text(&p.m.text, "title", MARGIN, 2000, t->title);
	add_legend(&p, 3000, true);
	add_tracks(&p);
	add_axis(&p, y);
	vec_foreach(&p.span, s)
		add_span(&p, s);
	add_all_arrows(&p);
	add_notes(&p, grain);
	strbuf_addstr(&p.m.text, "</svg>\n");
	free(p.top);
	vec_release(&p.span);
	strbuf_release(&p.text);
	return markup_end(&p.m);
}
