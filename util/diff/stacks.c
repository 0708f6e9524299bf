/* Stacks: see stacks.h. */
#include "stacks.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include "../fields/trace-keys.h"
#include "../hist/report-view.h"
#include "diff.h"

/* whole stacks, from the outermost caller on, below the keys */
static void choose(struct hist_opts *ho, struct sort_spec *sort, const struct session *s)
{
	bool chains = evset_samples(s->data->evset, PERF_SAMPLE_CALLCHAIN);

	ho->chains = ho->inlines = chains;
	ho->chain = (struct chain_opts){ .mode = CHAIN_MODE_FOLDED, .caller = true, .caller_set = true };
	ho->max_stack = 127;
	sort->default_sort = chains ? "comm" : "comm,dso,symbol";
	sort->show_total_period = true;
}

static int read_profile(struct diff_profile *p, const struct diff_stacks_opts *o, const char *path, u32 i,
			struct err *err)
{
	struct session_opts so = o->session;
	struct hist_opts ho = { 0 };
	int ret;

	so.data.path = path;
	ret = session_open(&p->session, &so, err);	/* its message names the file */
	if (ret)
		return ret;
	p->filter = o->filter;
	p->filter.time_spec = p->time = diff_time_of(o->filter.time_spec, i);
	p->sort = (struct sort_spec){ .sort = o->sort, .trace = trace_keys_new(p->session) };
	choose(&ho, &p->sort, p->session);
	ret = sort_order_parse(&p->order, &p->sort, err);
	if (!ret)
		ret = sample_filter_parse(&p->filter, p->session, err);
	if (ret)
		return err_prefix(err, "%s: ", path);
	sort_order_keys(&p->order, &ho);
	hist_use_filter(&ho, &p->filter);
	p->hist = hist_collect(p->session, &ho);
	p->view = report_view(p->hist, &(struct report_view_opts){ .order = &p->order, .filter = &p->filter,
								   .group = GROUP_NONE, .no_widths = true });
	return 0;
}

static struct view_table *table_of(const struct view *v, const char *event)
{
	vec_foreach(&v->table, t)
		if ((*t)->member.nr && !strcmp((*t)->member.v[0], event))
			return *t;
	return NULL;
}

static int match(struct diff_stacks *st, struct err *err)
{
	struct view *v = st->after.view;
	size_t nr = 0;

	vec_foreach(&v->table, t) {
		(*t)->before = (*t)->member.nr ? table_of(st->before.view, (*t)->member.v[0]) : NULL;
		if ((*t)->before)
			v->table.v[nr++] = *t;
	}
	v->table.nr = nr;
	v->name = "diff";
	return nr ? 0 : err_set(err, -ENOENT, "the two files have no event in common");
}

int diff_stacks_read(struct diff_stacks *st, const struct diff_stacks_opts *o, const char *before,
		     const char *after, void (*warn)(const struct diag *diag), struct err *err)
{
	struct diff_profile *p = &st->before;
	int ret = 0;

	*st = (struct diff_stacks){ 0 };
	for (u32 i = 0; i < 2 && !ret; i++, p = &st->after) {
		ret = read_profile(p, o, i ? after : before, i, err);
		if (p->session)
			warn(&p->session->diag);
	}
	return ret ? ret : match(st, err);
}

static void release(struct diff_profile *p)
{
	if (p->view)
		view_free(p->view);
	if (p->hist)
		hist_free(p->hist);
	sample_filter_release(&p->filter);
	trace_keys_free(p->sort.trace);
	if (p->session)
		session_close(p->session);
	free(p->time);
}

void diff_stacks_release(struct diff_stacks *st)
{
	release(&st->before);
	release(&st->after);
}
