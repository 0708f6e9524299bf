/*
 * Event strings: the grammar. The meaning of the words is in parse-sources.c, parse-terms.c and
 * parse-modifiers.c.
 */
#include "parse-events.h"
#include "parse-alias.h"
#include "parse-breakpoint.h"
#include "parse-cache.h"
#include "parse-groups.h"
#include "parse-modifiers.h"
#include "parse-pfm.h"
#include "parse-sources.h"
#include "parse-terms.h"
#include "parse-tracepoints.h"

#include <ctype.h>
#include <errno.h>
#include "../kernel/tracefs.h"

static void skip_blanks(struct parser *ps)
{
	while (isspace((unsigned char)*ps->p))
		ps->p++;
}

static struct span take_word(struct parser *ps)
{
	struct span w = { ps->p, strcspn(ps->p, ",{}/: \t\n") };

	ps->p += w.len;
	return w;
}

static bool at_end_of_event(const struct parser *ps)
{
	return !*ps->p || *ps->p == ',' || *ps->p == '}' || isspace((unsigned char)*ps->p);
}

/* modifiers from here to the end of the event, optionally with a colon before them */
static int parse_modifiers(struct parser *ps, struct modifiers *m)
{
	struct span word;

	if (*ps->p == ':')
		ps->p++;
	else if (at_end_of_event(ps)) {
		memset(m, 0, sizeof(*m));
		return 0;
	}
	if (*ps->p == '{')
		return parse_err(ps, -EINVAL, (struct span){ ps->p, strcspn(ps->p, "}") + 1 },
				 "modifiers have no braces: write the event twice, like cycles:k,cycles:u");
	word = take_word(ps);	/* an empty list is valid, too: scripts write "cycles:$mods" */
	return modifiers_parse(ps, word, m);
}

/* sys:event, from after the system's name */
static int parse_tracepoint_event(struct parser *ps, struct span sys, struct terms *terms)
{
	struct span name, none = { ps->p, 0 };
	u32 from = ps->set->ev.nr;
	int ret;

	ps->p++;	/* the colon */
	name = take_word(ps);
	if (*sys.s == '%') {
		sys.s++;
		sys.len--;
	}
	ret = parse_tracepoint(ps, sys, name);
	if (ret || *ps->p != '/')
		return ret;
	ps->p++;
	ret = terms_parse(ps, terms);
	for (u32 i = from; !ret && i < ps->set->ev.nr; i++)
		ret = terms_apply(ps, evset_at(ps->set, i), terms, NULL, none);
	return ret;
}

/* sys:name and event:modifiers look alike: the existing names decide */
static bool is_tracepoint(struct parser *ps, struct span word)
{
	return *ps->p == ':' && strcspn(ps->p + 1, ",{}/: \t\n") && !is_event_name(ps, word);
}

/* systems of probes have no other meaning, even if no probe is set ("PROBE" is an event of some CPUs, too) */
static bool is_probe(struct span word)
{
	return span_begins(word, "probe") || span_begins(word, "sdt_") || span_begins(word, "%sdt_");
}

/*
 * sets the names of the events from `from` on to what was typed, with modifiers, unless a term or a
 * tracepoint gave another name
 */
static void set_names(struct parser *ps, u32 from, const char *start)
{
	for (u32 i = from; i < ps->set->ev.nr; i++)
		if (!evset_at(ps->set, i)->name[0])
			evset_at(ps->set, i)->name = arena_strndup(&ps->set->arena, start, ps->p - start);
}

/* events that one word gave on several PMUs belong together */
static void set_shared_name(struct parser *ps, u32 from, const char *start)
{
	const char *name;

	for (u32 i = from; i < ps->set->ev.nr; i++)
		if (!evset_at(ps->set, i)->pmu)
			return;
	if (ps->set->ev.nr < from + 2)
		return;
	name = arena_strndup(&ps->set->arena, start, ps->p - start);
	for (u32 i = from; i < ps->set->ev.nr; i++)
		evset_at(ps->set, i)->shared_name = name;
}

/* "./prog.c", "/usr/bin/ls": no event begins so, and the terms after a PMU would not say what is wrong */
static bool begins_path(const char *s)
{
	return *s == '/' || !strncmp(s, "./", 2) || !strncmp(s, "../", 3) || !strncmp(s, "~/", 2);
}

