/* Tool events and sensors: see parse-tools.h. */
#include "parse-tools.h"
#include "parse-terms.h"

#include <errno.h>
#include <stdio.h>
#include "../base/units.h"
#include "../count/tool-events.h"

static const struct hwmon_list *sensors(struct parser *ps)
{
	if (!ps->hwmon_scanned)
		hwmon_scan(&ps->hwmon);
	ps->hwmon_scanned = true;
	return &ps->hwmon;
}

static struct event *add_tool_event(struct parser *ps, const struct tool_row *row)
{
	struct event *ev = parse_add_event(ps, PE_TYPE_TOOL, row ? row->config : 0);

	ev->pmu = "tool";
	ev->unit = row ? row->unit : "";
	ev->snapshot = row && row->kind == TOOL_FACT;
	return ev;
}

static struct event *add_sensor(struct parser *ps, const struct hwmon_sensor *s, u64 config)
{
	struct event *ev = parse_add_event(ps, PE_TYPE_HWMON + s->hwmon, config);

	ev->pmu = hwmon_pmu_name(sensors(ps), s, &ps->set->arena);
	ev->unit = s->unit;
	ev->scale = s->scale;
	ev->snapshot = true;
	return ev;
}

/* applies the terms that do not name the event */
static int apply_rest(struct parser *ps, struct event *ev, const struct terms *terms, const struct term *but,
		      struct span whole)
{
	struct pmu own = { .name = ev->pmu };
	struct terms rest = { 0 };
	int ret;

	for (size_t i = 0; i < terms->nr; i++)
		if (&terms->v[i] != but)
			vec_push(&rest, terms->v[i]);
	ret = terms_apply(ps, ev, &rest, &own, whole);
	vec_release(&rest);
	return ret;
}

/* "slots" is an event of some PMUs, which is tried first */
static const struct tool_row *find_tool(struct parser *ps, struct span word)
{
	const struct tool_row *row = tool_row_find(word.s, word.len);

	return row && (!span_is(word, "slots") || tool_row_available(row)) ? row : NULL;
}

bool is_tool_name(struct parser *ps, struct span word)
{
	const struct hwmon_list *l;
	u64 config;

	if (tool_row_find(word.s, word.len))
		return true;
	l = sensors(ps);
	for (size_t i = 0; i < l->nr; i++)
		if (!hwmon_find(l, l->v[i].hwmon, word.s, word.len, &config, NULL))
			return true;
	return false;
}

/* several chips have it: the events from first on get the names of their chips */
static void name_by_chip(struct parser *ps, u32 first, struct span sensor)
{
	for (u32 i = first; ps->set->ev.nr > first + 1 && i < ps->set->ev.nr; i++) {
		struct event *ev = evset_at(ps->set, i);
		char name[256];

		snprintf(name, sizeof(name), "%s/%.*s/", ev->pmu, (int)MIN(sensor.len, (size_t)100),
			 sensor.s);
		if (!ev->name[0])
			ev->name = arena_strdup(&ps->set->arena, name);
	}
}

/* one event per chip that has such a sensor */
static int parse_sensor_name(struct parser *ps, struct span word, const struct terms *terms,
			     struct span whole)
{
	const struct hwmon_list *l = sensors(ps);
	u32 first = ps->set->ev.nr, last_hwmon = UINT32_MAX;
	int ret = 0;

	for (size_t i = 0; !ret && i < l->nr; i++) {
		const struct hwmon_sensor *s;
		struct event *ev;
		u64 config;

		if (l->v[i].hwmon == last_hwmon)
			continue;
		last_hwmon = l->v[i].hwmon;
		if (hwmon_find(l, last_hwmon, word.s, word.len, &config, &s))
			continue;
		ev = add_sensor(ps, s, config);
		if (terms)
			ret = apply_rest(ps, ev, terms, NULL, whole);
	}
	name_by_chip(ps, first, word);
	return ret ? ret : ps->set->ev.nr == first;
}

