/* Terms between slashes: "period=1000,call-graph=fp", "event=0x3c,umask=1", names of sysfs events. */
#include "parse-internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../base/units.h"
#include "../sys/record-attr.h"

#define ALIAS_DEPTH_MAX 4	/* a sysfs event may name formats only, but files can say anything */

/* a value ends at ',' or '/', unless it is in quotes */
static size_t value_length(const char *s)
{
	const char *end = *s == '\'' || *s == '"' ? strchr(s + 1, *s) : NULL;

	return end ? end + 1 - s + strcspn(end + 1, ",/") : strcspn(s, ",/");
}

int terms_parse(struct parser *ps, struct terms *ret)
{
	const char *open = ps->p - 1;

	for (;;) {
		struct term t = { .name = { ps->p, strcspn(ps->p, "=,/") } };

		ps->p += t.name.len;
		if (*ps->p == '=') {
			t.has_value = true;
			t.value.s = ++ps->p;
			t.value.len = value_length(ps->p);
			ps->p += t.value.len;
		}
		if (!*ps->p)
			return parse_err(ps, -EINVAL, (struct span){ open, 1 }, "the terms have no closing '/'");
		if (!t.name.len && (t.has_value || *ps->p == ',' || ret->nr))
			return parse_err(ps, -EINVAL, (struct span){ ps->p, 1 }, "a term is expected here");
		if (t.has_value && !t.value.len)
			return parse_err(ps, -EINVAL, t.name, "term '%.*s=' has no value",
					 (int)MIN(t.name.len, (size_t)80), t.name.s);
		if (t.name.len)
			vec_push(ret, t);
		if (*ps->p++ == '/')
			return 0;
	}
}

/* ---- generic terms ---- */

static int set_period(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	ev->attr.sample_period = v;
	ev->attr.flags &= ~ATTR_FREQ;
	ev->term_flags = (ev->term_flags & ~EVENT_TERM_FREQ) | EVENT_TERM_PERIOD;
	return 0;
}

static int set_freq(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	ev->attr.sample_period = v;
	ev->attr.flags |= ATTR_FREQ;
	ev->term_flags = (ev->term_flags & ~EVENT_TERM_PERIOD) | EVENT_TERM_FREQ;
	return 0;
}

static int set_config(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	u64 *const words[] = { &ev->attr.config, &ev->attr.config1, &ev->attr.config2, &ev->attr.config3,
			       &ev->attr.config4 };
	char digit = t->name.s[t->name.len - 1];

	*words[isdigit((unsigned char)digit) ? digit - '0' : 0] = v;
	return 0;
}

static int set_name(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	struct span s = t->value;

	if (s.len > 2 && (s.s[0] == '\'' || s.s[0] == '"') && s.s[s.len - 1] == s.s[0]) {
		s.s++;
		s.len -= 2;
	}
	ev->name = span_dup(ps, s);
	return 0;
}

static int set_time(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	ev->term_flags |= v ? EVENT_TERM_TIME : EVENT_TERM_TIME_OFF;
	return 0;
}

static int set_call_graph(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	static const char *const modes[] = { "fp", "dwarf", "lbr", "no" };

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if (span_is(t->value, modes[i])) {
			ev->term_call_graph = modes[i];
			ev->term_flags |= EVENT_TERM_CALL_GRAPH;
			return 0;
		}
	return parse_err(ps, -EINVAL, t->value, "call-graph is one of fp, dwarf, lbr, no");
}

static int set_stack_size(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	if (!v || v > 65528)
		return parse_err(ps, -EINVAL, t->value, "the stack dump size is 8 to 65528 bytes");
	ev->term_stack_size = ALIGN_UP((u32)v, 8);
	return 0;
}

static int set_max_stack(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	if (v > UINT16_MAX)
		return parse_err(ps, -ERANGE, t->value, "max-stack is at most %u", UINT16_MAX);
	ev->term_max_stack = v;
	ev->term_flags |= EVENT_TERM_MAX_STACK;
	return 0;
}

static int set_inherit(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	bool on = span_is(t->name, "inherit") == !!v;

	ev->term_flags &= ~(EVENT_TERM_INHERIT | EVENT_TERM_NO_INHERIT);
	ev->term_flags |= on ? EVENT_TERM_INHERIT : EVENT_TERM_NO_INHERIT;
	return 0;
}

static int set_overwrite(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	bool on = span_is(t->name, "overwrite") == !!v;

	ev->term_flags &= ~(EVENT_TERM_OVERWRITE | EVENT_TERM_NO_OVERWRITE);
	ev->term_flags |= on ? EVENT_TERM_OVERWRITE : EVENT_TERM_NO_OVERWRITE;
	return 0;
}

