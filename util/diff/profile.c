/* Profile: see profile.h. */
#include "profile.h"

#include <stdlib.h>
#include "../fields/trace-keys.h"
#include "../hist/collect.h"
#include "../hist/filter-columns.h"
#include "diff.h"

int diff_profile_read(struct diff_profile *p, const struct diff_profile_opts *o, const char *path, u32 i,
		      struct err *err)
{
	struct session_opts so = o->session;
	struct hist_opts ho = { 0 };
	const struct data *d;
	int ret;

	so.data.path = path;
	ret = session_open(&p->session, &so, err);	/* its message names the file */
	if (ret)
		return ret;
	p->filter = o->filter;
	p->filter.time_spec = p->time = diff_time_of(o->filter.time_spec, i);
	d = p->session->data;
	p->sort = (struct sort_spec){ .sort = o->sort,
				      .trace = trace_keys_new(d->evset, &d->feat.tracing_data) };
	ret = o->choose(&ho, &p->sort, p->session, err);
	if (!ret)
		ret = sort_order_parse(&p->order, &p->sort, err);
	if (!ret)
		ret = sample_filter_parse(&p->filter, p->session, err);
	if (ret)
		return err_prefix(err, "%s: ", path);
	sort_order_keys(&p->order, &ho);
	hist_use_filter(&ho, &p->filter);
	p->hist = hist_collect(p->session, &ho);
	if (i)
		sample_filter_warn_empty(&p->filter, p->hist);
	return 0;
}

void diff_profile_release(struct diff_profile *p)
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
