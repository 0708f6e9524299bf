/* Report frame: see report-frame.h. */
#include "report-frame.h"

#include "sort-order.h"
#include "stack-summary.h"

static const char *keep_text(struct view *v, struct strbuf *sb)
{
	const char *s = arena_strdup(&v->arena, strbuf_str(sb));

	strbuf_reset(sb);
	return s;
}

static const char *const tips[] = {
#define TIP(text) text,
#include "tips.def"
#undef TIP
};

/* for pictures, which also say how many of the frames that are kept they do not show */
static void add_cut_notes(struct view *v, const struct hist *h, struct strbuf *sb)
{
	for (u32 e = 0; e < h->nr_events; e++) {
		const struct hist_event *ev = &h->event[e];
		u64 all = MIN(ev->total.period, ev->shown.period);

		if (!ev->cut_period)
			continue;
		strbuf_addstr(sb, "frames with less than ");
		strbuf_addf(sb, "%g %% of ", 100.0 / h->opts.cut);
		strbuf_add_safe(sb, evset_at(h->session->data->evset, e)->name);
		strbuf_addf(sb, " are left out; %.2f %% were counted in such frames",
			    100.0 * ev->cut_period / all);
		vec_push(&v->note, keep_text(v, sb));
	}
}

void report_frame(struct view *v, const struct hist *h, const struct report_view_opts *o)
{
	const struct session *s = h->session;
	struct strbuf sb = STRBUF_INIT;

	if (!o->header_shown) {
		vec_push(&v->head,
			 "To display the perf.data header info, please use --header/--header-only options.");
		vec_push(&v->head, "");
	}
	for (u32 i = 0; i < o->order->nr_only; i++) {
		strbuf_addf(&sb, "%s: ", o->order->only[i].key);
		strbuf_add_safe(&sb, o->order->only[i].value);
		vec_push(&v->note, keep_text(v, &sb));
		vec_push(&v->head, v->note.v[i]);
	}
	add_cut_notes(v, h, &sb);
	vec_push(&v->head, "");
	strbuf_addf(&sb, "Total Lost Samples: %lu", s->nr_lost_samples);
	vec_push(&v->head, keep_text(v, &sb));
	if (s->nr_filtered_samples) {
		strbuf_addf(&sb, "Samples left out by --filter: %lu", s->nr_filtered_samples);
		vec_push(&v->head, keep_text(v, &sb));
	}
	stack_summary_text(h, &sb);
	if (sb.len)
		vec_push(&v->head, keep_text(v, &sb));
	vec_push(&v->head, "");
	/* chosen by the file, not by chance: the same report gives the same text */
	strbuf_addf(&sb, "(Tip: %s)", tips[s->nr_samples % ARRAY_SIZE(tips)]);
	vec_push(&v->foot, "");
	vec_push(&v->foot, keep_text(v, &sb));
	vec_push(&v->foot, "");
	strbuf_release(&sb);
}
