/* Diff: counts files one after another, and matches their rows. */
#include "diff.h"
#include "runs.h"
#include "../base/hash.h"
#include "../base/maths.h"
#include "../fields/trace-keys.h"
#include "../hist/collect.h"
#include "../hist/count-mode.h"
#include "../hist/filter-columns.h"
#include "../hist/hist.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* after each key of a row; texts from files have no control characters when they are shown */
#define KEY_END "\1"

/* rows by the text of all their keys */
struct diff_index {
	struct { VEC(u32); } row_of;	/* by id in texts: the row in its event; UINT32_MAX: none */
	struct strtab texts;
};

static struct diff_event *find_event(struct diff *d, const char *name)
{
	struct diff_event *ev;

	vec_foreach(&d->event, e)
		if (!strcmp(e->name, name))
			return e;
	ev = vec_add(&d->event);
	ev->name = arena_strdup(&d->arena, name);
	ev->total = arena_zalloc(&d->arena, d->nr_files * sizeof(*ev->total));
	ev->all = arena_zalloc(&d->arena, d->nr_files * sizeof(*ev->all));
	ev->has = arena_zalloc(&d->arena, d->nr_files * sizeof(*ev->has));
	return ev;
}

/* copies the keys, each of which ends with KEY_END */
static const char *const *copy_keys(struct diff *d, const struct strbuf *keys)
{
	const char **copy = arena_alloc(&d->arena, (d->nr_keys + 1) * sizeof(*copy));
	const char *at = strbuf_str(keys);

	for (u32 i = 0; i < d->nr_keys; i++) {
		size_t len = strcspn(at, KEY_END);

		copy[i] = arena_strndup(&d->arena, at, len);
		at += len + 1;
	}
	return copy;
}

/* the row with these keys */
static struct diff_row *find_row(struct diff *d, struct diff_event *ev, const struct strbuf *keys)
{
	struct diff_index *x = d->index;
	struct strbuf text = STRBUF_INIT;
	struct diff_row *row;
	u32 id;

	strbuf_addf(&text, "%s%lu", strbuf_str(keys), (u64)(ev - d->event.v));
	id = strtab_add(&x->texts, strbuf_str(&text));
	strbuf_release(&text);
	while (x->row_of.nr <= id)
		vec_push(&x->row_of, UINT32_MAX);
	if (x->row_of.v[id] != UINT32_MAX)
		return &ev->row.v[x->row_of.v[id]];
	x->row_of.v[id] = ev->row.nr;
	row = vec_add(&ev->row);
	row->key = copy_keys(d, keys);
	row->sum = arena_zalloc(&d->arena, d->nr_files * sizeof(*row->sum));
	row->spread = d->opts->spread ? arena_zalloc(&d->arena, d->nr_files * sizeof(*row->spread)) : NULL;
	return row;
}

static void add_sums(struct diff_sum *sum, const struct stat_sums *s, bool cycles)
{
	sum->nr += cycles ? s->branches : s->nr;
	sum->period += cycles ? s->cycles : s->period;
}

/* adds the entries of one event of file i; with a spread, each has branches of equal cycles */
static void take_entries(struct diff *d, u32 file, struct hist *h, u32 event)
{
	struct field_ctx ctx = hist_field_ctx(h);
	const struct hist_event *he = &h->event[event];
	struct diff_event *ev = find_event(d, evset_at(h->session->data->evset, event)->name);
	struct diff_sum *total = (struct diff_sum *)&ev->total[file];
	const struct stat_sums *all = d->opts->absolute ? &he->total : &he->shown;
	bool cycles = d->opts->compute == DIFF_CYCLES;
	struct strbuf keys = STRBUF_INIT;

	ctx.total = all;
	ev->has[file] = true;
	((u64 *)ev->all)[file] += he->total.period;
	total->nr += all->nr;
	total->period += cycles ? all->cycles : all->period;
	for (size_t i = 0; i < he->nr_entries; i++) {
		const struct hist_entry *e = blocks_at(&h->entry, he->first + i);
		struct stat_sums s = hist_entry_sums(h, e);
		struct diff_row *row;

		strbuf_reset(&keys);
		for (u32 k = 0; k < d->nr_keys; k++) {
			d->order.key[k]->format(&ctx, hist_entry_key(h, e, k), &keys);
			strbuf_addstr(&keys, KEY_END);
		}
		row = find_row(d, ev, &keys);
		add_sums((struct diff_sum *)&row->sum[file], &s, cycles);
		if (row->spread && s.branches)
			vec_push(&row->spread[file],
				 (struct diff_cycles){ s.cycles / s.branches, s.branches });
	}
	strbuf_release(&keys);
}

