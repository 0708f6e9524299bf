/*
 * Flame graph as a static SVG: the root is the lowest line, a node is as wide as its share, its name and
 * numbers are its <title>. One graph per table, one below the other. What is narrower than a tenth of a pixel
 * is left out with everything above it. Coordinates are in hundredths of a pixel.
 */
#include "flame.h"
#include "format.h"
#include "markup.h"

#include <math.h>

#define WIDTH 120000u
#define MARGIN 1000u
#define LINE 1600u
#define HEAD 4000u
#define CHAR_WIDTH 660u

struct flame_picture {
	struct markup m;
	const struct flame *f;
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

/* warm colors for programs, cold ones for the kernel; a name always has the same one */
static void add_color(struct strbuf *out, const struct flame *f, const struct flame_node *n)
{
	u64 h = hash_str(strtab_get(&f->text, n->name));
	u32 a = h % 60, b = h / 60 % 55;

	if (n->kernel)
		strbuf_addf(out, " fill=\"rgb(%u,%u,%u)\"", 100 + b, 150 + a, 225 + b / 2);
	else
		strbuf_addf(out, " fill=\"rgb(%u,%u,%u)\"", 215 + b / 2, 110 + 2 * a, 50 + b);
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

static void add_node(struct flame_picture *p, const struct flame_node *n)
{
	double whole = MAX(p->f->node.v[0].total, 1ul);
	u64 x = p->used[n->depth], y = p->below - (n->depth + 1) * LINE;
	u64 width = n->total / whole * (WIDTH - 2 * MARGIN);

	p->used[n->depth] = x + width;
	if (n->depth < p->f->depth)
		p->used[n->depth + 1] = x;
	strbuf_addstr(&p->m.text, "<g><title>");
	markup_add_text(&p->m.text, strtab_get(&p->f->text, n->name));
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
	if (p->f->compared)
		add_growth_color(&p->m.text, flame_growth(p->f, n), p->most_growth);
	else
		add_color(&p->m.text, p->f, n);
	strbuf_addstr(&p->m.text, "/>");
	add_name(p, strtab_get(&p->f->text, n->name), x, y, width);
	strbuf_addstr(&p->m.text, "</g>\n");
	markup_drain(&p->m);
}

static void add_graph(struct flame_picture *p, const struct view_table *t, u64 top)
{
	p->below = top + HEAD + (p->f->depth + 1) * LINE;
	p->used = xcalloc(p->f->depth + 2, sizeof(*p->used));
	p->used[0] = MARGIN;
	strbuf_addstr(&p->m.text, "<text class=\"title\" x=\"10\" y=\"");
	markup_add_hundredths(&p->m.text, top + 2000);
	strbuf_addstr(&p->m.text, "\">Flame graph: ");
	markup_add_text(&p->m.text, t->member.nr ? t->member.v[0] : "");
	strbuf_addf(&p->m.text, ", period %lu", p->f->node.v[0].total);
	if (p->f->nr_pruned)
		strbuf_addf(&p->m.text, "; %lu nodes with less than %lu are left out", p->f->nr_pruned,
			    p->f->min);
	strbuf_addstr(&p->m.text, "</text>\n");
	p->most_growth = 0;
	vec_foreach(&p->f->node, n)
		p->most_growth = MAX(p->most_growth, fabs(flame_growth(p->f, n)));
	vec_foreach(&p->f->node, n)
		if (n->total)
			add_node(p, n);
	free(p->used);
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
		    "viewBox=\"0 0 %u %lu\">\n<title>Flame graph</title>\n<style>text{font:11px sans-serif;"
		    "pointer-events:none}.title{font-size:14px}rect:hover{stroke:#000}"
		    ".page{fill:#fff;pointer-events:none}</style>\n<rect class=\"page\" width=\"100%%\" "
		    "height=\"100%%\"/>\n", WIDTH / 100, height / 100, WIDTH / 100, height / 100);
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
