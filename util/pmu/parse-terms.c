/* Terms: see parse-terms.h. */
#include "parse-terms.h"
#include "generic-terms.h"
#include "names.h"
#include "parse-driver-terms.h"
#include "parse-tables.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../base/units.h"
#include "../observe/sample-attr.h"

/* a value ends at ',' or '/', unless it is in quotes */
static size_t value_length(const char *s)
{
	const char *end = *s == '\'' || *s == '"' ? strchr(s + 1, *s) : NULL;

	return end ? end + 1 - s + strcspn(end + 1, ",/") : strcspn(s, ",/");
}

static int err_no_value(struct parser *ps, struct span name)
{
	parse_err(ps, -EINVAL, name, "term '%.*s=' has no value", (int)MIN(name.len, (size_t)80), name.s);
	if (*ps->p == '/' && ps->p[1] && ps->p[1] != ',')
		err_hint(ps->err, "a value that holds a slash is put into quotes: path='/bin/x'");
	return -EINVAL;
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
			return parse_err(ps, -EINVAL, (struct span){ open, 1 },
					 "the terms have no closing '/'");
		if (!t.name.len && (t.has_value || *ps->p == ',' || ret->nr))
			return parse_err(ps, -EINVAL, (struct span){ ps->p, 1 }, "a term is expected here");
		if (t.has_value && !t.value.len)
			return err_no_value(ps, t.name);
		if (t.name.len)
			vec_push(ret, t);
		if (*ps->p++ == '/')
			return 0;
	}
}

/* ---- terms of the PMU ---- */

static int apply_format(struct parser *ps, struct event *ev, const struct pmu *pmu,
			const struct pmu_format *f, const struct term *t)
{
	u64 v = 1;

	if (t->has_value && span_u64(t->value, &v))
		return parse_err(ps, -EINVAL, t->value, "term '%s' of PMU %s needs a number%s", f->name,
				 pmu->name, span_of_64_bits(t->value));
	if (pmu_format_set(f, &ev->attr, v))
		return parse_err(ps, -ERANGE, t->value,
				 "value 0x%llx is too large for '%s' of PMU %s: the largest is 0x%llx",
				 (unsigned long long)v, f->name, pmu->name,
				 (unsigned long long)pmu_format_max(f));
	return 0;
}

/* "event=0x3c,umask=0x1" of an event in sysfs; for a value of ? the user must give a term */
static int apply_alias(struct parser *ps, struct event *ev, const struct pmu *pmu,
		       const struct pmu_event *alias, const struct terms *user, struct span where)
{
	const char *p = alias->terms;

	while (*p) {
		struct span name = { p, strcspn(p, "=,") }, value = { NULL, 0 };
		const struct pmu_format *f = pmu_format(pmu, name.s, name.len);
		const struct term_row *row = f ? NULL : term_row_find(name);
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
			return parse_err(ps, -EINVAL, where,
					 "event '%s' of PMU %s needs a value: add %.*s=...", alias->name,
					 pmu->name, (int)name.len, name.s);
		}
		if (value.s && span_u64(value, &v) && !(row && row->value == VALUE_STR))
			v = UINT64_MAX;	/* not a number: refused below unless the format is 64 bits wide */
		if (f && pmu_format_set(f, &ev->attr, v) == 0)
			continue;
		if (row && (row->flags & TERM_ENCODES)) {
			const struct term t = { name, value, true };

			row->set(ps, ev, &t, v);
		} else if (!row) {
			return parse_err(ps, -EINVAL, where, "event '%s' of PMU %s is described as '%s', "
					 "which its formats do not fit", alias->name, pmu->name,
					 alias->terms);
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
	const struct term_row *row;
	struct nearest n;
	int ret;

	nearest_init(&n, name.s, name.len);
	for (size_t i = 0; (row = term_row_at(i)); i++) {
		if ((!pmu && (row->flags & TERM_PMU)) || (ps->opts->counting && (row->flags & TERM_SAMPLING)))
			continue;
		nearest_offer(&n, row->name);
		strbuf_addf(&list, "%s%s", list.len ? " " : "", row->name);
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
	if (pmu && !pmus_find(&ps->pmus, pmu->name, strlen(pmu->name)))
		ret = parse_err(ps, -ENODEV, name,
				"this machine has no PMU named %s, so its term '%.*s' is not known%s",
				pmu->name, (int)MIN(name.len, (size_t)100), name.s, strbuf_str(&near));
	else
		ret = parse_err(ps, -EINVAL, name, "unknown term '%.*s' for %s%s",
				(int)MIN(name.len, (size_t)100), name.s, who, strbuf_str(&near));
	if (ret == -ENODEV)
		err_hint(ps->err, "this machine has no hardware counters (virtual machines often have none); "
			 "this works now: software events, like -e cpu-clock");
	if (list.len)
		err_hint(ps->err, "terms of %s: %.300s", who, list.buf);
	strbuf_release(&near);
	strbuf_release(&list);
	return ret;
}

int terms_apply(struct parser *ps, struct event *ev, const struct terms *terms, struct pmu *pmu,
		struct span whole)
{
	size_t nr_core = 0;

	vec_foreach(&ps->pmus.pmu, p)
		nr_core += (*p)->is_core;
	for (size_t i = 0; i < terms->nr; i++) {
		const struct term *t = &terms->v[i];
		const struct pmu_format *f = pmu ? pmu_format(pmu, t->name.s, t->name.len) : NULL;
		const struct pmu_event *alias = pmu && !t->has_value ?
						pmu_event(pmu, t->name.s, t->name.len) : NULL;
		const struct term_row *row = term_row_find(t->name);
		char who[128];
		int ret;

		/* a PMU's own field has priority over a generic term of the same name */
		if (*t->name.s == '@' && pmu && !t->has_value) {
			ret = apply_sink(ps, ev, pmu, t->name);
		} else if (pmu && (ret = apply_probe_term(ps, ev, pmu, t)) <= 0) {
			;
		} else if (f) {
			ret = apply_format(ps, ev, pmu, f, t);
		} else if (alias) {
			ret = apply_alias(ps, ev, pmu, alias, terms, t->name);
		} else if (row && (pmu || !(row->flags & TERM_PMU))) {
			ret = term_row_apply(ps, ev, row, terms, i);
		} else if (pmu && !t->has_value && apply_generic_name(ev, pmu, t->name, nr_core > 1)) {
			ret = 0;
		} else if (pmu && !t->has_value && parse_use_tables(ps) &&
			   (alias = pmu_event(pmu, t->name.s, t->name.len))) {
			ret = apply_alias(ps, ev, pmu, alias, terms, t->name);
		} else if (row && !pmu) {
			ret = parse_err(ps, -EINVAL, t->name,
					"term '%s' is for the events of PMUs, not for a generic event",
					row->name);
		} else {
			snprintf(who, sizeof(who), pmu ? "PMU %s" : "a generic event", pmu ? pmu->name : "");
			ret = pmu && t->has_value && pmu_event(pmu, t->name.s, t->name.len) ?
				parse_err(ps, -EINVAL, t->value, "event '%.*s' of PMU %s takes no value",
					  (int)MIN(t->name.len, (size_t)100), t->name.s, pmu->name) :
				err_unknown_term(ps, pmu, t->name, who);
		}
		if (ret)
			return ret;
	}
	return 0;
}
