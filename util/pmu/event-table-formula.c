/* Event tables: see event-table-formula.h. */
#include "event-table-formula.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "../base/strbuf.h"
#include "../base/units.h"

#define EXPR_MAX 65536		/* letters may stand for long names, and occur many times */

struct alias {
	const char *letter, *text;
};
struct aliases {
	VEC(struct alias);
	struct arena arena;
	char *formula;		/* of a nested object, with its own list */
	char *nested;
	bool bad;		/* one of them is not known */
};

/* events that are not rows of the table, but in sysfs */
static const struct { const char *name, *text; } known[] = {
	{ "TOPDOWN.SLOTS", "slots" },
	{ "PERF_METRICS.RETIRING", "topdown\\-retiring" },
	{ "PERF_METRICS.BAD_SPECULATION", "topdown\\-bad\\-spec" },
	{ "PERF_METRICS.FRONTEND_BOUND", "topdown\\-fe\\-bound" },
	{ "PERF_METRICS.BACKEND_BOUND", "topdown\\-be\\-bound" },
	{ "PERF_METRICS.HEAVY_OPERATIONS", "topdown\\-heavy\\-ops" },
	{ "PERF_METRICS.BRANCH_MISPREDICTS", "topdown\\-br\\-mispredict" },
	{ "PERF_METRICS.FETCH_LATENCY", "topdown\\-fetch\\-lat" },
	{ "PERF_METRICS.MEMORY_BOUND", "topdown\\-mem\\-bound" },
	{ "HYPERTHREADING_ON", "#smt_on" },
	{ "THREADS_PER_CORE", "(#num_cpus_online / #num_cores)" },
	{ "SYSTEM_TSC_FREQ", "#system_tsc_freq" },
	{ "DURATIONTIMEINSECONDS", "duration_time" },
};

/* modifiers of Intel's names, and the terms that they stand for: "UOPS_DECODED.DEC0:c1" */
static bool add_modifier(struct strbuf *terms, const char *s, size_t len)
{
	static const struct { char letter; const char *term; } rows[] = {
		{ 'c', "cmask" }, { 'e', "edge" }, { 'i', "inv" }
	};
	char num[16];
	u64 v;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (*s != rows[i].letter || len < 2 || len > sizeof(num))
			continue;
		memcpy(num, s + 1, len - 1);
		num[len - 1] = '\0';
		if (parse_u64(num, &v))
			return false;
		strbuf_addf(terms, "\\,%s\\=%llu", rows[i].term, (unsigned long long)v);
		return true;
	}
	return false;
}

/* "NAME", "NAME:c1:e1", "NAME:USER": appended to out as an id of an expression; false if it is invalid */
static bool event_text(struct strbuf *out, const char *name)
{
	size_t len = strcspn(name, ":");
	struct strbuf terms = STRBUF_INIT;
	const char *p = name + len, *ring = "";
	bool ok = len && len < 200;

	for (size_t i = 0; i < len; i++)
		ok &= isalnum((unsigned char)name[i]) || strchr("_.-", name[i]);
	while (ok && *p) {
		size_t n = strcspn(++p, ":");

		if (n == 4 && !memcmp(p, "USER", n))
			ring = "u";
		else if (n == 3 && !memcmp(p, "SUP", n))
			ring = "k";
		else
			ok = add_modifier(&terms, p, n);
		p += n;
	}
	if (ok) {
		if (terms.len)
			strbuf_addstr(out, "cpu@");
		for (size_t i = 0; i < len; i++) {
			if (name[i] == '-')
				strbuf_addch(out, '\\');
			strbuf_addch(out, tolower((unsigned char)name[i]));
		}
		strbuf_addf(out, "%s%s%s%s", strbuf_str(&terms), terms.len ? "@" : "",
			    *ring && !terms.len ? ":" : "", ring);
	}
	strbuf_release(&terms);
	return ok;
}

static bool name_text(struct strbuf *out, const char *name)
{
	size_t len = strlen(name);
	u64 v;

	if (len > strlen(":perf_metrics") && !strcmp(name + len - strlen(":perf_metrics"), ":perf_metrics"))
		len -= strlen(":perf_metrics");
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (strlen(known[i].name) == len && !strncmp(known[i].name, name, len)) {
			strbuf_addstr(out, known[i].text);
			return true;
		}
	if (!parse_u64(name, &v)) {
		strbuf_addstr(out, name);
		return true;
	}
	/* "system.sockets[0].cores.count" and the like are not known here */
	return event_text(out, name);
}

