/* The kinds of events: see parse-sources.h. */
#include "parse-sources.h"
#include "names.h"
#include "parse-alias.h"
#include "parse-tables.h"
#include "parse-terms.h"
#include "parse-tools.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include "../base/fs.h"
#include "../base/units.h"
#include "../count/tool-events.h"
#include "../kernel/tracefs.h"
#include "trace-pmu.h"

/* PERF_TYPE_HARDWARE and HW_CACHE: the PMU's type in the upper half of config */
#define EXTENDED_TYPE_SHIFT 32
#define RAW_DIGITS_MAX 16

/* rHEX */
static bool raw_config(struct span word, u64 *ret)
{
	u64 v = 0;

	if (word.len < 2 || word.len > RAW_DIGITS_MAX + 1 || word.s[0] != 'r')
		return false;
	for (size_t i = 1; i < word.len; i++) {
		char c = tolower((unsigned char)word.s[i]);

		if (!isxdigit((unsigned char)c))
			return false;
		v = v << 4 | (c <= '9' ? c - '0' : c - 'a' + 10);
	}
	*ret = v;
	return true;
}

static size_t nr_core_pmus(struct parser *ps)
{
	size_t nr = 0;

	/* the core PMU of all x86 machines except hybrid ones: found without reading each PMU of a server */
	if (!ps->pmus.scanned && fs_exists("/sys/bus/event_source/devices/cpu"))
		return 1;

	pmus_scan(&ps->pmus);
	vec_foreach(&ps->pmus.pmu, pmu)
		nr += (*pmu)->is_core;
	return nr;
}

/*
 * A generic hardware, cache or raw event. With several kinds of cores (hybrid x86, big.LITTLE) it becomes one
 * event per kind, "cpu_core/cycles/", with the PMU's type in the upper half of config; raw codes get the
 * PMU's type itself.
 */
static int add_core_events(struct parser *ps, u32 type, u64 config, const struct terms *terms,
			   struct span whole)
{
	struct span core = whole, mods = { ps->p, 0 };
	bool several = nr_core_pmus(ps) > 1;
	int ret = 0;

	if (!several) {
		struct event *ev = parse_add_event(ps, type, config);

		return terms ? terms_apply(ps, ev, terms, NULL, whole) : 0;
	}
	/* "cycles/period=1/" or "cycles": the word and its terms, if there are any */
	core.len = strcspn(whole.s, "/,:} \t\n");
	mods.s += *mods.s == ':';
	mods.len = strcspn(mods.s, ",} \t\n");
	for (size_t i = 0; !ret && i < ps->pmus.pmu.nr; i++) {
		struct pmu *pmu = ps->pmus.pmu.v[i];
		struct event *ev;
		char name[256];

		if (!pmu->is_core)
			continue;
		ev = parse_add_event(ps, type == PERF_TYPE_RAW ? pmu->type : type,
			       type == PERF_TYPE_RAW ? config :
			       config | (u64)pmu->type << EXTENDED_TYPE_SHIFT);
		parse_set_pmu(ps, ev, pmu);
		snprintf(name, sizeof(name), "%s/%.*s/%.*s", pmu->name, (int)MIN(core.len, (size_t)128),
			 core.s, (int)MIN(mods.len, (size_t)16), mods.s);
		ev->name = arena_strdup(&ps->set->arena, name);
		if (terms)
			ret = terms_apply(ps, ev, terms, NULL, whole);
	}
	return ret;
}

/* for "word:..."; tracefs is tried before sysfs, where reading all names takes many files */
bool is_event_name(struct parser *ps, struct span word)
{
	u64 config;
	u32 type;

	if (event_name_find(word.s, word.len, &type, &config) || tool_row_find(word.s, word.len))
		return true;
	if (!ps->opts->no_tracefs && tracefs_has_system(span_dup(ps, word)))
		return false;
	return raw_config(word, &config) || is_alias(ps, word) || is_tool_name(ps, word) ||
	       (parse_use_tables(ps) && is_alias(ps, word));
}

