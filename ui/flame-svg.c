/*
 * Flame graph as a static SVG: the root is the lowest line, a node is as wide as its share, its name and
 * numbers are its <title>. One graph per table, one below the other. Nodes narrower than a tenth of a pixel
 * are left out with all nodes above them. Colors show libraries, which a legend names. Coordinates are in
 * hundredths of a pixel.
 */
#include "flame.h"
#include "flame-colors.h"
#include "format.h"
#include "markup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 120000u
#define MARGIN 1000u
#define LINE 1600u
#define HEAD 5600u
#define MAX_LEGEND 8u		/* libraries: colors of more cannot be told apart */
#define MAX_PROGRAMS 2u		/* that a title names */
#define CHAR_WIDTH 660u

struct flame_picture {
	struct markup m;
	const struct flame *f;
	struct flame_colors colors;
	u64 *used;		/* by depth: where the next node begins */
	u64 below;		/* the lower end of the root */
	double most_growth;	/* of any node, up or down */
	struct strbuf text;
};

/* red where the share of all grew, blue where it shrank: the deeper, the more */
static void add_growth_color(struct strbuf *out, double growth, double most)
{
	u32 pale = most > 0 ? 240 - fabs(growth) / most * 190 : 240;

	if (growth > 0)
		strbuf_addf(out, " fill=\"rgb(245,%u,%u)\"", pale, pale);
	else
		strbuf_addf(out, " fill=\"rgb(%u,%u,245)\"", pale, pale);
}

/* at most as much as fits */
static void add_name(struct flame_picture *p, const char *name, u64 x, u64 y, u64 width)
{
	size_t room = width / CHAR_WIDTH, len = strlen(name);

	if (room < 3)
		return;
	strbuf_reset(&p->text);
	if (len > room)
		for (len = room - 2; len && ((u8)name[len] & 0xc0) == 0x80; len--)
			;
	strbuf_add(&p->text, name, len);
	strbuf_addstr(&p->m.text, "<text x=\"");
	markup_add_hundredths(&p->m.text, x + 300);
	strbuf_addstr(&p->m.text, "\" y=\"");
	markup_add_hundredths(&p->m.text, y + 1150);
	strbuf_addstr(&p->m.text, "\">");
	markup_add_text(&p->m.text, strbuf_str(&p->text));
	strbuf_addstr(&p->m.text, name[len] ? "..</text>" : "</text>");
}

/* the name of a frame; why a stack is not complete is a sentence */
static const char *shown_name(const struct flame *f, const struct flame_node *n, struct strbuf *scratch)
{
	struct strbuf why = STRBUF_INIT;

	strbuf_reset(scratch);
	if (!flame_stack_end(f, n, &why))
		return strtab_get(&f->text, n->name);
	for (char *c = why.buf; *c; c++)
		if (*c == '-')
			*c = ' ';
	strbuf_addf(scratch, "stacks are not complete: %s", strbuf_str(&why));
	strbuf_release(&why);
	return strbuf_str(scratch);
}

static void add_node(struct flame_picture *p, const struct flame_node *n)
{
	struct strbuf scratch = STRBUF_INIT;
	const char *name = shown_name(p->f, n, &scratch);
	double whole = MAX(p->f->node.v[0].total, 1ul);
	u64 x = p->used[n->depth], y = p->below - (n->depth + 1) * LINE;
	u64 width = n->total / whole * (WIDTH - 2 * MARGIN);

	p->used[n->depth] = x + width;
	if (n->depth < p->f->depth)
		p->used[n->depth + 1] = x;
	strbuf_addstr(&p->m.text, "<g><title>");
	markup_add_text(&p->m.text, name);
	if (n->module) {
		strbuf_addstr(&p->m.text, " [");
		markup_add_text(&p->m.text, strtab_get(&p->f->text, n->module));
		strbuf_addch(&p->m.text, ']');
	}
	strbuf_addf(&p->m.text, " %lu, ", n->total);
	markup_add_hundredths(&p->m.text, n->total / whole * 10000);
	strbuf_addch(&p->m.text, '%');
	if (p->f->compared)
		strbuf_addf(&p->m.text, ", before %.2f%%, itself %+.2f%%",
			    n->total_before * 100.0 / MAX(p->f->node.v[0].total_before, 1ul),
			    flame_growth(p->f, n) * 100);
	strbuf_addstr(&p->m.text, "</title><rect x=\"");
	markup_add_hundredths(&p->m.text, x);
	strbuf_addstr(&p->m.text, "\" y=\"");
	markup_add_hundredths(&p->m.text, y);
	strbuf_addstr(&p->m.text, "\" width=\"");
	markup_add_hundredths(&p->m.text, width);
	strbuf_addf(&p->m.text, "\" height=\"%u\"", LINE / 100 - 1);
	if (p->f->compared) {
		add_growth_color(&p->m.text, flame_growth(p->f, n), p->most_growth);
	} else {
		strbuf_addstr(&p->m.text, " fill=\"");
		flame_color_add(&p->colors, p->f, n, &p->m.text);
		strbuf_addch(&p->m.text, '"');
	}
	strbuf_addstr(&p->m.text, "/>");
	add_name(p, name, x, y, width);
	strbuf_addstr(&p->m.text, "</g>\n");
	strbuf_release(&scratch);
	markup_drain(&p->m);
}