static int set_branch_type(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	struct err err = ERR_INIT;

	if (parse_branch_filter(span_dup(ps, t->value), &ev->attr.branch_sample_type, &err))
		return parse_err(ps, -EINVAL, t->value, "%s", err.msg);
	ev->term_flags |= EVENT_TERM_BRANCH;
	return 0;
}

static int set_percore(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	if (v)
		ev->term_flags |= EVENT_TERM_PERCORE;
	return 0;
}

static int set_aux_output(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	ev->attr.flags = v ? ev->attr.flags | ATTR_AUX_OUTPUT : ev->attr.flags & ~ATTR_AUX_OUTPUT;
	return 0;
}

static int set_aux_sample_size(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	if (v > UINT32_MAX)
		return parse_err(ps, -ERANGE, t->value, "aux-sample-size is at most %u", UINT32_MAX);
	ev->attr.aux_sample_size = v;
	ev->term_flags |= EVENT_TERM_AUX_SAMPLE;
	return 0;
}

/* perf_event_attr.aux_action: start_paused, pause, resume, lowest bit first */
static int set_aux_action(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	static const char *const actions[] = { "start-paused", "pause", "resume" };

	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (span_is(t->value, actions[i])) {
			ev->attr.aux_action |= 1u << i;
			return 0;
		}
	return parse_err(ps, -EINVAL, t->value, "aux-action is one of start-paused, pause, resume");
}

/* those of the PMU's CPUs that were asked for; none left: the event is dropped once its terms are done (parse-groups.c) */
static void restrict_cpus(struct parser *ps, struct event *ev, const struct cpulist *list)
{
	int *cpus = arena_alloc(&ps->set->arena, MAX(list->nr, (size_t)1) * sizeof(*cpus));
	u32 n = 0;

	for (size_t i = 0; i < list->nr; i++) {
		bool ours = !ev->nr_cpus;

		for (u32 k = 0; k < ev->nr_cpus; k++)
			ours |= ev->cpus[k] == list->v[i];
		if (ours)
			cpus[n++] = list->v[i];
	}
	ev->cpus = cpus;
	ev->nr_cpus = n;
}

static int set_cpu(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	struct cpulist list = { 0 };
	struct err err = ERR_INIT;
	struct pmu *pmu = pmus_find(&ps->pmus, t->value.s, t->value.len);

	if (pmu) {
		for (size_t i = 0; i < pmu->cpus.nr; i++)
			cpulist_add(&list, pmu->cpus.v[i]);
	} else if (cpulist_parse(&list, span_dup(ps, t->value), &err)) {
		vec_release(&list);
		return parse_err(ps, -EINVAL, t->value, "term cpu= takes a CPU, a range of CPUs or a PMU");
	}
	if (list.nr)
		restrict_cpus(ps, ev, &list);
	ev->term_flags |= EVENT_TERM_CPU;
	vec_release(&list);
	return 0;
}

static int set_metric_id(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	ev->metric_id = span_dup(ps, t->value);
	return 0;
}

static int set_nr(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	if (v > UINT32_MAX)
		return parse_err(ps, -ERANGE, t->value, "nr is at most %u", UINT32_MAX);
	ev->term_max_events = v;
	return 0;
}

static int set_ratio_to_prev(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	char buf[40], *end;
	double d;

	snprintf(buf, sizeof(buf), "%.*s", (int)MIN(t->value.len, sizeof(buf) - 1), t->value.s);
	d = strtod(buf, &end);
	if (*end || !(d > 0) || d > 1e9)
		return parse_err(ps, -EINVAL, t->value, "ratio-to-prev is a number above 0, like 0.5");
	vec_push(&ps->ratio, (struct ratio){ ev, t->value, d });
	return 0;
}

static int err_driver_config(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	return parse_err(ps, -EINVAL, t->name, "what a driver is told is written with @: like cs_etm/@tmc_etr0/");
}

enum term_value { VALUE_NUM, VALUE_STR };