static int parse_one_event(struct parser *ps, struct modifiers *m)
{
	const char *start = ps->p;
	struct terms terms = { 0 };
	struct span word = take_word(ps);
	u32 from = ps->set->ev.nr;
	int ret;

	if (begins_path(start))
		return parse_err(ps, -EINVAL, (struct span){ start, strcspn(start, ", ") },
				 "a file is not an event: names of events contain no path");
	if (!word.len)
		return parse_err(ps, -EINVAL, (struct span){ start, 1 },
				 *start ? "an event is expected here" : "an event is missing at the end");
	if (span_is(word, "mem") && *ps->p == ':') {
		ret = parse_breakpoint(ps);
	} else if (*ps->p == '/') {
		ps->p++;
		ret = terms_parse(ps, &terms);
		if (!ret)
			ret = parse_pmu_event(ps, word, &terms, (struct span){ start, ps->p - start });
	} else if (is_tracepoint(ps, word)) {
		ret = is_probe(word) ||
		      tracefs_has_system(span_dup(ps, word)) ? 1 : parse_pfm_name(ps, start);
		if (ret > 0)
			ret = parse_tracepoint_event(ps, word, &terms);
	} else {
		ret = parse_name(ps, word, NULL, word);
		if (ret > 0)
			ret = parse_table_name(ps, word, NULL, word);
		if (ret > 0)
			ret = parse_pfm_name(ps, start);
		if (ret > 0)
			ret = parse_err_unknown(ps, word);
	}
	vec_release(&terms);
	if (!ret)
		ret = drop_without_cpus(ps, from, word);
	if (!ret)
		ret = parse_modifiers(ps, m);
	if (ret)
		return ret;
	for (u32 i = from; i < ps->set->ev.nr; i++)
		modifiers_apply(evset_at(ps->set, i), m, true);
	set_names(ps, from, start);
	set_shared_name(ps, from, start);
	return 0;
}

/* from after the opening brace */
static int parse_group(struct parser *ps, struct span name, const char *open)
{
	u32 from = ps->set->ev.nr;
	struct modifiers m;
	int ret;

	do {
		skip_blanks(ps);
		ret = parse_one_event(ps, &m);
		if (ret)
			return ret;
		skip_blanks(ps);
	} while (*ps->p++ == ',');
	if (ps->p[-1] != '}') {
		ps->p--;
		return parse_err(ps, -EINVAL, (struct span){ *ps->p ? ps->p : open, 1 },
				 *ps->p ? "',' or '}' is expected here" : "this group has no closing brace");
	}
	ret = parse_modifiers(ps, &m);
	if (ret)
		return ret;
	ret = group_finish(ps, from);
	for (u32 i = from; !ret && i < ps->set->ev.nr; i++) {
		struct event *ev = evset_at(ps->set, i);
		bool leads = ev->leader == i;

		modifiers_apply(ev, &m, leads);
		if (!leads)	/* these make no sense for members, and the kernel refuses them */
			ev->attr.flags &= ~(ATTR_PINNED | ATTR_EXCLUSIVE);
		if (leads && name.len)
			ev->group_name = span_dup(ps, name);
	}
	return ret;
}

static int parse_list(struct parser *ps)
{
	struct modifiers m;
	int ret;

	for (;;) {
		struct span name;

		skip_blanks(ps);
		name = (struct span){ ps->p, strcspn(ps->p, ",{}/: \t\n") };
		if (name.s[name.len] == '{') {
			ps->p += name.len + 1;
			ret = parse_group(ps, name, ps->p - 1);
		} else {
			ret = parse_one_event(ps, &m);
			if (!ret && m.weak)
				ret = parse_err(ps, -EINVAL, m.text, "modifier W is for groups: {a,b}:W");
		}
		if (!ret)
			ret = ratios_outside(ps);
		if (ret)
			return ret;
		skip_blanks(ps);
		if (!*ps->p)
			return 0;
		if (*ps->p != ',')
			return parse_err(ps, -EINVAL, (struct span){ ps->p, 1 }, "',' is expected here");
		ps->p++;
	}
}

int parse_events(struct evset *set, const char *str, const struct parse_events_opts *o, struct err *err)
{
	static const struct parse_events_opts no_opts;
	struct parser ps = { .str = str, .p = str, .set = set, .opts = o ? o : &no_opts, .err = err };
	size_t before = set->ev.nr;
	int ret;

	parse_cache_take(&ps);
	ret = parse_list(&ps);
	if (ret)
		set->ev.nr = before;
	parse_cache_give(&ps);
	vec_release(&ps.ratio);
	return ret;
}

struct event *parse_default_event(struct evset *set)
{
	u32 from = set->ev.nr;

	/* a name of the tables: this cannot fail */
	parse_events(set, "cycles:P", NULL, NULL);
	return evset_at(set, from);
}