char *diff_time_of(const char *spec, u32 i)
{
	if (!spec)
		return NULL;
	for (; i && strchr(spec, ':'); i--)
		spec = strchr(spec, ':') + 1;
	return xstrndup(spec, strcspn(spec, ":"));
}

/* -c cycles counts branches: rows are basic blocks, or other keys of branches */
static int choose_blocks(struct diff_opts *o, const struct session *s, struct hist_opts *ho, struct err *err)
{
	const struct mode_opts mode = { .blocks = o->compute == DIFF_CYCLES, .option = "-c cycles",
					.branch_stack_set = true };
	struct sort_spec spec = { 0 };
	int ret;

	if (!mode.blocks)
		return 0;
	ret = mode_choose(&mode, mode_branches(s->data->evset), ho, &spec, err);
	ho->branch_sums = true;
	o->sort.default_sort = "block_start,block_end,dso_from";
	o->sort.has = spec.has;
	return ret;
}

/* for the spread, blocks are counted by their cycles, too: the last key, which makes no rows */
static int choose_keys(struct diff *d, struct err *err)
{
	struct sort_spec spec = d->opts->sort;
	struct strbuf keys = STRBUF_INIT;
	int ret;

	strbuf_addf(&keys, "%s,cycles", spec.sort ? spec.sort : spec.default_sort);
	if (d->opts->spread)
		spec.sort = strbuf_str(&keys);
	ret = sort_order_parse(&d->order, &spec, err);
	strbuf_release(&keys);
	d->nr_keys = d->order.nr_keys - d->opts->spread;
	return ret;
}

static bool has_rows(const struct diff *d)
{
	vec_foreach(&d->event, ev)
		if (ev->row.nr)
			return true;
	return false;
}

static int take_file(struct diff *d, u32 i, void (*warn)(const struct diag *diag), struct err *err)
{
	struct diff_opts *o = d->opts;
	struct sample_filter filter = o->filter;
	struct hist_opts ho = { .keep = sample_filter_keep, .keep_ctx = &filter };
	struct session_opts so = o->session;
	char *time = diff_time_of(o->filter.time_spec, i);
	struct session *s;
	struct hist *h;
	int ret;

	so.data.path = d->path[i];
	filter.time_spec = time;
	ret = session_open(&s, &so, err);	/* its message names the file */
	if (ret) {
		free(time);
		return ret;
	}
	o->sort.trace = trace_keys_new(s->data->evset, &s->data->feat.tracing_data);
	ret = choose_blocks(o, s, &ho, err);
	if (!ret)
		ret = choose_keys(d, err);
	trace_keys_free(d->trace);
	d->trace = o->sort.trace;
	if (!ret)
		ret = sample_filter_parse(&filter, s, err);
	if (!ret) {
		sort_order_keys(&d->order, &ho);
		if (sample_filter_wants_frames(&filter)) {
			ho.frames = true;
			ho.symbols |= sample_filter_wants_symbols(&filter);
			ho.keep_frame = sample_filter_keep_frame;
		}
		h = hist_collect(s, &ho);
		renames_add(&d->renames, i, h, &d->order, d->nr_keys);
		for (u32 ev = 0; ev < h->nr_events; ev++)
			take_entries(d, i, h, ev);
		if (i + 1 == d->nr_files && !has_rows(d))
			sample_filter_warn_empty(&filter, h);
		hist_free(h);
	}
	sample_filter_release(&filter);
	o->sort.trace = NULL;
	warn(&s->diag);
	session_close(s);
	free(time);
	return ret ? err_prefix(err, "%s: ", d->path[i]) : 0;
}

