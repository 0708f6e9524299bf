/* evlist.config(): attributes of events that are to be sampled, where the caller has not set them. */
#include "opened.h"
#include "../util/observe/sample-attr.h"

#define DEFAULT_FREQ 4000u

static bool is_dummy(const struct pe_attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_DUMMY;
}

static void sample_event_attr(struct pe_attr *a, bool tracks)
{
	u64 most = perf_max_sample_rate();

	a->sample_type |= ABI_SAMPLE_IP | ABI_SAMPLE_TID | ABI_SAMPLE_TIME | ABI_SAMPLE_CPU |
		ABI_SAMPLE_PERIOD;
	a->read_format |= ABI_READ_ID | ABI_READ_LOST;
	a->flags |= ATTR_SAMPLE_ID_ALL | ATTR_DISABLED;
	if (!a->sample_period && !is_dummy(a)) {
		a->sample_period = most && most < DEFAULT_FREQ ? most : DEFAULT_FREQ;
		a->flags |= ATTR_FREQ;
	}
	if (!a->wakeup_events)
		a->wakeup_events = 1;
	if (tracks)
		a->flags |= ATTR_TASK | ATTR_COMM | ATTR_COMM_EXEC | ATTR_MMAP | ATTR_MMAP2;
}

bool evsels_config(PyObject *const *evsels, size_t nr)
{
	u64 all = 0, common = UINT64_MAX;

	for (size_t i = 0; i < nr; i++) {
		u32 idx;

		if (evsel_opened(evsels[i], &idx)->is_open) {
			PyErr_SetString(PyExc_ValueError,
					"the events are open: config() comes before open()");
			return false;
		}
	}
	for (size_t i = 0; i < nr; i++) {
		struct event *ev = evsel_event(evsels[i]);

		if (event_is_tool(ev))
			continue;
		sample_event_attr(&ev->attr, evsel_tracking(evsels[i]));
		all |= ev->attr.sample_type;
		common &= ev->attr.sample_type;
	}
	/* records of several events in one ring: by an id, at a place that their other fields do not move */
	for (size_t i = 0; i < nr && nr > 1; i++)
		evsel_event(evsels[i])->attr.sample_type |= all == common ? ABI_SAMPLE_ID :
			ABI_SAMPLE_IDENTIFIER;
	return true;
}