/* "metric_TMA_..Fetch_Latency(%)": "Fetch_Latency" */
static bool metric_text(struct strbuf *out, const char *name)
{
	static const char *const prefixes[] = { "metric_", "TMA_" };
	size_t before = out->len;

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			name += strlen(prefixes[i]);
	name += strspn(name, ".");
	for (; *name && strncmp(name, "(%)", 3); name++) {
		if (!isalnum((unsigned char)*name) && *name != '_')
			return false;
		strbuf_addch(out, *name);
	}
	return out->len > before;
}

static void add_alias(struct aliases *a, const char *letter, const char *name,
		      bool (*text)(struct strbuf *, const char *))
{
	struct strbuf sb = STRBUF_INIT;

	if (!letter || !name || !text(&sb, name))
		a->bad = true;
	else
		vec_push(a, (struct alias){ arena_strdup(&a->arena, letter),
					    arena_strdup(&a->arena, strbuf_str(&sb)) });
	strbuf_release(&sb);
}

static const char *member(const struct json_member *m, size_t nr, const char *key)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(m[i].key, key) && *m[i].value)
			return m[i].value;
	return NULL;
}

static int take_name(void *ctx, unsigned int line, const struct json_member *m, size_t nr)
{
	add_alias(ctx, member(m, nr, "Alias"), member(m, nr, "Name"), name_text);
	return 0;
}

static int take_metric(void *ctx, unsigned int line, const struct json_member *m, size_t nr)
{
	add_alias(ctx, member(m, nr, "Alias"), member(m, nr, "Value"), metric_text);
	return 0;
}

/* the object of a threshold: its formula and its list */
static int take_threshold(void *ctx, unsigned int line, const struct json_member *m, size_t nr)
{
	const char *formula = member(m, nr, "Formula"), *list = member(m, nr, "ThresholdMetrics");
	struct aliases *a = ctx;

	a->formula = arena_strdup(&a->arena, formula ? formula : "");
	a->nested = arena_strdup(&a->arena, list ? list : "");
	return 0;
}

static bool walk(struct table_reader *r, const char *json, json_object_fn fn, struct aliases *a)
{
	unsigned int line;
	char msg[100];

	return !json || !*json || !r->json->walk(json, strlen(json), fn, a, &line, msg, sizeof(msg));
}

static const char *find(const struct aliases *a, const char *s, size_t len)
{
	vec_foreach(a, it)
		if (strlen(it->letter) == len && !memcmp(it->letter, s, len))
			return it->text;
	return NULL;
}

static bool is_word_of_the_language(const char *s, size_t len)
{
	static const char *const words[] = { "if", "else", "min", "max", "d_ratio" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i]) == len && !memcmp(words[i], s, len))
			return true;
	return false;
}

/* replaces letters by names; "" if something in it is not known */
static const char *substitute(struct table_reader *r, const struct aliases *a, const char *formula)
{
	struct strbuf out = STRBUF_INIT;
	const char *p = formula, *text;
	bool ok = !a->bad && formula;

	while (ok && *p && out.len < EXPR_MAX) {
		size_t len = 1;

		text = NULL;

		if (isdigit((unsigned char)*p)) {
			while (isalnum((unsigned char)p[len]) || p[len] == '.')
				len++;
		} else if (isalpha((unsigned char)*p) || *p == '_') {
			while (isalnum((unsigned char)p[len]) || p[len] == '_')
				len++;
			text = find(a, p, len);
			ok = text || is_word_of_the_language(p, len);
		}
		if (text)
			strbuf_addstr(&out, text);
		else
			strbuf_add(&out, p, len);
		p += len;
	}
	text = ok && out.len < EXPR_MAX ? arena_strdup(&r->t->arena, strbuf_str(&out)) : "";
	strbuf_release(&out);
	return text;
}

static void release(struct aliases *a)
{
	vec_release(a);
	arena_release(&a->arena);
}

const char *table_formula(struct table_reader *r, const char *formula, const char *events,
			  const char *constants)
{
	struct aliases a = { 0 };
	const char *expr = "";

	if (walk(r, events, take_name, &a) && walk(r, constants, take_name, &a))
		expr = substitute(r, &a, formula);
	release(&a);
	return expr;
}

const char *table_threshold(struct table_reader *r, const char *json)
{
	struct aliases a = { 0 };
	struct strbuf array = STRBUF_INIT;
	const char *expr = "";

	strbuf_addf(&array, "[%s]", json);
	if (*json == '{' && walk(r, array.buf, take_threshold, &a) && a.formula &&
	    walk(r, a.nested, take_metric, &a))
		expr = substitute(r, &a, a.formula);
	strbuf_release(&array);
	release(&a);
	return expr;
}
