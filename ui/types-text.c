/* Types as plain text: a block per type, with a row per member. */
#include "types.h"

static double percent(u64 part, u64 all)
{
	return all ? 100.0 * part / all : 0;
}

static void add_total(const char *title, u32 good, u32 bad, struct strbuf *out)
{
	strbuf_addf(out, "%s\ntotal %u, ok %u (%.1f%%), bad %u (%.1f%%)\n", title, good + bad, good,
		    percent(good, good + bad), bad, percent(bad, good + bad));
}

static void add_rule(struct strbuf *out)
{
	strbuf_pad(out, '-', 59);
	strbuf_addch(out, '\n');
}

static void add_reasons(const struct view_types *t, struct strbuf *out)
{
	add_total("Annotate data type stats:", t->good, t->bad, out);
	add_rule(out);
	vec_foreach(&t->reason, r)
		strbuf_addf(out, "%10u : %s\n", r->bad, r->name);
	strbuf_addch(out, '\n');
}

static void add_insns(const struct view_types *t, struct strbuf *out)
{
	u32 good = 0, bad = 0;

	vec_foreach(&t->insn, i) {
		good += i->good;
		bad += i->bad;
	}
	add_total("Annotate Instruction stats", good, bad, out);
	strbuf_addf(out, "\n  %-20s: %5s %5s\n", "Name/opcode", "Good", "Bad");
	add_rule(out);
	vec_foreach(&t->insn, i)
		strbuf_addf(out, "  %-20s: %5u %5u\n", i->name, i->good, i->bad);
	strbuf_addch(out, '\n');
}

static void add_number(struct strbuf *out, u64 v)
{
	strbuf_addf(out, " %#10lx", v);
}

static void add_value(const struct view_data_type *t, const struct view_member *m,
		      const struct listing_opts *o, struct strbuf *out)
{
	if (o->period)
		strbuf_addf(out, "%12lu", m->period);
	else if (o->nr_samples)
		strbuf_addf(out, "%8lu", m->nr);
	else
		strbuf_addf(out, "%8.2f", percent(m->period, t->period));
}

static void add_end(u32 depth, const struct listing_opts *o, struct strbuf *out)
{
	strbuf_pad(out, ' ', listing_value_width(o) + 24 + 4 * depth);
	strbuf_addstr(out, "};\n");
}

static void add_member(const struct view_data_type *t, const struct view_member *m,
		       const struct listing_opts *o, struct strbuf *out)
{
	add_value(t, m, o, out);
	add_number(out, m->off);
	add_number(out, m->size);
	strbuf_pad(out, ' ', 2 + 4 * m->depth);
	strbuf_add_safe(out, m->type);
	strbuf_addch(out, '\t');
	strbuf_add_safe(out, m->name);
	if (m->bits)
		strbuf_addf(out, ":%u", m->bits);
	strbuf_addstr(out, m->is_struct ? " {\n" : ";\n");
}

static void add_type(const struct view_data_type *t, const struct listing_opts *o, bool event,
		     struct strbuf *out)
{
	const char *column = o->period ? "Period" : o->nr_samples ? "Samples" : "Percent";
	u32 open[64], nr = 0;

	strbuf_addstr(out, "Annotate type: '");
	strbuf_add_safe(out, t->name);
	strbuf_addstr(out, "' in ");
	strbuf_add_safe(out, t->dso);
	if (event) {
		strbuf_addstr(out, " for ");
		strbuf_add_safe(out, t->event);
	}
	strbuf_addf(out, " (%lu samples):\n", t->nr);
	strbuf_pad(out, '=', 76);
	strbuf_addf(out, "\n%*s %10s %10s  field\n", (int)listing_value_width(o), column, "offset", "size");
	vec_foreach(&t->member, m) {
		while (nr && open[nr - 1] >= m->depth)
			add_end(open[--nr], o, out);
		add_member(t, m, o, out);
		if (m->is_struct && nr < ARRAY_SIZE(open))
			open[nr++] = m->depth;
	}
	while (nr)
		add_end(open[--nr], o, out);
	strbuf_addch(out, '\n');
}

void types_text(const struct view_types *t, const struct types_opts *o, const struct listing_opts *lo,
		struct strbuf *out)
{
	bool events = false;

	vec_foreach(&t->type, v)
		events |= v->event != t->type.v[0].event;
	if (o->type_stat)
		add_reasons(t, out);
	if (o->insn_stat)
		add_insns(t, out);
	vec_foreach(&t->type, v)
		add_type(v, lo, events, out);
}
