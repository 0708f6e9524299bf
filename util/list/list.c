/* List: running the collectors, choosing what was asked for. */
#include "list.h"
#include "collect.h"

#include <string.h>
#include "../pmu/pmu.h"

static const struct {
	const char *words;
	int (*collect)(struct collect *c);
	const char *none;
} sections[LIST_NR_KINDS] = {
#define SECTION(kind, words, fn, heading, none) { words, fn, none },
#include "sections.def"
#undef SECTION
};

void list_kind_words(struct strbuf *out)
{
	for (size_t i = 0; i < LIST_NR_KINDS; i++)
		strbuf_addf(out, "%.*s\n", (int)strcspn(sections[i].words, " "), sections[i].words);
}

bool list_kind_find(const char *word, u32 *ret_bits)
{
	size_t len = strlen(word);

	for (size_t i = 0; i < LIST_NR_KINDS; i++)
		for (const char *w = sections[i].words; *w; w += strspn(w, " ")) {
			size_t n = strcspn(w, " ");

			if (n == len && !memcmp(w, word, n)) {
				/* "pmu" are all events of hardware PMUs, wherever their names come from */
				*ret_bits = (1u << i) | (i == LIST_PMU ? LIST_BIT(TABLE) : 0);
				return true;
			}
			w += n;
		}
	return false;
}

static bool is_wanted(const struct list_request *req, const struct list_entry *e)
{
	if (e->deprecated && !req->deprecated)
		return false;
	if (req->kinds & (1u << e->kind | e->also))
		return true;
	for (size_t i = 0; i < req->nr_patterns; i++) {
		const char *p = req->patterns[i];

		/* hints are not names: patterns do not match them */
		if (e->kind != LIST_RAW &&
		    (list_pattern_matches(p, e->name) || list_pattern_matches(p, e->alias) ||
		     (*e->groups && list_pattern_matches(p, e->groups))))
			return true;
	}
	return false;
}

/* --unit or --cputype left nothing: is there such a PMU at all? */
static void note_no_pmu(struct list *l, const struct list_request *req)
{
	struct strbuf names = STRBUF_INIT;
	struct pmus ps = { 0 };
	bool any = false;

	pmus_scan(&ps);
	vec_foreach(&ps.pmu, p) {
		if (req->cputype && !(*p)->is_core)
			continue;
		any |= list_wants_pmu(req, (*p)->name);
		strbuf_addf(&names, "%s%s", names.len ? " " : "", (*p)->name);
	}
	if (any)
		list_note(l, "these sections have no events of PMU '%s'",
			  req->unit ? req->unit : req->cputype);
	else if (req->cputype && pmus_have_cputype(&ps, req->cputype))
		list_note(l, "no events of the CPU are listed: this machine has no hardware counters");
	else if (req->cputype && ps.pmu.nr && !names.len)
		list_note(l, "no kind of core is called '%s': this machine has no hardware counters",
			  req->cputype);
	else
		list_note(l, "no %s is called '%s' (here: %s)", req->unit ? "PMU" : "kind of core",
			  req->unit ? req->unit : req->cputype, names.len ? names.buf : "none");
	strbuf_release(&names);
	pmus_release(&ps);
}

/* nothing is listed: why, of each section that was asked for */
static void note_empty(struct list *l, u32 kinds)
{
	for (size_t i = 0; i < LIST_NR_KINDS; i++)
		if (kinds >> i & 1 && sections[i].none)
			list_note(l, "%s", sections[i].none);
}

int list_make(struct list *ret_list, const struct list_request *req, struct err *err)
{
	struct collect c = { .l = ret_list, .req = req, .err = err };
	size_t to = 0;
	u32 said = 0;
	int ret = 0;

	memset(ret_list, 0, sizeof(*ret_list));
	for (size_t i = 0; i < LIST_NR_KINDS && !ret; i++) {
		u32 bits = 1u << i | (i == LIST_TRACEPOINT ? LIST_BIT(PROBE) : 0);
		size_t notes = ret_list->notes.len;

		if ((req->kinds & bits) || req->nr_patterns)
			ret = sections[i].collect(&c);
		said |= ret_list->notes.len > notes ? bits : 0;
	}
	if (ret) {
		list_release(ret_list);
		return ret;
	}
	for (size_t i = 0; i < ret_list->nr; i++)
		if (is_wanted(req, &ret_list->v[i]))
			ret_list->v[to++] = ret_list->v[i];
	ret_list->nr = to;
	vec_foreach(ret_list, e)
		ret_list->has_metrics |= e->kind == LIST_METRIC;
	if (!to && (req->unit || req->cputype))
		note_no_pmu(ret_list, req);
	else if (!to && !req->nr_patterns)
		note_empty(ret_list, req->kinds & ~said);
	return 0;
}

void list_release(struct list *l)
{
	vec_release(l);
	arena_release(&l->arena);
	strbuf_release(&l->notes);
	memset(l, 0, sizeof(*l));
}
