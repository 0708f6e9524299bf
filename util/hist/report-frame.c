/* Report frame: see report-frame.h. */
#include "report-frame.h"

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
	vec_push(&v->head, "");
	strbuf_addf(&sb, "Total Lost Samples: %lu", s->nr_lost_samples);
	vec_push(&v->head, keep_text(v, &sb));
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
