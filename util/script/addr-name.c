/* Addr-name: addresses of code, or of data in the sampled process. */
#include "addr-name.h"

/* only page faults are known to have their address inside the sampled process */
static bool addr_is_code_or_data(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE &&
	       (ev->attr.config == PERF_COUNT_SW_PAGE_FAULTS ||
		ev->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		ev->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ);
}

bool line_addr_has_name(const struct event_view *v, const struct event *ev)
{
	return v->branch || addr_is_code_or_data(ev);
}

bool line_addr_is_named(const struct event_view *v, const struct event *ev)
{
	return v->mask & (FIELD_BIT(SYM) | FIELD_BIT(DSO)) && line_addr_has_name(v, ev);
}