/* a square of a color and a text; returns where the next one begins */
static u64 add_swatch(struct flame_picture *p, u64 x, u64 top, const char *color, const char *text,
		      double share)
{
	char percent[32] = "";

	if (share >= 0)
		snprintf(percent, sizeof(percent), " %.2f%%", share * 100);
	strbuf_addf(&p->m.text, "<g class=\"legend\"><rect x=\"%lu\" y=\"%lu\" width=\"11\" height=\"11\" "
		    "fill=\"%s\"/><text x=\"%lu\" y=\"%lu\">", x / 100, top / 100 + 31, color, x / 100 + 15,
		    top / 100 + 41);
	markup_add_text(&p->m.text, text);
	strbuf_addf(&p->m.text, "%s</text></g>\n", percent);
	return x + (strlen(text) + strlen(percent) + 5) * CHAR_WIDTH;
}

static void add_growth_legend(struct flame_picture *p, u64 top)
{
	u64 x = add_swatch(p, MARGIN, top, "rgb(245,50,50)", "grew", -1);

	add_swatch(p, x, top, "rgb(50,50,245)", "shrank", -1);
}

/* what colors mean: the kernel, and libraries with what ran in them, as long as there is room */
static void add_legend(struct flame_picture *p, u64 top)
{
	double whole = MAX(p->f->node.v[0].total, 1ul);
	struct strbuf color = STRBUF_INIT;
	u64 x = MARGIN, nr = 0;

	if (p->colors.has_kernel) {
		flame_color_add_kernel(&color);
		x = add_swatch(p, x, top, strbuf_str(&color), "kernel", p->colors.kernel / whole);
	}
	vec_foreach(&p->colors.library, l) {
		const char *name = strtab_get(&p->f->text, l->module);

		if (nr == MAX_LEGEND || x + (strlen(name) + 30) * CHAR_WIDTH > WIDTH)
			break;
		strbuf_reset(&color);
		flame_color_add_library(l, &color);
		x = add_swatch(p, x, top, strbuf_str(&color), name, l->self / whole);
		nr++;
	}
	if (nr < p->colors.library.nr)
		strbuf_addf(&p->m.text, "<text x=\"%lu\" y=\"%lu\">%lu more</text>\n", x / 100,
			    top / 100 + 41, p->colors.library.nr - nr);
	strbuf_release(&color);
}

/* the tints that there are, with what they color */
static void add_tint_legend(struct flame_picture *p, u64 top)
{
	double whole = MAX(p->f->node.v[0].total, 1ul);
	struct strbuf color = STRBUF_INIT;
	u64 x = MARGIN;

	for (u32 i = 0; i < p->f->tints->nr; i++) {
		const struct view_tint *t = &p->f->tints->row[i];
		u64 sum = 0;

		/* each row of the table is below one of its nodes */
		vec_foreach(&p->f->node, n)
			if (n->tint == i + 1 && !p->f->node.v[n->parent].tint)
				sum += n->total;
		if (!sum)
			continue;
		strbuf_reset(&color);
		flame_color_add_tint(t, &color);
		x = add_swatch(p, x, top, strbuf_str(&color), t->title, sum / whole);
	}
	strbuf_release(&color);
}

static int largest_first(const void *pa, const void *pb)
{
	const struct flame_node *a = *(const struct flame_node *const *)pa;
	const struct flame_node *b = *(const struct flame_node *const *)pb;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return (a > b) - (a < b);
}

