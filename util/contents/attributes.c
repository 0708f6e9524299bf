/* The attributes of events as a table of values. */
#include "contents.h"
#include "table.h"

#include <stdlib.h>
#include "../data/events.h"
#include "../event/attr.h"

struct event_row {
	const char *name, *pmu, *attributes;
	const struct event *ev;
};

static bool by_frequency(const struct event_row *r) { return r->ev->attr.flags & ATTR_FREQ; }

static const char *event_name(const void *row) { return ((const struct event_row *)row)->name; }
static const char *event_pmu(const void *row) { return ((const struct event_row *)row)->pmu; }
static const char *event_text(const void *row) { return ((const struct event_row *)row)->attributes; }
static u64 event_type(const void *row) { return ((const struct event_row *)row)->ev->attr.type; }
static u64 event_config(const void *row) { return ((const struct event_row *)row)->ev->attr.config; }
static u64 event_period(const void *row) { return ((const struct event_row *)row)->ev->attr.sample_period; }
static u64 event_bits(const void *row) { return ((const struct event_row *)row)->ev->attr.sample_type; }
static u64 event_leader(const void *row) { return ((const struct event_row *)row)->ev->leader; }
static u64 event_ids(const void *row) { return ((const struct event_row *)row)->ev->nr_ids; }

static const char *no_pmu(const void *row)
{
	return event_pmu(row)[0] ? NULL : "not recorded";
}

static const char *no_frequency(const void *row)
{
	return by_frequency(row) ? NULL : "sampled by period";
}

static const char *no_period(const void *row)
{
	return by_frequency(row) ? "sampled by frequency" : NULL;
}

static const struct view_field event_fields[] = {
	{ VIEW_NAME("event", "Event", VIEW_TEXT, 1), .text = event_name },
	{ VIEW_NAME("pmu", "PMU", VIEW_TEXT, 1), .text = event_pmu, .absent = no_pmu },
	{ VIEW_COUNT("type", "Type", VIEW_NUMBER, 1), .number = event_type },
	{ VIEW_COUNT("config", "Config", VIEW_ADDRESS, 1), .number = event_config },
	{ VIEW_COUNT("sample-frequency", "Frequency", VIEW_NUMBER, 1), .number = event_period,
	  .absent = no_frequency },
	{ VIEW_COUNT("sample-period", "Period", VIEW_NUMBER, 1), .number = event_period,
	  .absent = no_period },
	{ VIEW_COUNT("sample-type", "Sample Type", VIEW_ADDRESS, 1), .number = event_bits },
	{ VIEW_COUNT("leader", "Leader", VIEW_NUMBER, 1), .number = event_leader },
	{ VIEW_COUNT("ids", "Ids", VIEW_NUMBER, 1), .number = event_ids },
	{ VIEW_NAME("attributes", "Attributes", VIEW_TEXT, 1), .text = event_text },
};

void contents_add_attributes(const struct data *data, struct view *v)
{
	size_t nr = data->evset->ev.nr;
	struct event_row *rows = xcalloc(nr + 1, sizeof(*rows));
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < nr; i++) {
		const struct event *ev = evset_at(data->evset, i);
		const char *pmu = data_pmu_name(data, &ev->attr);

		strbuf_reset(&text);
		pe_attr_print(&ev->attr, pmu, ev->tp_system ? ev->name : NULL, ": ", &text);
		rows[i] = (struct event_row){ .name = ev->name, .pmu = pmu ? pmu : "", .ev = ev,
					      .attributes = arena_strdup(&v->arena, strbuf_str(&text)) };
	}
	strbuf_release(&text);
	contents_add_table(v, "attributes", "events", event_fields, ARRAY_SIZE(event_fields), rows, nr,
			   sizeof(*rows));
}
