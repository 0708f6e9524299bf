/* Generic terms: see generic-terms.h. */
#include "generic-terms.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../base/cpulist.h"
#include "../base/fs.h"
#include "../base/units.h"
#include "../observe/sample-attr.h"

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

	if (parse_branch_filter(span_dup(ps, t->value), &ev->attr.branch_sample_type, &err)) {
		parse_err(ps, -EINVAL, t->value, "%s", err.msg);
		err_add_hints(ps->err, &err);
		return -EINVAL;
	}
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

/*
 * keeps the CPUs of the PMU that the term names; if none is left, the event is removed after its terms
 * (parse-groups.c)
 */
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

/* checks that this machine can have these CPUs; offline CPUs are handled when the event is opened */
static int check_cpus(struct parser *ps, const struct cpulist *list, struct span where)
{
	struct strbuf text = STRBUF_INIT;
	struct cpulist possible = { 0 };
	int ret = 0;

	if (!cpulist_read(&possible, "/sys/devices/system/cpu/possible"))
		for (size_t i = 0; !ret && i < list->nr; i++) {
			if (cpulist_has(&possible, list->v[i]))
				continue;
			cpulist_format(&possible, &text);
			ret = parse_err(ps, -EINVAL, where, "there is no CPU %d: this machine has %s",
					list->v[i], strbuf_str(&text));
		}
	vec_release(&possible);
	strbuf_release(&text);
	return ret;
}

static int set_cpu(struct parser *ps, struct event *ev, const struct term *t, u64 v)
{
	struct cpulist list = { 0 };
	struct err err = ERR_INIT;
	struct pmu *pmu = pmus_find(&ps->pmus, t->value.s, t->value.len);
	int ret;

	if (pmu) {
		for (size_t i = 0; i < pmu->cpus.nr; i++)
			cpulist_add(&list, pmu->cpus.v[i]);
	} else if (cpulist_parse(&list, span_dup(ps, t->value), &err)) {
		vec_release(&list);
		return parse_err(ps, -EINVAL, t->value, "term cpu= takes a CPU, a range of CPUs or a PMU");
	}
	ret = check_cpus(ps, &list, t->value);
	if (!ret && list.nr)
		restrict_cpus(ps, ev, &list);
	ev->term_flags |= EVENT_TERM_CPU;
	vec_release(&list);
	return ret;
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
	return parse_err(ps, -EINVAL, t->name,
			 "settings of a driver begin with @, such as cs_etm/@tmc_etr0/");
}

/* TERM_SAMPLING: what is in a sample, or how often it is taken */
static const struct term_row term_rows[] = {
	{ "config", VALUE_NUM, TERM_PMU | TERM_ENCODES, set_config },
	{ "config1", VALUE_NUM, TERM_ENCODES, set_config },
	{ "config2", VALUE_NUM, TERM_ENCODES, set_config },
	{ "config3", VALUE_NUM, TERM_ENCODES, set_config },
	{ "config4", VALUE_NUM, TERM_ENCODES, set_config },
	{ "name", VALUE_STR, 0, set_name },
	{ "period", VALUE_NUM, TERM_ENCODES, set_period, "freq" },
	{ "freq", VALUE_NUM, TERM_SAMPLING, set_freq, "period" },
	{ "branch_type", VALUE_STR, TERM_SAMPLING, set_branch_type },
	{ "time", VALUE_NUM, TERM_SAMPLING, set_time },
	{ "call-graph", VALUE_STR, TERM_SAMPLING, set_call_graph },
	{ "stack-size", VALUE_NUM, TERM_SAMPLING, set_stack_size },
	{ "no-inherit", VALUE_NUM, 0, set_inherit, "inherit" },
	{ "inherit", VALUE_NUM, 0, set_inherit, "no-inherit" },
	{ "max-stack", VALUE_NUM, TERM_SAMPLING, set_max_stack },
	{ "nr", VALUE_NUM, TERM_SAMPLING, set_nr },
	{ "overwrite", VALUE_NUM, TERM_SAMPLING, set_overwrite, "no-overwrite" },
	{ "no-overwrite", VALUE_NUM, TERM_SAMPLING, set_overwrite, "overwrite" },
	{ "percore", VALUE_NUM, 0, set_percore },
	{ "aux-output", VALUE_NUM, TERM_SAMPLING, set_aux_output },
	{ "aux-sample-size", VALUE_NUM, TERM_SAMPLING, set_aux_sample_size },
	{ "aux-action", VALUE_STR, TERM_SAMPLING, set_aux_action },
	{ "cpu", VALUE_STR, 0, set_cpu },
	{ "metric-id", VALUE_STR, 0, set_metric_id },
	{ "driver-config", VALUE_STR, 0, err_driver_config },
	{ "ratio-to-prev", VALUE_STR, TERM_SAMPLING, set_ratio_to_prev },
};

const struct term_row *term_row_at(size_t i)
{
	return i < ARRAY_SIZE(term_rows) ? &term_rows[i] : NULL;
}

const struct term_row *term_row_find(struct span name)
{
	for (size_t i = 0; i < ARRAY_SIZE(term_rows); i++)
		if (span_is(name, term_rows[i].name))
			return &term_rows[i];
	return NULL;
}

const char *span_of_64_bits(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!isxdigit((unsigned char)s.s[i]) && !(i == 1 && s.s[0] == '0' && s.s[1] == 'x'))
			return "";
	return isdigit((unsigned char)*s.s) && s.len > 16 ? " of 64 bits" : "";
}

int term_row_apply(struct parser *ps, struct event *ev, const struct term_row *row, const struct terms *terms,
		   size_t i)
{
	const struct term *t = &terms->v[i];
	u64 v = 1;

	if (ps->opts->counting && (row->flags & TERM_SAMPLING))
		return parse_err(ps, -EINVAL, t->name,
				 "term '%s' is only for samples, and perf stat takes none", row->name);
	for (size_t k = 0; row->excludes && k < i; k++)
		if (span_is(terms->v[k].name, row->excludes))
			return parse_err(ps, -EINVAL, t->name, "terms '%s' and '%s' exclude each other",
					 row->excludes, row->name);
	if (row->value == VALUE_STR && !t->has_value)
		return parse_err(ps, -EINVAL, t->name, "term '%s' needs a value", row->name);
	if (row->value == VALUE_NUM && t->has_value && span_u64(t->value, &v))
		return parse_err(ps, -EINVAL, t->value, "term '%s' needs a number%s", row->name,
				 span_of_64_bits(t->value));
	return row->set(ps, ev, t, v);
}
