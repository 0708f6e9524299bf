/* Wall: the lines above a report of --span: how long calls took, and for what the slow ones waited. */
#include "builtin-wall.h"
#include "util/base/histogram.h"
#include "util/base/strbuf.h"
#include "util/base/units.h"

#define SLOWEST_SHOWN 5u
#define PARTS_SHOWN 8u

struct wall_lines {
	struct view *v;
	struct strbuf text;
};

static void end_line(struct wall_lines *l)
{
	vec_push(&l->v->head, arena_strdup(&l->v->arena, strbuf_str(&l->text)));
	strbuf_reset(&l->text);
}

static void add_count(struct wall_lines *l, u64 nr, const char *what)
{
	if (nr)
		strbuf_addf(&l->text, "; %lu %s", nr, what);
}

static void add_calls(struct wall_lines *l, const char *function, const struct wall_spans *s)
{
	strbuf_addf(&l->text, "Calls of %s: %lu", function, (u64)s->call.nr);
	add_count(l, s->nr_inner, "more inside of them (recursion)");
	add_count(l, s->nr_open, "left out, without a return");
	add_count(l, s->nr_no_entry, "returned from calls whose beginning is not recorded");
	end_line(l);
}

static void add_latency(struct wall_lines *l, const struct wall_spans *s)
{
	static const u32 percent[] = { 50, 90, 99 };

	strbuf_addstr(&l->text, "Latency: shortest ");
	duration_text(&l->text, wall_span_ns(&s->call.v[s->call.nr - 1]));
	for (size_t i = 0; i < ARRAY_SIZE(percent); i++) {
		strbuf_addf(&l->text, ", %u %% within ", percent[i]);
		duration_text(&l->text, wall_spans_percentile(s, percent[i]));
	}
	strbuf_addstr(&l->text, ", longest ");
	duration_text(&l->text, wall_span_ns(&s->call.v[0]));
	end_line(l);
}

/* pads the text to that column */
static void pad(struct wall_lines *l, size_t column)
{
	while (l->text.len < column)
		strbuf_addch(&l->text, ' ');
}

static void add_histogram(struct wall_lines *l, const struct wall_spans *s)
{
	struct histogram_powers p;

	histogram_by_powers(&s->histogram, &p);
	for (u32 i = p.first; i < p.end; i++) {
		strbuf_addstr(&l->text, "  below ");
		duration_text(&l->text, histogram_start((i + 1) * HISTOGRAM_STEPS));
		pad(l, 22);
		strbuf_addf(&l->text, "%8lu ", p.count[i]);
		histogram_bar(&p, i, &l->text);
		end_line(l);
	}
}

static void add_states(struct wall_lines *l, const struct wall_span *c)
{
	const char *before = "";

	for (u32 i = 0; i < WALL_NR_STATES; i++) {
		if (!c->ns[i])
			continue;
		strbuf_addf(&l->text, "%s%s ", before, wall_state_word(i));
		duration_text(&l->text, c->ns[i]);
		before = ", ";
	}
}

static void add_slowest(struct wall_lines *l, const struct wall_spans *s)
{
	strbuf_addstr(&l->text, "Slowest calls (time of the beginning, thread, duration, states):");
	end_line(l);
	for (size_t i = 0; i < s->call.nr && i < SLOWEST_SHOWN; i++) {
		const struct wall_span *c = &s->call.v[i];

		strbuf_addf(&l->text, "  %lu.%09lu  %d  ", c->begin / 1000000000, c->begin % 1000000000,
			    c->tid);
		duration_text(&l->text, wall_span_ns(c));
		strbuf_addstr(&l->text, ": ");
		add_states(l, c);
		end_line(l);
	}
}

static void add_part(struct wall_lines *l, const struct wall_spans *s, const struct wall_span_part *p)
{
	strbuf_addstr(&l->text, "  +");
	duration_text(&l->text, wall_span_part_extra(s, p));
	pad(l, 16);
	strbuf_addstr(&l->text, wall_state_word(p->state));
	if (p->wait != WALL_WAIT_NONE)
		strbuf_addf(&l->text, " %s", wall_wait_word(p->wait));
	if (*p->target_name)
		strbuf_addf(&l->text, " %s", p->target_name);
	end_line(l);
}

static void add_difference(struct wall_lines *l, const struct wall_spans *s)
{
	if (!s->nr_slow) {
		strbuf_addstr(&l->text, "No call is much slower than the others");
		end_line(l);
		return;
	}
	strbuf_addf(&l->text, "What a slow call (%lu, from ", s->nr_slow);
	duration_text(&l->text, s->slow_from);
	strbuf_addf(&l->text, " on) has more than a fast one (%lu, up to ", s->nr_fast);
	duration_text(&l->text, s->fast_to);
	strbuf_addstr(&l->text, "), on average:");
	end_line(l);
	for (size_t i = 0; i < s->part.nr && i < PARTS_SHOWN; i++)
		if (wall_span_part_extra(s, &s->part.v[i]) > 0)
			add_part(l, s, &s->part.v[i]);
}

static void add_facts(const struct wall_spans *s, struct view *v)
{
	view_fact_number(&v->fact, "span-calls", s->call.nr);
	view_fact_number(&v->fact, "span-median-ns", wall_spans_percentile(s, 50));
	view_fact_number(&v->fact, "span-p90-ns", wall_spans_percentile(s, 90));
	view_fact_number(&v->fact, "span-p99-ns", wall_spans_percentile(s, 99));
	view_fact_number(&v->fact, "span-max-ns", wall_spans_percentile(s, 100));
}

void wall_describe_span(const struct wall_opts *o, struct view *v)
{
	struct wall_lines l = { .v = v, .text = STRBUF_INIT };

	add_calls(&l, o->span, &o->spans);
	if (o->spans.call.nr) {
		add_latency(&l, &o->spans);
		add_histogram(&l, &o->spans);
		add_slowest(&l, &o->spans);
		add_difference(&l, &o->spans);
	}
	add_facts(&o->spans, v);
	strbuf_release(&l.text);
}