/* "Flame graph of make, cc1 and 3 more, cycles": the first frames are programs where these are keys */
static void title_of(const struct flame *f, const struct view_table *t, struct strbuf *out)
{
	struct { VEC(const struct flame_node *); } program = { 0 };

	vec_foreach(&f->node, n)
		if (n->depth == 1 && n->total && !n->module)
			vec_push(&program, n);
	if (program.nr)
		qsort(program.v, program.nr, sizeof(*program.v), largest_first);
	strbuf_addstr(out, "Flame graph");
	for (size_t i = 0; i < MIN(program.nr, (size_t)MAX_PROGRAMS); i++)
		strbuf_addf(out, "%s%.100s", i ? ", " : " of ", strtab_get(&f->text, program.v[i]->name));
	if (program.nr > MAX_PROGRAMS)
		strbuf_addf(out, " and %zu more", program.nr - MAX_PROGRAMS);
	if (t->member.nr)
		strbuf_addf(out, ", %s", t->member.v[0]);
	vec_release(&program);
}

static void add_graph(struct flame_picture *p, const struct view_table *t, u64 top)
{
	flame_colors_make(&p->colors, p->f);
	strbuf_reset(&p->text);
	title_of(p->f, t, &p->text);
	p->below = top + HEAD + (p->f->depth + 1) * LINE;
	p->used = xcalloc(p->f->depth + 2, sizeof(*p->used));
	p->used[0] = MARGIN;
	strbuf_addstr(&p->m.text, "<text class=\"title\" x=\"10\" y=\"");
	markup_add_hundredths(&p->m.text, top + 2000);
	strbuf_addstr(&p->m.text, "\">");
	markup_add_text(&p->m.text, strbuf_str(&p->text));
	strbuf_addf(&p->m.text, ", period %lu", p->f->node.v[0].total);
	if (p->f->nr_pruned)
		strbuf_addf(&p->m.text, "; %lu nodes with less than %lu are left out", p->f->nr_pruned,
			    p->f->min);
	strbuf_addstr(&p->m.text, "</text>\n");
	if (p->f->compared)
		add_growth_legend(p, top);
	else if (p->f->tints)
		add_tint_legend(p, top);
	else
		add_legend(p, top);
	p->most_growth = 0;
	vec_foreach(&p->f->node, n)
		p->most_growth = MAX(p->most_growth, fabs(flame_growth(p->f, n)));
	vec_foreach(&p->f->node, n)
		if (n->total)
			add_node(p, n);
	free(p->used);
	flame_colors_release(&p->colors);
}

int svg_show(const struct view *v, const struct text_opts *o UNUSED, FILE *out)
{
	struct flame_picture p = { .m.file = out };
	struct flame *flames = xcalloc(v->table.nr + 1, sizeof(*flames));
	u64 height = 0, top = 0;

	for (size_t i = 0; i < v->table.nr; i++) {
		flame_make(&flames[i], v->table.v[i]);
		flame_prune(&flames[i], FLAME_MAX_NODES, flames[i].node.v[0].total / (WIDTH / 10));
		height += HEAD + (flames[i].depth + 2) * LINE;
	}
	strbuf_addf(&p.m.text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%lu\" "
		    "viewBox=\"0 0 %u %lu\">\n<title>", WIDTH / 100, height / 100, WIDTH / 100, height / 100);
	if (v->table.nr)
		title_of(&flames[0], v->table.v[0], &p.text);
	markup_add_text(&p.m.text, p.text.len ? strbuf_str(&p.text) : "Flame graph");
	strbuf_addstr(&p.m.text, "</title>\n<style>text{font:11px sans-serif;"
		      "pointer-events:none}.title{font-size:14px}rect:hover{stroke:#000}"
		      ".page{fill:#fff;pointer-events:none}</style>\n<rect class=\"page\" width=\"100%\" "
		      "height=\"100%\"/>\n");
	for (size_t i = 0; i < v->table.nr; i++) {
		p.f = &flames[i];
		add_graph(&p, v->table.v[i], top);
		top += HEAD + (p.f->depth + 2) * LINE;
		flame_release(&flames[i]);
	}
	strbuf_addstr(&p.m.text, "</svg>\n");
	free(flames);
	strbuf_release(&p.text);
	return markup_end(&p.m);
}
