/* Annotate: counts by address, and gathers addresses to functions. */
#include "annotate.h"
#include "../base/nearest.h"
#include "../fields/field-family.h"
#include "../hist/collect.h"
#include "../hist/missing-symbols.h"
#include "../machine/machine.h"
#include "../obj/short-name.h"
#include "../resolve/data-types.h"
#include "../sym/lines.h"
#include "../sym/sym.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* the sort key of the count: the frame, which is an address in a dso */
static const struct field field_address = {
	.name = "address", .title = "Address", .kind = FIELD_FRAME, .needs = NEEDS_SYM,
	.of_frame = frame_itself,
};

#define MAX_CANDIDATES 3u	/* named in a message */

/* the event whose listing shows an event: the leader of its group, if groups are shown */
static u32 leader_of(const struct annotate *a, u32 event)
{
	return a->opts->group ? evset_at(a->session->data->evset, event)->leader : event;
}

static bool is_short_name_of(const char *full, const char *name)
{
	struct strbuf sb = STRBUF_INIT;
	bool ret;

	short_name(full, &sb);
	ret = short_name_is(strbuf_str(&sb), name);
	strbuf_release(&sb);
	return ret;
}

/*
 * compares with the name as shown, as in the file, and without parameters; loosely: also without template
 * arguments and without the enclosing scopes
 */
static bool is_called(const struct annotate *a, const struct named *n, const char *name)
{
	const struct symtab *table = symbols_table(a->session->symbols, n->dso);
	size_t len = strlen(name);

	if (!strcmp(name, n->name) || !strcmp(name, table->sym[n->sym].name))
		return true;
	if (a->loosely && is_short_name_of(n->name, name))
		return true;
	return !strncmp(n->name, name, len) && n->name[len] == '(' && !strchr(name, '(');
}

static bool is_wanted(const struct annotate *a, const struct named *n)
{
	if (n->sym == ID_NONE || !n->name)
		return false;
	return !a->opts->symbol || is_called(a, n, a->opts->symbol);
}

static void take_entry(struct annotate *a, u32 event, const struct hist_entry *e)
{
	const struct names *names = &a->hist->names;
	u32 frame = hist_entry_key(a->hist, e, 0);
	const struct named *n = &names->named.v[names->named_of[frame]];
	const struct hist_own *own;

	if (e->own == HIST_NONE || !is_wanted(a, n))
		return;
	own = &a->hist->own.v[e->own];
	vec_push(&a->hit, (struct address_hit){ .dso = n->dso, .symbol = n->sym, .event = event,
						.addr = names->frame.v[frame].addr, .nr = own->nr,
						.period = own->period });
}