double diff_percent(const struct diff_event *ev, const struct diff_row *row, u32 i)
{
	return ev->total[i].period ? 100.0 * row->sum[i].period / ev->total[i].period : 0;
}

bool diff_value(const struct diff *d, const struct diff_event *ev, const struct diff_row *row, u32 i,
		double *ret)
{
	const struct diff_sum *base = &row->sum[0], *new = &row->sum[i];

	if (!new->nr || !ev->has[0])
		return false;
	switch (d->opts->compute) {
	case DIFF_DELTA:
	case DIFF_DELTA_ABS:
		/* a row that is new has grown from nothing */
		*ret = diff_percent(ev, row, i) - diff_percent(ev, row, 0);
		return true;
	case DIFF_RATIO:
		*ret = base->period ? (double)new->period / base->period : 0;
		return base->period;
	case DIFF_CYCLES:
		if (base->nr)
			*ret = (double)new->period / new->nr - (double)base->period / base->nr;
		return base->nr;
	case DIFF_WDIFF:
		*ret = (double)new->period * d->opts->weight_new -
		       (double)base->period * d->opts->weight_base;
		return base->nr;
	}
	return false;
}

static double variance_of_mean(const struct diff_row *row, u32 i)
{
	double mean = (double)row->sum[i].period / row->sum[i].nr, squares = 0;

	vec_foreach(&row->spread[i], c)
		squares += c->nr * (c->cycles - mean) * (c->cycles - mean);
	return squares / (row->sum[i].nr - 1) / row->sum[i].nr;
}

bool diff_cycles_error(const struct diff_row *row, u32 i, double *ret)
{
	if (!row->spread || row->sum[0].nr < 2 || row->sum[i].nr < 2)
		return false;
	*ret = maths_sqrt(variance_of_mean(row, 0) + variance_of_mean(row, i));
	return true;
}

struct diff_sort {
	const struct diff *d;
	const struct diff_event *ev;
};

/* largest first; a row's rank says what there is: nothing, no value, a value */
static int cmp_values(int rank_a, double a, int rank_b, double b)
{
	if (rank_a != rank_b)
		return rank_b - rank_a;
	return a > b ? -1 : a < b;
}

static int rank_of(const struct diff_sort *c, const struct diff_row *row, double *ret)
{
	u32 i = c->d->opts->order;

	if (!diff_value(c->d, c->ev, row, i, ret))
		return row->sum[i].nr > 0;
	if (c->d->opts->compute == DIFF_DELTA_ABS || c->d->opts->compute == DIFF_CYCLES)
		*ret = fabs(*ret);
	return 2;
}

static int cmp_rows(const void *x, const void *y, void *arg)
{
	const struct diff_sort *c = arg;
	const struct diff_row *a = x, *b = y;
	double va = 0, vb = 0;
	int ret = 0, rank_a, rank_b;

	if (c->d->opts->nr_a) {
		ret = (b->runs.significant - a->runs.significant);
		ret = ret ? ret : cmp_values(true, fabs(a->runs.delta), true, fabs(b->runs.delta));
	} else if (c->d->opts->order) {
		rank_a = rank_of(c, a, &va);
		rank_b = rank_of(c, b, &vb);
		ret = cmp_values(rank_a, va, rank_b, vb);
	}
	if (!ret)
		ret = cmp_values(a->sum[0].nr > 0, a->sum[0].period, b->sum[0].nr > 0, b->sum[0].period);
	for (u32 i = 1; i < c->d->nr_files && !ret; i++)
		ret = cmp_values(0, a->sum[i].period, 0, b->sum[i].period);
	for (u32 k = 0; k < c->d->order.nr_keys && !ret; k++)
		ret = strcmp(a->key[k], b->key[k]);
	return ret;
}

