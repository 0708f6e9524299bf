/* Listing: the rows of the formats, and what text formats share. */
#include "listing.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct listing_format formats[] = {
#define LISTING(name, show, begin, end) { name, show, begin, end },
#include "formats.def"
};

const struct listing_format *listing_format_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

const char *listing_share_name(enum listing_share share)
{
	static const char *const names[] = { "local period", "local hits", "global period", "global hits" };

	return names[share];
}

u32 listing_value_width(const struct listing_opts *o)
{
	return o->period ? 12 : 8;
}

void listing_add_value(const struct view_listing *l, const struct listing_line *line, u32 member,
		       const struct listing_opts *o, struct strbuf *out)
{
	static const struct listing_hits none;
	const struct listing_hits *h = line->hits == LISTING_NO_HITS ? &none :
				       &l->hits.v[line->hits + member];
	double percent = listing_percent(&l->member.v[member], h, o->share);
	const char *color = o->color ? share_color(percent) : "";

	strbuf_addstr(out, color);
	if (o->period)
		strbuf_addf(out, "%*lu", (int)listing_value_width(o), h->period);
	else if (o->nr_samples)
		strbuf_addf(out, "%*lu", (int)listing_value_width(o), h->nr);
	else
		strbuf_addf(out, "%*.2f", (int)listing_value_width(o), percent);
	if (*color)
		strbuf_addstr(out, "\033[m");
}

/*
 * disassemblers write "%rdi, %r8", upstream's listings "%rdi,%r8"; the last operand of a jump or call is its
 * target
 */
void listing_add_insn(const struct listing_line *line, struct strbuf *out)
{
	const char *last = line->target ? strrchr(line->operands, ' ') : NULL;
	size_t len = !line->target ? strlen(line->operands) : last ? (size_t)(last + 1 - line->operands) : 0;

	if (!*line->operands) {
		strbuf_addstr(out, line->text);
		return;
	}
	strbuf_addf(out, "%-6s ", line->text);
	for (size_t i = 0; i < len; i++)
		if (line->operands[i] != ' ' || !i || line->operands[i - 1] != ',')
			strbuf_addch(out, line->operands[i]);
	if (line->target)
		strbuf_addstr(out, line->target);
}

#define CYCLES_WIDTH 18

static double ratio(u64 a, u64 b)
{
	return b ? (double)a / b : 0;
}

void listing_add_cycles(const struct view_listing *l, const struct listing_line *line, struct strbuf *out)
{
	const struct listing_block *b = line && line->kind == LISTING_INSN && line->block ?
					&l->block.v[line->block - 1] : NULL;
	char text[48];

	if (!l->block.nr)
		return;
	if (!b) {
		strbuf_addf(out, "%6s%*s", line ? "" : "IPC", CYCLES_WIDTH, line ? "" : "Cycle(min/max)");
		return;
	}
	snprintf(text, sizeof(text), "%.1f(%u/%u)", ratio(b->cycles, b->nr), b->min, b->max);
	strbuf_addf(out, "%6.2f%*s", ratio(b->insns, b->cycles), CYCLES_WIDTH, text);
}

void listing_add_ipc(const struct view_listing *l, struct strbuf *out)
{
	u64 insns = 0, cycles = 0;

	vec_foreach(&l->block, b) {
		insns += b->insns;
		cycles += b->cycles;
	}
	strbuf_addf(out, "IPC %.2f, coverage %.1f%%", ratio(insns, cycles),
		    100 * ratio(l->covered, l->insns));
}

#define BYTES_WIDTH 24u

void listing_add_bytes(const struct listing_line *line, u32 from, struct strbuf *out)
{
	size_t start = out->len;

	for (u32 i = from; i < line->nr_bytes && i < from + LISTING_BYTES; i++)
		strbuf_addf(out, "%02x ", line->bytes[i]);
	if (!from)
		strbuf_pad(out, ' ', BYTES_WIDTH - (out->len - start));
}

/* a source line with its share, for the summary */
struct line_share {
	const char *where;
	double percent;
};

static int cmp_where(const void *x, const void *y)
{
	const struct line_share *a = x, *b = y;

	return strcmp(a->where, b->where);
}

static int cmp_percent(const void *x, const void *y)
{
	const struct line_share *a = x, *b = y;

	return a->percent > b->percent ? -1 : a->percent < b->percent ? 1 : strcmp(a->where, b->where);
}

void listing_add_summary(const struct view_listing *l, const struct listing_opts *o, struct strbuf *out)
{
	struct line_share *share;
	size_t nr = 0, sums = 0;

	if (!o->summary || l->why)
		return;
	share = xcalloc(l->line.nr + 1, sizeof(*share));
	vec_foreach(&l->line, line)
		if (line->where && line->hits != LISTING_NO_HITS)
			share[nr++] = (struct line_share){
				line->where, listing_percent(l->member.v, &l->hits.v[line->hits], o->share) };
	qsort(share, nr, sizeof(*share), cmp_where);
	for (size_t i = 0; i < nr; i++) {
		if (sums && !strcmp(share[sums - 1].where, share[i].where))
			share[sums - 1].percent += share[i].percent;
		else
			share[sums++] = share[i];
	}
	qsort(share, sums, sizeof(*share), cmp_percent);
	strbuf_addstr(out, "\nSorted summary for file ");
	strbuf_add_safe(out, l->dso);
	strbuf_addstr(out, "\n----------------------------------------------\n\n");
	for (size_t i = 0; i < sums && share[i].percent >= 0.5; i++)
		strbuf_addf(out, "   %5.2f %s\n", share[i].percent, share[i].where);
	free(share);
}