int parse_name(struct parser *ps, struct span word, const struct terms *terms, struct span whole)
{
	u64 config;
	u32 type;
	int ret;

	if (event_name_find(word.s, word.len, &type, &config)) {
		if (type != PERF_TYPE_SOFTWARE)
			return add_core_events(ps, type, config, terms, whole);
		struct event *ev = parse_add_event(ps, type, config);

		return terms ? terms_apply(ps, ev, terms, NULL, whole) : 0;
	}
	if (raw_config(word, &config))
		return add_core_events(ps, PERF_TYPE_RAW, config, terms, whole);
	/* some PMUs have an event "slots", which is tried first */
	ret = tool_row_find(word.s, word.len) &&
	      !span_is(word, "slots") ? 1 : parse_alias(ps, word, terms, whole);
	return ret <= 0 ? ret : parse_tool_name(ps, word, terms, whole);
}

/* names under which PMUs of CPUs sample memory accesses */
static bool is_memory_event(struct span word)
{
	return span_is(word, "mem-loads") || span_is(word, "mem-stores") || span_is(word, "mem-loads-aux");
}

int parse_err_unknown(struct parser *ps, struct span word)
{
	struct strbuf near = STRBUF_INIT;
	struct tracefs_events tps = { 0 };
	struct nearest n;
	char name[128];
	int ret;

	nearest_init(&n, word.s, word.len);
	nearest_offer_names(&n);
	vec_foreach(&ps->pmus.pmu, pmu) {
		pmu_load(&ps->pmus, *pmu);
		vec_foreach(&(*pmu)->event, ev)
			nearest_offer(&n, ev->name);
	}
	nearest_offer_tools(ps, &n);
	nearest_describe(&n, &near);
	snprintf(name, sizeof(name), "%.*s", (int)MIN(word.len, sizeof(name) - 1), word.s);
	if (word.s[0] == 'r' && word.len > RAW_DIGITS_MAX + 1 &&
	    strspn(word.s + 1, "0123456789abcdefABCDEF") >= word.len - 1) {
		ret = parse_err(ps, -ERANGE, word, "a raw event has at most %d hexadecimal digits",
				RAW_DIGITS_MAX);
		goto out;
	}
	if (is_memory_event(word)) {
		ret = parse_err(ps, -ENOENT, word, "this machine has no event '%s': %s", name,
				nr_core_pmus(ps) ?
				"no PMU of its CPUs has one for memory accesses" :
				"it has no hardware counters (virtual machines often have none)");
		err_hint(ps->err, "this works now: software events, like -e page-faults");
		goto out;
	}
	ret = parse_err(ps, -ENOENT, word, "event '%s' not found%s", name, strbuf_str(&near));
	/* only "sched_switch": tells which tracepoint is meant */
	if (!near.len && !ps->opts->no_tracefs && !tracefs_list(&tps, "*", name, NULL) && tps.nr) {
		parse_err(ps, ret, word,
			  "event '%s' not found: tracepoints are named with their system, like %s:%s", name,
			  tps.v[0].sys, tps.v[0].name);
	} else {
		err_hint(ps->err, "'perf list' shows the available events");
	}
	if (ps->table_err.code)
		err_hint(ps->err, "no event table was searched: %.400s", ps->table_err.msg);
out:
	tracefs_events_release(&tps);
	strbuf_release(&near);
	return ret;
}

/* adds an event of one PMU: config from the terms */
static int add_pmu_event(struct parser *ps, struct pmu *pmu, const struct terms *terms, struct span whole)
{
	const struct trace_pmu *trace = trace_pmu_of(pmu);
	struct err err = ERR_INIT;
	struct event *ev;
	int ret;

	pmu_load(&ps->pmus, pmu);
	ev = parse_add_event(ps, pmu->type, 0);
	parse_set_pmu(ps, ev, pmu);
	ev->trace = trace;
	if (trace && trace->defaults)
		trace->defaults(pmu, &ev->attr);
	if (ps->opts->counting)
		ev->attr.sample_period = 0;
	ret = terms_apply(ps, ev, terms, pmu, whole);
	if (ret || !trace || !trace->check || !trace->check(pmu, &ev->attr, &err))
		return ret;
	return parse_err(ps, err.code, whole, "%s", err.msg);
}

