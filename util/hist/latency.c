/* Latency: see latency.h. */
#include "latency.h"

#include <errno.h>

/* the column or option that asks; NULL: nothing does */
static const char *who_asks(const struct hit_filter *filter, const struct sort_order *order)
{
	for (u32 i = 0; i < order->nr_columns; i++)
		if (order->column[i]->needs & NEEDS_PARALLELISM)
			return order->column[i]->name;
	return filter->parallelism_list ? "--parallelism" : NULL;
}

int latency_choose(struct latency_opts *o, const struct session *s, const struct hit_filter *filter, const struct sort_order *order,
		   struct hist_opts *ho, struct err *err)
{
	const char *who = who_asks(filter, order);

	if (!who)
		return 0;
	if (!parallelism_recorded(s)) {
		err_set(err, -EINVAL, "%s: the profile does not say when tasks ran", who);
		err_hint(err, "record with perf record --latency");
		return -EINVAL;
	}
	ho->parallelism = o->parallelism = parallelism_new(s);
	return 0;
}

void latency_release(struct latency_opts *o)
{
	parallelism_free(o->parallelism);
}