int parse_tool_name(struct parser *ps, struct span word, const struct terms *terms, struct span whole)
{
	const struct tool_row *row = find_tool(ps, word);
	struct event *ev;

	if (!row)
		return parse_sensor_name(ps, word, terms, whole);
	ev = add_tool_event(ps, row);
	return terms ? apply_rest(ps, ev, terms, NULL, whole) : 0;
}

static int parse_tool_pmu(struct parser *ps, const struct terms *terms, struct span whole)
{
	const struct tool_row *row = NULL;
	const struct term *named = NULL;

	for (size_t i = 0; !row && i < terms->nr; i++) {
		const struct term *t = &terms->v[i];
		u64 config;

		if (!t->has_value && (row = find_tool(ps, t->name)))
			named = t;
		else if (span_is(t->name, "config") && t->has_value && !span_u64(t->value, &config))
			row = tool_row_by_config(config);
	}
	if (!row && !terms->nr)
		return parse_err(ps, -EINVAL, whole, "an event is missing: like tool/duration_time/");
	return apply_rest(ps, add_tool_event(ps, row), terms, named, whole);
}

static int err_no_sensor(struct parser *ps, struct span word, struct span where)
{
	const struct hwmon_list *l = sensors(ps);
	struct strbuf near = STRBUF_INIT;
	struct nearest n;
	int ret;

	nearest_init(&n, where.s, where.len);
	for (size_t i = 0; i < l->nr; i++) {
		nearest_offer(&n, l->v[i].name);
		nearest_offer(&n, l->v[i].file_name);
	}
	nearest_describe(&n, &near);
	ret = parse_err(ps, -ENOENT, where, "%.*s has no such sensor%s", (int)MIN(word.len, (size_t)100),
			word.s, strbuf_str(&near));
	strbuf_release(&near);
	return ret;
}

/* hwmon_NAME, a glob of it, or hwmonN */
static bool chip_matches(const struct hwmon_sensor *s, struct span word)
{
	char name[128], number[32];
	const struct pmu pmu = { .name = name };

	snprintf(name, sizeof(name), "hwmon_%s", s->chip);
	snprintf(number, sizeof(number), "hwmon%u", s->hwmon);
	return span_is(word, number) || span_is(word, name) ||
	       (memchr(word.s, '*', word.len) && pmu_matches(&pmu, word.s, word.len));
}

static int parse_hwmon_pmu(struct parser *ps, struct span word, const struct terms *terms, struct span whole)
{
	const struct hwmon_list *l = sensors(ps);
	u32 first = ps->set->ev.nr, last_hwmon = UINT32_MAX;
	bool any = false;
	int ret = 0;

	for (size_t i = 0; !ret && i < l->nr; i++) {
		const struct hwmon_sensor *s;
		u64 config;

		if (l->v[i].hwmon == last_hwmon || !chip_matches(&l->v[i], word))
			continue;
		last_hwmon = l->v[i].hwmon;
		any = true;
		if (!terms->nr || terms->v[0].has_value)
			return parse_err(ps, -EINVAL, whole,
					 "a sensor is expected first, like hwmon_coretemp/temp1/");
		if (!hwmon_find(l, last_hwmon, terms->v[0].name.s, terms->v[0].name.len, &config, &s))
			ret = apply_rest(ps, add_sensor(ps, s, config), terms, &terms->v[0], whole);
	}
	if (!any)
		return 1;
	if (terms->nr)
		name_by_chip(ps, first, terms->v[0].name);
	return !ret && ps->set->ev.nr == first ? err_no_sensor(ps, word, terms->v[0].name) : ret;
}

int parse_tool_pmu_event(struct parser *ps, struct span word, const struct terms *terms, struct span whole)
{
	if (span_is(word, "tool"))
		return parse_tool_pmu(ps, terms, whole);
	return word.len >= 5 && !memcmp(word.s, "hwmon", 5) ? parse_hwmon_pmu(ps, word, terms, whole) : 1;
}

void nearest_offer_tools(struct parser *ps, struct nearest *n)
{
	const struct hwmon_list *l = sensors(ps);

	for (size_t i = 0; i < nr_tool_rows; i++)
		nearest_offer(n, tool_rows[i].name);
	for (size_t i = 0; i < l->nr; i++)
		nearest_offer(n, l->v[i].name);
}