/* pmu_only: makes no sense for the kernel's generic events */
static const struct term_row {
	const char *name;
	enum term_value value;
	bool pmu_only;
	int (*set)(struct parser *ps, struct event *ev, const struct term *t, u64 v);
} term_rows[] = {
	{ "config", VALUE_NUM, true, set_config },
	{ "config1", VALUE_NUM, true, set_config },
	{ "config2", VALUE_NUM, true, set_config },
	{ "config3", VALUE_NUM, true, set_config },
	{ "config4", VALUE_NUM, true, set_config },
	{ "name", VALUE_STR, false, set_name },
	{ "period", VALUE_NUM, false, set_period },
	{ "freq", VALUE_NUM, false, set_freq },
	{ "branch_type", VALUE_STR, false, set_branch_type },
	{ "time", VALUE_NUM, false, set_time },
	{ "call-graph", VALUE_STR, false, set_call_graph },
	{ "stack-size", VALUE_NUM, false, set_stack_size },
	{ "no-inherit", VALUE_NUM, false, set_inherit },
	{ "inherit", VALUE_NUM, false, set_inherit },
	{ "max-stack", VALUE_NUM, false, set_max_stack },
	{ "nr", VALUE_NUM, false, set_nr },
	{ "overwrite", VALUE_NUM, false, set_overwrite },
	{ "no-overwrite", VALUE_NUM, false, set_overwrite },
	{ "percore", VALUE_NUM, false, set_percore },
	{ "aux-output", VALUE_NUM, false, set_aux_output },
	{ "aux-sample-size", VALUE_NUM, false, set_aux_sample_size },
	{ "aux-action", VALUE_STR, false, set_aux_action },
	{ "cpu", VALUE_STR, false, set_cpu },
	{ "metric-id", VALUE_STR, false, set_metric_id },
	{ "driver-config", VALUE_STR, false, err_driver_config },
	{ "ratio-to-prev", VALUE_STR, false, set_ratio_to_prev },
};

static const struct term_row *find_row(struct span name)
{
	for (size_t i = 0; i < ARRAY_SIZE(term_rows); i++)
		if (span_is(name, term_rows[i].name))
			return &term_rows[i];
	return NULL;
}

/* why digits are no number */
static const char *of_64_bits(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!isxdigit((unsigned char)s.s[i]) && !(i == 1 && s.s[0] == '0' && s.s[1] == 'x'))
			return "";
	return isdigit((unsigned char)*s.s) && s.len > 16 ? " of 64 bits" : "";
}

static int apply_row(struct parser *ps, struct event *ev, const struct term_row *row, const struct term *t)
{
	u64 v = 1;

	if (row->value == VALUE_STR && !t->has_value)
		return parse_err(ps, -EINVAL, t->name, "term '%s' needs a value", row->name);
	if (row->value == VALUE_NUM && t->has_value && span_u64(t->value, &v))
		return parse_err(ps, -EINVAL, t->value, "term '%s' needs a number%s", row->name, of_64_bits(t->value));
	return row->set(ps, ev, t, v);
}

/* ---- terms of the PMU ---- */

static int apply_format(struct parser *ps, struct event *ev, const struct pmu *pmu, const struct pmu_format *f,
			const struct term *t)
{
	u64 v = 1;

	if (t->has_value && span_u64(t->value, &v))
		return parse_err(ps, -EINVAL, t->value, "term '%s' of PMU %s needs a number%s", f->name, pmu->name,
				 of_64_bits(t->value));
	if (pmu_format_set(f, &ev->attr, v))
		return parse_err(ps, -ERANGE, t->value, "value 0x%llx is too large for '%s' of PMU %s: the largest is 0x%llx",
				 (unsigned long long)v, f->name, pmu->name, (unsigned long long)pmu_format_max(f));
	return 0;
}

/* "event=0x3c,umask=0x1" of a sysfs event; a value of ? must come from the other terms of the user */
static int apply_alias(struct parser *ps, struct event *ev, const struct pmu *pmu, const struct pmu_event *alias,
		       const struct terms *user, struct span where)
{
	const char *p = alias->terms;

	while (*p) {
		struct span name = { p, strcspn(p, "=,") }, value = { NULL, 0 };
		const struct pmu_format *f = pmu_format(pmu, name.s, name.len);
		const struct term_row *row = f ? NULL : find_row(name);
		u64 v = 1;

		p += name.len;
		if (*p == '=') {
			value = (struct span){ p + 1, strcspn(p + 1, ",") };
			p += 1 + value.len;
		}
		p += *p == ',';
		if (span_is(value, "?")) {
			bool given = false;

			for (size_t i = 0; i < user->nr; i++)
				given |= user->v[i].has_value && user->v[i].name.len == name.len &&
					 !memcmp(user->v[i].name.s, name.s, name.len);
			if (given)
				continue;
			return parse_err(ps, -EINVAL, where, "event '%s' of PMU %s needs a value: add %.*s=...", alias->name,
					 pmu->name, (int)name.len, name.s);
		}
		if (value.s && span_u64(value, &v) && !(row && row->value == VALUE_STR))
			v = UINT64_MAX;	/* not a number: refused below unless the format is 64 bits wide */
		if (f && pmu_format_set(f, &ev->attr, v) == 0)
			continue;
		if (row && row->set == set_config) {
			struct term t = { name, value, true };

			set_config(ps, ev, &t, v);
		} else if (row && row->set == set_period) {
			set_period(ps, ev, NULL, v);
		} else if (!row) {
			return parse_err(ps, -EINVAL, where, "event '%s' of PMU %s is described as '%s', which its formats "
					 "do not fit", alias->name, pmu->name, alias->terms);
		}
	}
	ev->unit = arena_strdup(&ps->set->arena, alias->unit);
	ev->scale = alias->scale;
	ev->per_pkg = alias->per_pkg;
	ev->snapshot = alias->snapshot;
	return 0;
}

