/* perf report --html: the code of the hottest functions. */
#include "builtin-report.h"

#include <errno.h>

#define LEAST_PERCENT 1.0	/* of an event */

/* of several events, each has its part of the functions */
static void choose_functions(struct report_code *c, u32 max)
{
	const struct annotate *a = &c->annotate;
	u32 of_event = 0, each = MAX(max / MAX(a->hist->nr_events, 1u), 1u);

	for (size_t i = 0; i < a->function.nr; i++) {
		of_event = i && a->function.v[i].event == a->function.v[i - 1].event ? of_event + 1 : 0;
		if (of_event < each && c->listing.nr < MAX(max, a->hist->nr_events))
			vec_push(&c->listing, (struct view_listing){ .start = i });
	}
}

static int count(struct report_code *c, struct report_answer *a, const struct report_opts *given,
		 struct err *err)
{
	int ret;

	if (data_from_pipe(&given->session.data))
		return err_set(err, -ESPIPE, "the recording came through a pipe, which is read only once");
	c->opts = given->code;
	c->opts.filter = given->filter;
	c->opts.min_percent = LEAST_PERCENT;
	ret = annotate_collect(&c->annotate, a->s, &c->opts, err);
	c->counted = true;
	return ret;
}

void report_code_add(struct report_code *c, struct report_answer *a, const struct report_opts *given)
{
	struct err err = ERR_INIT;

	*c = (struct report_code){ 0 };
	if (!given->picture.time || !given->html_code)
		return;
	if (count(c, a, given, &err)) {
		a->v->no_code = arena_strdup(&a->v->arena, err.msg);
		return;
	}
	choose_functions(c, given->html_code);
	vec_foreach(&c->listing, l) {
		annotate_listing(&c->annotate, l->start, &a->v->arena, l);
		vec_push(&a->v->code, l);
	}
}

void report_code_release(struct report_code *c)
{
	vec_foreach(&c->listing, l)
		annotate_listing_release(l);
	vec_release(&c->listing);
	if (c->counted)
		annotate_release(&c->annotate);
}
