/* Listing as plain text: source lines between instructions, the layout of annotate --stdio. */
#include "listing.h"

#include <string.h>

static void add_events(const struct view_listing *l, struct strbuf *out)
{
	vec_foreach(&l->member, m)
		strbuf_addf(out, "%s%s", m == l->member.v ? "" : ", ", m->event);
}

static void add_title(const struct view_listing *l, const struct listing_opts *o, struct strbuf *out)
{
	const char *slash = strrchr(l->dso, '/');
	const char *column = o->period ? "Period" : o->nr_samples ? "Samples" : "Percent";
	u32 width = listing_value_width(o) + 1;
	size_t start = out->len;
	u64 nr = 0;

	for (u32 i = 0; i < l->member.nr; i++) {
		strbuf_addf(out, " %s", column);
		if (i + 1 < l->member.nr)
			strbuf_pad(out, ' ', width - 1 - strlen(column));
		nr += l->member.v[i].nr;
	}
	strbuf_pad(out, ' ', width - 1 - strlen(column));
	strbuf_addstr(out, "|\tSource code & Disassembly of ");
	strbuf_add_safe(out, slash && !o->full_paths ? slash + 1 : l->dso);
	strbuf_addstr(out, " for ");
	add_events(l, out);
	strbuf_addf(out, " (%lu samples, percent: %s)\n", nr, listing_share_name(o->share));
	strbuf_pad(out, '-', out->len - start - 1);
	strbuf_addch(out, '\n');
}

/* the cycles of the code that ends at a branch */
static void add_cycles(const struct view_listing *l, const struct listing_line *line, struct strbuf *out)
{
	const struct listing_block *b = line->block ? &l->block.v[line->block - 1] : NULL;

	if (b)
		strbuf_addf(out, "\t# cycles: %.1f (%u to %u), IPC: %.2f", (double)b->cycles / b->nr,
			    b->min, b->max, (double)b->insns / b->cycles);
}

static void add_insn(const struct view_listing *l, const struct listing_line *line,
		     const struct listing_opts *o, struct strbuf *out)
{
	for (u32 m = 0; m < l->member.nr; m++)
		listing_add_value(l, line, m, o, out);
	strbuf_addf(out, " :   %lx:   ", line->addr);
	if (o->bytes)
		listing_add_bytes(line, 0, out);
	listing_add_insn(line, out);
	if (line->data_type)
		strbuf_addf(out, "\t\t# data-type: %s", line->data_type);
	add_cycles(l, line, out);
	strbuf_addch(out, '\n');
	for (u32 i = LISTING_BYTES; o->bytes && i < line->nr_bytes; i += LISTING_BYTES) {
		for (u32 m = 0; m < l->member.nr; m++)
			strbuf_addf(out, "%*s", (int)listing_value_width(o), "");
		strbuf_addf(out, " :   %lx:   ", line->addr + i);
		listing_add_bytes(line, i, out);
		strbuf_addch(out, '\n');
	}
}

static void add_remark(const struct view_listing *l, const struct listing_opts *o, struct strbuf *out)
{
	strbuf_pad(out, ' ', listing_value_width(o) * l->member.nr);
	strbuf_addstr(out, " : ");
}

void stdio_listing(const struct view_listing *l, const struct listing_opts *o, struct strbuf *out)
{
	listing_add_summary(l, o, out);
	add_title(l, o, out);
	if (l->why) {
		strbuf_addf(out, "%s: no code can be shown: %s", l->symbol, l->why);
		return;
	}
	add_remark(l, o, out);
	strbuf_addf(out, "%016lx <", l->start);
	strbuf_add_safe(out, l->symbol);
	strbuf_addstr(out, ">:\n");
	vec_foreach(&l->line, line) {
		if (line->kind == LISTING_INSN) {
			add_insn(l, line, o, out);
			continue;
		}
		add_remark(l, o, out);
		if (line->kind == LISTING_SOURCE)
			strbuf_addf(out, "%-4u %s\n", line->number, line->text);
		else
			strbuf_addf(out, "%-4s (%s)\n", "", line->text);
	}
	strbuf_addch(out, '\n');
}