static int cmp_hits(const void *x, const void *y, void *ctx)
{
	const struct address_hit *a = x, *b = y;
	u32 la = leader_of(ctx, a->event), lb = leader_of(ctx, b->event);

	if (la != lb)
		return la < lb ? -1 : 1;
	if (a->dso != b->dso)
		return a->dso < b->dso ? -1 : 1;
	if (a->symbol != b->symbol)
		return a->symbol < b->symbol ? -1 : 1;
	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

static int cmp_functions(const void *x, const void *y)
{
	const struct annotated *a = x, *b = y;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static void find_functions(struct annotate *a)
{
	struct annotated *f = NULL;

	for (u32 i = 0; i < a->hit.nr; i++) {
		const struct address_hit *h = &a->hit.v[i];
		u32 leader = leader_of(a, h->event);

		if (!f || f->dso != h->dso || f->symbol != h->symbol || f->event != leader) {
			vec_push(&a->function, (struct annotated){ .dso = h->dso, .symbol = h->symbol,
								   .event = leader, .first = i });
			f = &a->function.v[a->function.nr - 1];
		}
		f->nr++;
		f->period += h->period;
	}
}

/* functions below --percent-limit are left out */
static void drop_small(struct annotate *a)
{
	size_t nr = 0;

	vec_foreach(&a->function, f) {
		u64 all = a->hist->event[f->event].shown.period;

		if (100.0 * f->period >= a->opts->min_percent * all)
			a->function.v[nr++] = *f;
	}
	a->function.nr = nr;
}

static bool is_one_of(const char *const *name, u32 nr, const char *wanted)
{
	for (u32 i = 0; i < nr; i++)
		if (!strcmp(name[i], wanted))
			return true;
	return false;
}

/* functions that have samples: those that contain the text that was asked for, else those spelled alike */
static void describe_candidates(const struct annotate *a, struct strbuf *out)
{
	const struct names *names = &a->hist->names;
	const char *shown[MAX_CANDIDATES] = { NULL };
	struct nearest near;
	u32 nr = 0;

	nearest_init(&near, a->opts->symbol, strlen(a->opts->symbol));
	vec_foreach(&names->named, n) {
		if (n->sym == ID_NONE || !n->name)
			continue;
		nearest_offer(&near, n->name);
		if (nr < MAX_CANDIDATES && strcasestr(n->name, a->opts->symbol) &&
		    !is_one_of(shown, nr, n->name))
			shown[nr++] = n->name;
	}
	for (u32 i = 0; i < nr; i++)
		strbuf_addf(out, "%s'%s'", i ? ", " : " (there are samples in ", shown[i]);
	if (nr)
		strbuf_addch(out, ')');
	else
		nearest_describe(&near, out);
}

/* hint: why the file with most of the samples without names has none */
static void hint_missing(const struct annotate *a, struct err *err)
{
	const struct names *names = &a->hist->names;
	u64 *period = xcalloc(machine_dsos(a->session->machine)->dso.nr + 1, sizeof(*period));
	u32 worst = ID_NONE;

	for (size_t i = 0; i < a->hist->entry.nr; i++) {
		const struct hist_entry *e = blocks_at(&a->hist->entry, i);
		const struct named *n = &names->named.v[names->named_of[hist_entry_key(a->hist, e, 0)]];

		if (e->own == HIST_NONE || !is_missing_name(a->hist, n))
			continue;
		period[n->dso] += a->hist->own.v[e->own].period;
		if (worst == ID_NONE || period[n->dso] > period[worst])
			worst = n->dso;
	}
	if (worst != ID_NONE)
		err_hint(err, "%s", symbols_reason(a->session->symbols, worst));
	free(period);
}

/* without a function that was asked for */
static int say_none(const struct annotate *a, struct err *err)
{
	const struct sample_filter *f = &a->opts->filter;

	if (f->cpu_list && f->dso_list)
		return err_set(err, -ENODATA, "no sample in a function passes both -C '%s' and -d '%s'",
			       f->cpu_list, f->dso_list);
	if (f->cpu_list)
		return err_set(err, -ENODATA, "no sample in a function passes -C '%s'", f->cpu_list);
	if (!f->dso_list) {
		err_set(err, -ENODATA, "no sample is in a function that has a name");
		hint_missing(a, err);
		return -ENODATA;
	}
	err_set(err, -ENODATA, "no sample is in a function of -d '%s'", f->dso_list);
	err_hint(err, "'perf report --sort dso' lists the programs and libraries that have samples");
	return -ENODATA;
}

static int say_nothing_found(const struct annotate *a, struct err *err)
{
	struct strbuf candidates = STRBUF_INIT;
	bool is_inlined;
	int ret;

	if (!a->session->nr_samples)
		return err_set(err, -ENODATA, "%s has no samples", a->session->data->path);
	if (!a->opts->symbol)
		return say_none(a, err);
	is_inlined = annotate_describe_inlined(a, &candidates);
	if (!is_inlined)
		describe_candidates(a, &candidates);
	ret = err_set(err, -ENODATA, "no sample is in a function '%s'%s", a->opts->symbol,
		      strbuf_str(&candidates));
	if (is_inlined)
		err_hint(err, "annotate what it was inlined into: the copies are marked there");
	else if (!access(a->opts->symbol, F_OK))
		err_hint(err, "-i %s reads the file of that name", a->opts->symbol);
	strbuf_release(&candidates);
	return ret;
}

struct hist_opts annotate_hist_opts(void)
{
	return (struct hist_opts){ .key = { &field_address }, .nr_keys = 1, .symbols = true, .frames = true };
}

void annotate_begin(struct annotate *a, struct session *s, struct annotate_opts *o)
{
	*a = (struct annotate){ .session = s, .opts = o,
				.sources = { .prefix = o->prefix, .prefix_strip = o->prefix_strip } };
}

/* files that come later are added, as live tables have them */
static void find_lines(struct annotate *a)
{
	u32 nr = machine_dsos(a->session->machine)->dso.nr;

	if (!a->opts->source)
		return;
	if (a->lines)
		lines_grow(a->lines, nr);
	else
		a->lines = lines_new(a->session->symbols, nr, true);
}

static void take_entries(struct annotate *a, bool loosely)
{
	const struct hist *h = a->hist;

	a->loosely = loosely;
	for (u32 ev = 0; ev < h->nr_events; ev++)
		for (size_t i = 0; i < h->event[ev].nr_entries; i++)
			take_entry(a, ev, blocks_at(&h->entry, h->event[ev].first + i));
}

void annotate_count(struct annotate *a, struct hist *h)
{
	hist_free(a->hist);
	a->hist = h;
	a->hit.nr = a->function.nr = 0;
	take_entries(a, false);
	if (!a->hit.nr && a->opts->symbol)
		take_entries(a, true);
	if (a->hit.nr)
		qsort_r(a->hit.v, a->hit.nr, sizeof(*a->hit.v), cmp_hits, a);
	find_functions(a);
	drop_small(a);
	if (a->function.nr)
		qsort(a->function.v, a->function.nr, sizeof(*a->function.v), cmp_functions);
	find_lines(a);
}

int annotate_collect(struct annotate *a, struct session *s, struct annotate_opts *o, struct err *err)
{
	struct hist_opts ho = annotate_hist_opts();
	int ret = sample_filter_parse(&o->filter, s, err);

	annotate_begin(a, s, o);
	if (ret)
		return ret;
	hist_use_filter(&ho, &o->filter);
	annotate_count(a, hist_collect(s, &ho));
	annotate_count_blocks(a);
	if (o->types)
		a->types = data_types_new(s);
	return a->function.nr ? 0 : say_nothing_found(a, err);
}

struct annotated annotate_find(const struct annotate *a, u32 dso, u32 symbol, u32 event)
{
	u32 leader = leader_of(a, event);

	vec_foreach(&a->function, f)
		if (f->dso == dso && f->symbol == symbol && f->event == leader)
			return *f;
	return (struct annotated){ .dso = dso, .symbol = symbol, .event = leader };
}

bool annotate_find_address(const struct annotate *a, const struct annotated *f, const struct view_listing *l,
			   u64 svma, struct annotated *ret)
{
	const struct symtab *table = symbols_table(a->session->symbols, f->dso);
	/* the distance to linked addresses is the same in the whole segment */
	u32 symbol = symbols_find_idx(a->session->symbols, f->dso,
				      svma - l->start + table->sym[f->symbol].start);

	if (symbol == ID_NONE)
		return false;
	*ret = annotate_find(a, f->dso, symbol, f->event);
	return true;
}

void annotate_release(struct annotate *a)
{
	lines_free(a->lines);
	data_types_free(a->types);
	sources_note_missing(&a->sources);
	sources_release(&a->sources);
	vec_release(&a->hit);
	vec_release(&a->block);
	vec_release(&a->function);
	hist_free(a->hist);
	sample_filter_release(&a->opts->filter);
}