/* how many units of work each run did */
static int count_units(struct diff *d, struct err *err)
{
	double *units = arena_alloc(&d->arena, d->nr_files * sizeof(*units));
	const struct diff_event *of = NULL;

	vec_foreach(&d->event, ev)
		if (!strcmp(ev->name, d->opts->per))
			of = ev;
	for (u32 i = 0; i < d->nr_files; i++) {
		units[i] = of ? of->all[i] : !strcmp(d->opts->per, DIFF_PER_RUN);
		if (units[i])
			continue;
		err_set(err, -ENOENT, "--per: %s has no samples of an event '%s'", d->path[i], d->opts->per);
		err_hint(err, "'perf evlist' shows the names of events; --per " DIFF_PER_RUN
			      " compares whole runs");
		return -ENOENT;
	}
	d->units = units;
	return 0;
}

static void drop_new_rows(struct diff_event *ev)
{
	size_t nr = 0;

	vec_foreach(&ev->row, row)
		if (row->sum[0].nr)
			ev->row.v[nr++] = *row;
	ev->row.nr = nr;
}

/* the texts of a row's keys, with names shared by several */
static void shown_keys(const struct diff *d, const struct diff_row *row, struct strbuf *out)
{
	for (u32 k = 0; k < d->nr_keys; k++) {
		enum name_kind kind;
		bool named = renames_kind_of(d->order.key[k], &kind);

		strbuf_addstr(out, named ? renames_shown(&d->renames, kind, row->key[k]) : row->key[k]);
		strbuf_addstr(out, KEY_END);
	}
}

static void add_row(const struct diff *d, struct diff_row *to, const struct diff_row *row)
{
	for (u32 i = 0; i < d->nr_files; i++) {
		struct diff_sum *sum = (struct diff_sum *)&to->sum[i];

		sum->nr += row->sum[i].nr;
		sum->period += row->sum[i].period;
		if (!row->spread)
			continue;
		vec_foreach(&row->spread[i], c)
			vec_push(&to->spread[i], *c);
		vec_release(&row->spread[i]);
	}
}

/* rows whose keys are shown alike become one */
static void merge_renamed(struct diff *d)
{
	vec_foreach(&d->event, ev) {
		struct strbuf keys = STRBUF_INIT;
		struct diff_row *row = ev->row.v;
		size_t nr = ev->row.nr;

		memset(&ev->row, 0, sizeof(ev->row));
		for (size_t i = 0; i < nr; i++) {
			strbuf_reset(&keys);
			shown_keys(d, &row[i], &keys);
			add_row(d, find_row(d, ev, &keys), &row[i]);
		}
		strbuf_release(&keys);
		free(row);
	}
}

static void release_index(struct diff_index *x)
{
	vec_release(&x->row_of);
	strtab_release(&x->texts);
	*x = (struct diff_index){ 0 };
}

int diff_files(struct diff *d, struct diff_opts *o, const char *const *path, u32 nr_files,
	       void (*warn)(const struct diag *diag), struct err *err)
{
	struct diff_index index = { 0 };
	int ret = 0;

	*d = (struct diff){ .opts = o, .path = path, .nr_files = nr_files, .index = &index };
	renames_init(&d->renames, nr_files);
	for (u32 i = 0; i < nr_files && !ret; i++)
		ret = take_file(d, i, warn, err);
	release_index(&index);
	if (!ret)
		renames_decide(&d->renames, MAX(o->nr_a, 1u));
	if (d->renames.alias.nr)
		merge_renamed(d);
	release_index(&index);
	d->index = NULL;
	if (!ret && o->per)
		ret = count_units(d, err);
	if (ret)
		return ret;
	vec_foreach(&d->event, ev) {
		struct diff_sort c = { d, ev };

		if (o->baseline_only)
			drop_new_rows(ev);
		if (o->nr_a)
			diff_compare_runs(d, ev);
		if (ev->row.nr)
			qsort_r(ev->row.v, ev->row.nr, sizeof(*ev->row.v), cmp_rows, &c);
	}
	return 0;
}

void diff_release(struct diff *d)
{
	vec_foreach(&d->event, ev) {
		vec_foreach(&ev->row, row)
			for (u32 i = 0; row->spread && i < d->nr_files; i++)
				vec_release(&row->spread[i]);
		vec_release(&ev->row);
	}
	vec_release(&d->event);
	renames_release(&d->renames);
	trace_keys_free(d->trace);
	arena_release(&d->arena);
}