/* software// exists in sysfs without events: its events are the generic software events */
static int parse_software_pmu(struct parser *ps, const struct terms *terms, struct span whole)
{
	struct event *ev = parse_add_event(ps, PERF_TYPE_SOFTWARE, 0);
	struct terms rest = { 0 };
	bool found = false;
	int ret = 0;

	ev->pmu = "software";
	for (size_t i = 0; !ret && i < terms->nr; i++) {
		const struct term *t = &terms->v[i];
		u32 type;
		u64 config;

		if (!found && !t->has_value && event_name_find(t->name.s, t->name.len, &type, &config) &&
		    type == PERF_TYPE_SOFTWARE) {
			ev->attr.config = config;
			found = true;
		} else {
			vec_push(&rest, *t);
		}
	}
	ret = terms_apply(ps, ev, &rest, pmus_find(&ps->pmus, "software", strlen("software")), whole);
	vec_release(&rest);
	return ret;
}

/*
 * "cpu/cycles/" on a machine without counters: the same event as "cycles", which the kernel then refuses or
 * perf replaces
 */
static int parse_absent_cpu(struct parser *ps, const struct terms *terms, struct span whole)
{
	struct pmu cpu = { .name = "cpu", .type = PERF_TYPE_RAW, .is_core = true, .loaded = true,
			   .max_precise = UINT32_MAX };

	return terms_apply(ps, parse_add_event(ps, cpu.type, 0), terms, &cpu, whole);
}

int parse_pmu_event(struct parser *ps, struct span word, const struct terms *terms, struct span whole)
{
	struct pmu *pmu = pmus_find(&ps->pmus, word.s, word.len);
	size_t nr = 0, first = ps->set->ev.nr;
	struct strbuf near = STRBUF_INIT;
	struct nearest n;
	int ret;

	if (span_is(word, "software"))
		return parse_software_pmu(ps, terms, whole);
	if (pmu)
		return add_pmu_event(ps, pmu, terms, whole);
	ret = parse_tool_pmu_event(ps, word, terms, whole);
	if (ret <= 0)
		return ret;
	if (span_is(word, "cpu") && !nr_core_pmus(ps))
		return parse_absent_cpu(ps, terms, whole);
	ret = parse_name(ps, word, terms, whole);
	if (ret <= 0)
		return ret;
	nearest_init(&n, word.s, word.len);
	for (size_t i = 0; i < ps->pmus.pmu.nr; i++) {
		pmu = ps->pmus.pmu.v[i];
		nearest_offer(&n, pmu->name);
		if (!pmu_matches(pmu, word.s, word.len))
			continue;
		ret = add_pmu_event(ps, pmu, terms, whole);
		if (ret)
			return ret;
		nr++;
	}
	/* several of one kind ("uncore_imc//"): each event is named after its own PMU */
	for (size_t i = first; nr > 1 && i < ps->set->ev.nr; i++) {
		struct event *ev = evset_at(ps->set, i);
		size_t tail = whole.len - word.len;

		if (!ev->name[0]) {
			strbuf_reset(&near);
			strbuf_addf(&near, "%s%.*s", ev->pmu, (int)tail, word.s + word.len);
			ev->name = arena_strdup(&ps->set->arena, near.buf);
		}
	}
	strbuf_reset(&near);
	if (!nr) {
		ret = parse_table_name(ps, word, terms, whole);
		if (ret <= 0) {
			strbuf_release(&near);
			return ret;
		}
		nearest_offer_names(&n);
		nearest_describe(&n, &near);
		ret = parse_err(ps, -ENOENT, word, "there is no PMU or event '%.*s'%s",
				(int)MIN(word.len, (size_t)100), word.s, strbuf_str(&near));
		if (trace_pmu_named(word.s, word.len))
			trace_pmu_explain(trace_pmu_named(word.s, word.len), ps->err);
		else
			err_hint(ps->err, "the PMUs of this machine are in /sys/bus/event_source/devices");
	}
	strbuf_release(&near);
	return nr ? 0 : ret;
}