/* a generic hardware or cache name inside a core PMU: cpu/cycles/, and rHEX in any */
static bool apply_generic_name(struct event *ev, const struct pmu *pmu, struct span name, bool several)
{
	u64 config;
	u32 type;

	if (name.len > 1 && name.len <= 17 && name.s[0] == 'r') {
		char buf[24], *end;

		snprintf(buf, sizeof(buf), "%.*s", (int)name.len - 1, name.s + 1);
		config = strtoull(buf, &end, 16);
		if (!*end && isxdigit((unsigned char)buf[0])) {
			ev->attr.config = config;
			return true;
		}
	}
	if (!pmu->is_core || !event_name_find(name.s, name.len, &type, &config) || type == PERF_TYPE_SOFTWARE)
		return false;
	ev->attr.type = type;
	ev->attr.config = config | (several ? (u64)pmu->type << 32 : 0);
	return true;
}

static int err_unknown_term(struct parser *ps, const struct pmu *pmu, struct span name, const char *who)
{
	struct strbuf near = STRBUF_INIT, list = STRBUF_INIT;
	struct nearest n;
	int ret;

	nearest_init(&n, name.s, name.len);
	for (size_t i = 0; i < ARRAY_SIZE(term_rows); i++) {
		if (!pmu && term_rows[i].pmu_only)
			continue;
		nearest_offer(&n, term_rows[i].name);
		strbuf_addf(&list, "%s%s", list.len ? " " : "", term_rows[i].name);
	}
	if (pmu) {
		strbuf_reset(&list);
		vec_foreach(&pmu->format, f) {
			nearest_offer(&n, f->name);
			strbuf_addf(&list, "%s%s", list.len ? " " : "", f->name);
		}
		vec_foreach(&pmu->event, ev)
			nearest_offer(&n, ev->name);
	}
	nearest_describe(&n, &near);
	ret = parse_err(ps, -EINVAL, name, "unknown term '%.*s' for %s%s", (int)MIN(name.len, (size_t)100), name.s, who,
			strbuf_str(&near));
	if (list.len)
		err_hint(ps->err, "terms of %s: %.300s", who, list.buf);
	strbuf_release(&near);
	strbuf_release(&list);
	return ret;
}

int terms_apply(struct parser *ps, struct event *ev, const struct terms *terms, struct pmu *pmu, struct span whole)
{
	size_t nr_core = 0;

	vec_foreach(&ps->pmus.pmu, p)
		nr_core += (*p)->is_core;
	for (size_t i = 0; i < terms->nr; i++) {
		const struct term *t = &terms->v[i];
		const struct pmu_format *f = pmu ? pmu_format(pmu, t->name.s, t->name.len) : NULL;
		const struct pmu_event *alias = pmu && !t->has_value ? pmu_event(pmu, t->name.s, t->name.len) : NULL;
		const struct term_row *row = find_row(t->name);
		char who[128];
		int ret;

		/* a PMU's own field wins over a generic term of the same name */
		if (*t->name.s == '@' && pmu && !t->has_value) {
			ret = apply_sink(ps, ev, pmu, t->name);
		} else if (pmu && (ret = apply_probe_term(ps, ev, pmu, t)) <= 0) {
			;
		} else if (f) {
			ret = apply_format(ps, ev, pmu, f, t);
		} else if (alias) {
			ret = apply_alias(ps, ev, pmu, alias, terms, t->name);
		} else if (row && (pmu || !row->pmu_only)) {
			ret = apply_row(ps, ev, row, t);
		} else if (pmu && !t->has_value && apply_generic_name(ev, pmu, t->name, nr_core > 1)) {
			ret = 0;
		} else if (pmu && !t->has_value && parse_use_tables(ps) && (alias = pmu_event(pmu, t->name.s, t->name.len))) {
			ret = apply_alias(ps, ev, pmu, alias, terms, t->name);
		} else {
			snprintf(who, sizeof(who), pmu ? "PMU %s" : "a generic event", pmu ? pmu->name : "");
			ret = err_unknown_term(ps, pmu, t->name, who);
		}
		if (ret)
			return ret;
	}
	return 0;
}
