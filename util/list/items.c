/* List: its entries as items of a view. */
#include "list.h"

static const char *const headings[LIST_NR_KINDS] = {
#define SECTION(kind, words, fn, heading, none) heading,
#include "sections.def"
#undef SECTION
};

static void item_of(const struct view_items *v, size_t i, struct view_item *ret)
{
	const struct list *l = v->ctx;
	const struct list_entry *e = &l->v[i];

	*ret = (struct view_item){
		.section = headings[e->kind], .topic = e->kind == LIST_TABLE ? e->topic : "", .name = e->name,
		.alias = e->alias, .tag = e->tag, .text = e->desc,
		/* the format of a tracepoint is for programs: people have --fields */
		.long_text = e->kind == LIST_TRACEPOINT ? "" : e->long_desc,
		.details = *e->expr ? e->expr : e->encoding, .threshold = e->threshold,
		.pattern = e->kind == LIST_RAW,
	};
}

/* keys and their order are upstream's; what is not known has no key */
static void add_facts(struct view_facts *f, const struct list_entry *e, const char *name)
{
	if (e->kind == LIST_METRIC) {
		view_fact_text(f, "MetricGroup", e->groups);
		view_fact_text(f, "MetricName", name);
		view_fact_text(f, "MetricExpr", e->expr);
		view_fact_text(f, "MetricThreshold", e->threshold);
		view_fact_text(f, "ScaleUnit", e->scale_unit);
		view_fact_text(f, "BriefDescription", e->desc);
		view_fact_text(f, "PublicDescription", e->long_desc);
		view_fact_text(f, "Unit", e->pmu);
	} else if (e->kind == LIST_METRICGROUP) {
		view_fact_text(f, "MetricGroup", name);
		view_fact_text(f, "BriefDescription", e->desc);
	} else {
		view_fact_text(f, "Unit", e->pmu);
		view_fact_text(f, "Topic", e->topic);
		view_fact_text(f, "EventName", name);
		view_fact_text(f, "ScaleUnit", e->scale_unit);
		view_fact_text(f, "EventType", e->json_tag ? e->json_tag : e->tag);
		view_fact_text(f, "Deprecated", e->deprecated ? "1" : NULL);
		view_fact_text(f, "BriefDescription", e->desc);
		view_fact_text(f, "PublicDescription", e->long_desc);
		view_fact_text(f, "Encoding", e->encoding);
	}
}

static bool object_of(const struct view_items *v, size_t i, u32 nth, struct view_facts *ret)
{
	const struct list *l = v->ctx;
	const struct list_entry *e = &l->v[i];
	/* an alias of a generic event is an event of its own to programs, as upstream has it */
	bool twice = *e->alias && (e->kind == LIST_SW || e->kind == LIST_HW);

	/* metrics name their groups */
	if (nth > twice || (e->kind == LIST_METRICGROUP && l->has_metrics))
		return false;
	add_facts(ret, e, nth ? e->alias : e->name);
	return true;
}

void list_items(const struct list *l, struct view_items *ret)
{
	*ret = (struct view_items){ .nr = l->nr, .item = item_of, .object = object_of, .ctx = l };
}
