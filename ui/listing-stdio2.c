/* Listing as compact text: instructions with marks where jumps go, the layout of annotate --stdio2. */
#include "listing.h"

#include <stdio.h>
#include <string.h>

/* "1K" */
static void add_short(struct strbuf *out, u64 nr)
{
	if (nr >= 1000000)
		strbuf_addf(out, "%luM", nr / 1000000);
	else if (nr >= 1000)
		strbuf_addf(out, "%luK", nr / 1000);
	else
		strbuf_addf(out, "%lu", nr);
}

static void add_head(const struct view_listing *l, const struct listing_opts *o, struct strbuf *out)
{
	u64 nr = 0, period = 0;

	vec_foreach(&l->member, m) {
		nr += m->all_nr;
		period += m->all_period;
	}
	strbuf_addstr(out, "Samples: ");
	add_short(out, nr);
	strbuf_addf(out, " of event%s '", l->member.nr > 1 ? "s" : "");
	vec_foreach(&l->member, m)
		strbuf_addf(out, "%s%s", m == l->member.v ? "" : ", ", m->event);
	strbuf_addch(out, '\'');
	if (l->member.v[0].frequency)
		strbuf_addf(out, ", %lu Hz", l->member.v[0].frequency);
	strbuf_addf(out, ", Event count (approx.): %lu, [percent: %s]\n", period,
		    listing_share_name(o->share));
	strbuf_add_safe(out, l->symbol);
	strbuf_addstr(out, "() ");
	strbuf_add_safe(out, l->dso);
	strbuf_addch(out, '\n');
}

static const char *arrow_text(const struct listing_line *line)
{
	switch ((enum listing_arrow)line->arrow) {
	case LISTING_UP:
		return "↑ ";
	case LISTING_DOWN:
		return "↓ ";
	case LISTING_CALL:
		return "→ ";
	case LISTING_RETURN:
		return "← ";
	case LISTING_NO_ARROW:
		break;
	}
	return "  ";
}

/* targets inside of the function are shown as offsets, as the marks of the lines are */
static void add_insn(const struct view_listing *l, const struct listing_line *line,
		     const struct listing_opts *o, struct strbuf *out)
{
	struct listing_line shown = *line;
	char off[24];

	if (line->inside && line->arrow != LISTING_CALL) {
		snprintf(off, sizeof(off), "%lx", line->target_addr - l->start);
		shown.target = off;
	}
	for (u32 i = 0; o->bytes && i < line->nr_bytes; i++)
		strbuf_addf(out, "%02x ", line->bytes[i]);
	if (o->bytes)
		strbuf_pad(out, ' ', 3 * (MAX(line->nr_bytes, 10) - line->nr_bytes));
	strbuf_addstr(out, arrow_text(line));
	listing_add_insn(&shown, out);
	if (line->data_type)
		strbuf_addf(out, "\t\t# data-type: %s", line->data_type);
	strbuf_addch(out, '\n');
}

static void add_line(const struct view_listing *l, const struct listing_line *line,
		     const struct listing_opts *o, struct strbuf *out)
{
	char mark[24] = "";

	for (u32 m = 0; m < l->member.nr; m++) {
		if (line->kind == LISTING_INSN && line->hits != LISTING_NO_HITS)
			listing_add_value(l, line, m, o, out);
		else
			strbuf_pad(out, ' ', listing_value_width(o));
	}
	listing_add_cycles(l, line, out);
	if (line->is_target)
		snprintf(mark, sizeof(mark), "%lx:", line->addr - l->start);
	strbuf_addf(out, "%6s ", mark);
	if (line->kind == LISTING_INSN)
		add_insn(l, line, o, out);
	else
		strbuf_addf(out, line->kind == LISTING_NOTE ? "  (%s)\n" : "  %s\n", line->text);
}

void stdio2_listing(const struct view_listing *l, const struct listing_opts *o, struct strbuf *out)
{
	size_t start;

	listing_add_summary(l, o, out);
	add_head(l, o, out);
	if (l->why) {
		strbuf_addf(out, "no code can be shown: %s\n", l->why);
		return;
	}
	start = out->len;
	strbuf_addstr(out, o->period ? "Period" : o->nr_samples ? "Samples" : "Percent");
	if (l->block.nr) {
		strbuf_pad(out, ' ', l->member.nr * listing_value_width(o) - (out->len - start));
		listing_add_cycles(l, NULL, out);
		strbuf_addstr(out, "  ");
		listing_add_ipc(l, out);
	}
	strbuf_addch(out, '\n');
	vec_foreach(&l->line, line)
		add_line(l, line, o, out);
	strbuf_addch(out, '\n');
}
