/* Latency: see latency.h. */
#include "latency.h"

#include <errno.h>
#include "../fields/field-family.h"
#include "../session/parallelism.h"

/* the option or column that needs it; NULL: none does */
static const char *who_asks(const struct latency_opts *o, const struct sample_filter *filter,
			    const struct sort_order *order)
{
	if (o->first)
		return "--latency";
	if (filter->parallelism_list)
		return "--parallelism";
	for (u32 i = 0; i < order->nr_columns; i++)
		if (order->column[i]->needs & NEEDS_PARALLELISM)
			return order->column[i]->name;
	return NULL;
}

static void drop_latency(struct sort_order *order)
{
	sort_order_drop(order, &field_latency);
	sort_order_drop(order, &field_latency_children);
	order->maybe_latency = false;
}

void latency_prepare(const struct latency_opts *o, const struct session *s, struct sort_spec *spec)
{
	spec->latency_first = o->first;
	spec->has_latency = parallelism_recorded(s);
}

int latency_choose(struct latency_opts *o, const struct session *s, const struct sample_filter *filter,
		   struct sort_order *order, struct hist_opts *ho, struct err *err)
{
	const char *who = who_asks(o, filter, order);

	if (!who)
		return 0;
	if (!parallelism_recorded(s)) {
		err_set(err, -EINVAL, "%s: the profile does not say when tasks ran", who);
		err_hint(err, "record with perf record --latency");
		return -EINVAL;
	}
	o->parallelism = parallelism_new(s);
	if (order->maybe_latency && parallelism_max(o->parallelism) == 1)
		drop_latency(order);
	if (who_asks(o, filter, order))
		ho->parallelism = o->parallelism;
	for (u32 i = 0; i < order->nr_columns; i++)
		ho->latency |= (order->column[i]->needs & NEEDS_LATENCY) != 0;
	return 0;
}

void latency_forget(const struct hist *h, struct sort_order *order)
{
	if (order->maybe_latency && !h->parallel)
		drop_latency(order);
}

void latency_release(struct latency_opts *o)
{
	parallelism_free(o->parallelism);
}
