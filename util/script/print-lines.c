/* The run: batches from the ordered reader, slices in the pool, text to the sink in order. */
#include "script.h"

#include "batch.h"
#include "branch-code.h"
#include "callindent.h"
#include "cells.h"
#include "chain.h"
#include "dlfilter.h"
#include "engine.h"
#include "graph-filter.h"
#include "host.h"
#include "line-sample.h"
#include "line-state.h"
#include "line.h"
#include "plan-views.h"
#include "../event/record-type.h"

#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include "../../arch/arch.h"
#include "../base/progress.h"
#include "../resolve/dso-hits.h"
#include "../session/switches.h"
#include "../stat/sample-metrics.h"
#include "../sym/debuginfod.h"
#include "../tep/tracefmt.h"
#include "../unwind/unwind.h"

#define SLICE_MIN 256u
#define WORKER_TEXT (256u << 10)	/* bytes of text of a batch, for each thread */

struct run_slice {
	size_t start, end;	/* records of the batch */
	struct strbuf text;
	struct line_parts part;	/* only with per_event */
	bool blocked;		/* a dso was missing: go on from redo */
	size_t redo, redo_len, redo_parts;
	struct line_state redo_state;
	struct { VEC(struct frame_hole); } hole;	/* frames that are to be put in */
	struct strbuf filled;
};

struct script_run {
	struct script sc;
	struct session *session;
	struct line_worker *worker;
	u32 nr_workers;
	u8 *loaded;
	bool fetched;		/* debuginfod servers were asked for what has most samples */
	struct lines *lines;
	u32 nr_dsos;
	struct dlfilter *filter;		/* of --dlfilter; NULL: none */
	struct graph_filter *graph;		/* of --graph-function; NULL: none */
	struct engine *engine;			/* of --script; NULL: none */
	struct batch_reader *reader;
	struct batch *now, *next;	/* formatted, and read meanwhile */
	u32 batch_max;			/* how many records are read at once */
	bool read_next;			/* the first task of the pool reads */
	struct run_slice *slice;
	u32 nr_slices;
	bool serial;
	script_sink sink;
	void *sink_ctx;
	u64 *nr_lines;		/* by event idx */
	u64 last_time;		/* of a record that was shown */
};

static void slice_format(struct script_run *r, unsigned int worker, struct run_slice *sl)
{
	struct line_worker *w = &r->worker[r->serial ? 0 : worker];
	size_t i = sl->start;
	struct diag counted;

	if (sl->blocked) {
		i = sl->redo;
		strbuf_setlen(&sl->text, sl->redo_len);
		sl->part.nr = sl->redo_parts;
		w->state = sl->redo_state;
		sl->blocked = false;
	}
	w->parts = r->sc.o->per_event ? &sl->part : NULL;
	w->cache.blocked = w->dry = false;
	w->cache.hole.nr = 0;
	for (u32 nr; i < sl->end; i += nr) {
		size_t len = sl->text.len, parts = sl->part.nr;
		struct line_state state = w->state;
		struct diag diag = w->diag;

		nr = MIN(sl->end - i, (size_t)script_group(&r->sc));
		script_prepare(w, &r->now->rec[i], r->now->chain ? &r->now->chain[i] : NULL, nr);
		for (u32 k = 0; k < nr; k++)
			script_line(w, &r->now->rec[i + k], k, &sl->text);
		if (unlikely(w->cache.blocked)) {
			/* the rest of the slice is only looked at for what else it needs */
			if (!sl->blocked) {
				sl->redo = i;
				sl->redo_len = len;
				sl->redo_parts = parts;
				sl->redo_state = state;
				counted = diag;
			}
			sl->blocked = w->dry = true;
			strbuf_setlen(&sl->text, sl->redo_len);
			w->cache.blocked = false;
		} else if (!sl->blocked) {
			script_count_chains(w, nr);
		}
		unwind_take_guesses(w->resolver.unwind, sl->blocked ? NULL : &w->guesses);
	}
	if (sl->blocked)
		w->diag = counted;
	vec_foreach(&w->cache.hole, h)
		if (!sl->blocked || h->pos < sl->redo_len)
			vec_push(&sl->hole, *h);
}

/* puts the frames in that had to wait for their lines, and moves the text after them */
static void fill_task(void *ctx, unsigned int worker, size_t idx)
{
	struct script_run *r = ctx;
	struct run_slice *sl = &r->slice[idx];
	struct line_worker *w = &r->worker[worker];
	struct strbuf text = sl->filled;
	size_t pos = 0, part = 0;

	if (!sl->hole.nr)
		return;
	strbuf_reset(&text);
	vec_foreach(&sl->hole, h) {
		for (; part < sl->part.nr && sl->part.v[part].end <= h->pos; part++)
			sl->part.v[part].end += text.len - pos;
		strbuf_add(&text, sl->text.buf + pos, h->pos - pos);
		pos = h->pos;
		frame_put_hole(&w->cache, h, &text);
	}
	for (; part < sl->part.nr; part++)
		sl->part.v[part].end += text.len - pos;
	strbuf_add(&text, sl->text.buf + pos, sl->text.len - pos);
	sl->filled = sl->text;
	sl->text = text;
	sl->hole.nr = 0;
}

static void fill_holes(struct script_run *r)
{
	struct { VEC(struct line_query); } queries = { 0 };

	for (u32 i = 0; i < r->nr_slices; i++)
		vec_foreach(&r->slice[i].hole, h)
			vec_push(&queries, (struct line_query){ h->f.loc.dso, h->f.code });
	if (!queries.nr)
		return;
	lines_load(r->lines, r->sc.s->pool, queries.v, queries.nr);
	vec_release(&queries);
	pool_run(r->sc.s->pool, r->nr_slices, fill_task, r);
}

/*
 * tasks of the pool: with read_next the first one reads the batch that comes then, while the
 * others format this one
 */
static void batch_task(void *ctx, unsigned int worker, size_t idx)
{
	struct script_run *r = ctx;

	if (!r->read_next)
		slice_format(r, worker, &r->slice[idx]);
	else if (idx)
		slice_format(r, worker, &r->slice[idx - 1]);
	else
		batch_read(r->reader, r->next, r->batch_max);
}

/*
 * the time for servers may not suffice for all dsos: those with most samples in the file come first, whatever
 * is printed first. What comes from a live stream is not known yet
 */
static void fetch_most_hit(struct script_run *r)
{
	const struct session *s = r->sc.s;
	u32 nr, *ids;

	if (r->fetched || r->session->live || !symbols_fetch(s->symbols))
		return;
	r->fetched = true;
	ids = session_dsos_by_samples(s, &nr);
	symbols_load(s->symbols, s->pool, ids, nr);
	free(ids);
}

/* loads what the workers want: symbols, and lines of dsos whose symbols are there */
static void load_wanted(struct script_run *r)
{
	struct { VEC(u32); } ids = { 0 };

	for (u32 d = 0; d < r->nr_dsos; d++) {
		bool want = false;

		for (u32 i = 0; i < r->nr_workers; i++) {
			want |= r->worker[i].cache.want[d];
			r->worker[i].cache.want[d] = 0;
		}
		if (want && !r->loaded[d]) {
			r->loaded[d] = 1;
			vec_push(&ids, d);
		}
	}
	if (ids.nr)
		fetch_most_hit(r);
	if (ids.nr)
		symbols_load(r->sc.s->symbols, r->sc.s->pool, ids.v, ids.nr);
	vec_release(&ids);
	for (u32 i = 0; i < r->nr_workers; i++) {
		lines_load(r->lines, r->sc.s->pool, r->worker[i].lines.v, r->worker[i].lines.nr);
		r->worker[i].lines.nr = 0;
	}
}

static void format_batch(struct script_run *r, bool read_next)
{
	size_t nr = r->now->nr;
	u32 want = r->serial ? 1 : MAX(1u, MIN(r->nr_workers * 4, (u32)(nr / SLICE_MIN)));
	bool blocked;

	r->nr_slices = want;
	r->read_next = read_next;
	for (u32 i = 0; i < want; i++) {
		struct run_slice *sl = &r->slice[i];

		sl->start = nr * i / want;
		sl->end = nr * (i + 1) / want;
		sl->blocked = false;
		sl->part.nr = 0;
		sl->hole.nr = 0;
		strbuf_reset(&sl->text);
	}
	do {
		struct run_slice *again = r->slice;
		u32 left = 0;

		pool_run(r->sc.s->pool, r->nr_slices + r->read_next, batch_task, r);
		r->read_next = false;
		blocked = false;
		for (u32 i = 0; i < want; i++) {
			left += again[i].blocked;
			blocked |= again[i].blocked;
			if (!again[i].blocked)
				again[i].start = again[i].end;	/* done: nothing to do in the next turn */
		}
		if (left)
			load_wanted(r);
	} while (blocked);
	fill_holes(r);
}

static int write_slice(struct script_run *r, const struct run_slice *sl)
{
	size_t pos = 0;
	int ret = 0;

	if (!sl->text.len)
		return 0;
	if (!r->sc.o->per_event)
		return r->sink(r->sink_ctx, ID_NONE, sl->text.buf, sl->text.len);
	for (size_t i = 0; i < sl->part.nr && !ret; i++) {
		const struct line_part *p = &sl->part.v[i];

		if (p->sample)
			r->nr_lines[p->event]++;
		if (p->end > pos)
			ret = r->sink(r->sink_ctx, p->event, sl->text.buf + pos, p->end - pos);
		pos = p->end;
	}
	return ret;
}

static void plan_stops(struct script_run *r, const struct name_filter *stops)
{
	for (u32 i = 1; i < stops->names.str.nr; i++)
		vec_push(&r->sc.stop_bt, strtab_get(&stops->names, i));
}

/*
 * no slices if a line depends on earlier lines: times since, source text, the width that data_src has reached
 */
static bool needs_order(const struct script_run *r)
{
	const struct script_opts *o = r->sc.o;
	const struct evset *set = r->sc.s->data->evset;

	if (o->reltime || o->deltatime || o->switch_on || o->switch_off)
		return true;
	for (size_t i = 0; i < set->ev.nr; i++) {
		u64 mask = r->sc.view[i].mask;

		if (mask & FIELD_BIT(SRCCODE) || (!o->format && mask & FIELD_BIT(DATA_SRC) &&
						  set->ev.v[i]->attr.sample_type & PERF_SAMPLE_DATA_SRC))
			return true;
	}
	return false;
}

static void run_init(struct script_run *r, const struct session *s, struct script_opts *o)
{
	r->sc.s = s;
	r->sc.o = o;
	r->nr_workers = pool_nr_workers(s->pool);
	r->nr_dsos = machine_dsos(s->machine)->dso.nr;
	r->loaded = xcalloc(r->nr_dsos + 1, 1);
	r->lines = lines_new(s->symbols, r->nr_dsos, true);
	r->worker = xcalloc(r->nr_workers, sizeof(*r->worker));
	r->slice = xcalloc(r->nr_workers * 4, sizeof(*r->slice));
	r->nr_lines = o->nr_lines = xcalloc(s->data->evset->ev.nr + 1, sizeof(u64));
	script_plan_views(&r->sc);
	r->serial = needs_order(r);
	for (u32 i = 0; i < r->nr_workers; i++) {
		r->worker[i].sc = &r->sc;
		resolver_init(&r->worker[i].resolver, s, &r->worker[i].scratch);
		frame_cache_init(&r->worker[i].cache, s, &r->worker[i].resolver.locator, &o->frame, r->loaded,
				 r->nr_dsos, r->lines);
		r->worker[i].cache.format = o->format;
	}
}

static void count_misordered(struct script_run *r)
{
	for (size_t i = 0; i < r->now->nr; i++) {
		if (!r->now->time[i])
			continue;
		r->sc.o->nr_misordered += r->now->time[i] < r->last_time;
		r->last_time = r->now->time[i];
	}
}

static void run_release(struct script_run *r)
{
	for (u32 i = 0; i < r->nr_workers; i++) {
		frame_cache_release(&r->worker[i].cache);
		tracefmt_free(r->worker[i].trace);
		line_more_free(r->worker[i].more);
		branch_code_free(r->worker[i].branch_code);
		sample_metrics_free(r->worker[i].metrics);
		callindent_free(r->worker[i].callindent);
		vec_release(&r->worker[i].lines);
		arena_release(&r->worker[i].scratch);
		arena_release(&r->worker[i].names);
		vec_release(&r->worker[i].comm);
		vec_release(&r->worker[i].hits);
		vec_release(&r->worker[i].runs);
		vec_release(&r->worker[i].fp);
		vec_release(&r->worker[i].guesses);
		strbuf_release(&r->worker[i].short_comm);
		strbuf_release(&r->worker[i].cell_text);
		resolver_release(&r->worker[i].resolver);
	}
	for (u32 i = 0; i < r->nr_workers * 4; i++) {
		strbuf_release(&r->slice[i].text);
		strbuf_release(&r->slice[i].filled);
		vec_release(&r->slice[i].hole);
		vec_release(&r->slice[i].part);
	}
	for (size_t i = 0; i < r->sc.s->data->evset->ev.nr; i++)
		free(r->sc.view[i].name);
	lines_free(r->lines);
	free(r->worker);
	free(r->slice);
	free(r->loaded);
	free(r->sc.view);
	vec_release(&r->sc.stop_bt);
}

static void grow(struct script_run *r)
{
	u32 old = r->nr_dsos;

	r->nr_dsos = machine_dsos(r->session->machine)->dso.nr;
	r->loaded = xrealloc(r->loaded, r->nr_dsos + 1ul);
	memset(r->loaded + old, 0, r->nr_dsos + 1ul - old);
	lines_grow(r->lines, r->nr_dsos);
	for (u32 i = 0; i < r->nr_workers; i++) {
		frame_cache_grow(&r->worker[i].cache, r->loaded, r->nr_dsos);
		locator_reset(&r->worker[i].resolver.locator);
	}
}

/* the next batch if the current one is empty: a pipe may still grow. 0 at the end */
static int wait_batch(struct script_run *r, struct err *err)
{
	while (!r->now->nr) {
		int ret = session_more(r->session, err);

		if (ret <= 0)
			return ret;
		grow(r);
		batch_reader_more(r->reader);
		batch_read(r->reader, r->now, r->batch_max);
	}
	return 1;
}

/* ---- filters in shared objects: one after another, and once for each sample, before lines are made ---- */

static void host_load(void *ctx)
{
	load_wanted(ctx);
}

static void host_load_lines(void *ctx, struct line_query *q, size_t nr)
{
	struct script_run *r = ctx;

	lines_load(r->lines, r->sc.s->pool, q, nr);
}

static bool host_wanted(void *ctx, const struct line_sample *ls)
{
	struct script_run *r = ctx;
	struct line_worker *w = &r->worker[0];
	bool wanted = script_sample_wanted(w, ls);

	if (w->cache.blocked) {
		w->cache.blocked = false;
		load_wanted(r);
		wanted = script_sample_wanted(w, ls);
	}
	return wanted;
}

static struct script_host host_of(struct script_run *r)
{
	return (struct script_host){ &r->worker[0], host_load, host_load_lines, host_wanted, r };
}

/* long lines: fewer records at once, so that the processor's cache holds their text until it is written */
static void choose_batch(struct script_run *r)
{
	u64 text = 0, wanted = (u64)r->nr_workers * WORKER_TEXT, max = r->batch_max * 2;

	for (u32 i = 0; i < r->nr_slices; i++)
		text += r->slice[i].text.len;
	if (text > wanted)
		max = MAX(r->now->nr * wanted / text, (u64)SLICE_MIN);
	r->batch_max = MIN(max, (u64)BATCH);
}

static int print_batch(struct script_run *r, bool read_next, struct err *err)
{
	int ret = 0;

	format_batch(r, read_next);
	choose_batch(r);
	for (u32 i = 0; i < r->nr_slices && !ret; i++)
		ret = write_slice(r, &r->slice[i]);
	return ret && ret != -EPIPE ? err_sys(err, -ret, "cannot write the output") : ret;
}

/* the same for a script: 1 where it wants to end */
static int script_batch(struct script_run *r, bool read_next, struct err *err)
{
	struct engine_batch b = { r->now->rec, r->now->chain, r->now->nr };
	struct script_host host = host_of(r);
	int ret = engine_run(r->engine, &host, &b, &r->worker[0].passed, err);

	if (!ret && read_next)
		batch_read(r->reader, r->next, r->batch_max);
	return ret;
}

/* read_next: meanwhile the next batch is read */
static int show_batch(struct script_run *r, bool read_next, struct err *err)
{
	count_misordered(r);
	return r->engine ? script_batch(r, read_next, err) : print_batch(r, read_next, err);
}

/* 1: the record stays, 0: the filter drops it */
static int filter_record(struct script_run *r, const struct script_host *host, size_t i, struct err *err)
{
	const struct rec *rec = &r->now->rec[i];
	struct line_sample ls = { 0 };
	int ret = 1;

	if (rec->type != REC_SAMPLE ||
	    !script_sample(host->worker, rec, r->now->chain ? &r->now->chain[i] : NULL, &ls))
		return 1;
	if (dlfilter_wants(r->filter, true))
		ret = dlfilter_ask(r->filter, host, &ls, true, err);
	if (ret == 1 && dlfilter_wants(r->filter, false) && host_wanted(r, &ls))
		ret = dlfilter_ask(r->filter, host, &ls, false, err);
	return ret;
}

/* what the filter has printed comes after the lines of the records before: they are shown first */
static int show_filter_text(struct script_run *r, size_t kept, struct err *err)
{
	int ret = 0;

	r->now->nr = kept;
	if (kept)
		ret = show_batch(r, false, err);
	fflush(stdout);
	return ret;
}

static int filter_batch(struct script_run *r, struct err *err)
{
	struct script_host host = host_of(r);
	struct batch *b = r->now;
	size_t kept = 0, nr = b->nr;

	for (size_t i = 0; i < nr; i++) {
		int stays = filter_record(r, &host, i, err), ret = 0;

		if (stays < 0)
			return stays;
		if (unlikely(__fpending(stdout))) {
			ret = show_filter_text(r, kept, err);
			kept = 0;
		}
		if (ret)
			return ret;
		if (stays)
			batch_keep(b, kept++, i);
	}
	b->nr = kept;
	return 0;
}

/* takes samples out of the batch */
static int filter(struct script_run *r, struct err *err)
{
	struct script_host host = host_of(r);

	if (r->graph)
		graph_filter_batch(r->graph, &host, r->now);
	return r->filter ? filter_batch(r, err) : 0;
}

static int run_batches(struct script_run *r, struct err *err)
{
	u64 done_samples = 0;
	int ret = 0;

	if (!r->session->live)
		batch_read(r->reader, r->now, r->batch_max);
	while (!r->sc.o->engine.stop && (ret = wait_batch(r, err)) > 0) {
		struct batch *done = r->now;

		ret = filter(r, err);
		if (ret)
			return ret;
		ret = show_batch(r, !r->session->live, err);
		if (ret)
			return ret;
		r->now = r->next;
		r->next = done;
		progress_at("printing samples");	/* again: symbols are loaded in between */
		progress_count(done_samples += done->nr, r->session->nr_samples);
		if (r->session->live)	/* what was read ahead would keep a line from being shown at once */
			batch_read(r->reader, r->now, r->batch_max);
	}
	return ret;
}

static int run_script(struct script_run *r, struct err *err)
{
	struct err close_err = ERR_INIT;
	int ret, closed;

	if (!r->sc.o->engine.file)
		return run_batches(r, err);
	r->engine = engine_open(&r->sc.o->engine, r->session, err);
	if (!r->engine)
		return err->code;
	ret = engine_start(r->engine, err);
	if (!ret)
		ret = run_batches(r, err);
	if (!ret)
		ret = engine_stop(r->engine, err);
	closed = engine_close(r->engine, ret < 0 ? &close_err : err);
	return ret < 0 ? ret : closed;
}

static int run_filtered(struct script_run *r, struct err *err)
{
	const struct dlfilter_opts *o = &r->sc.o->dlfilter;
	struct err stop_err = ERR_INIT;
	int ret = 0, stopped;

	if (!o->file)
		return run_script(r, err);
	r->filter = dlfilter_open(o, err);
	if (!r->filter)
		return -ENOEXEC;
	/* a terminal has each line at once, and then nobody would know that the filter has printed one */
	setvbuf(stdout, NULL, _IOFBF, BUFSIZ);
	ret = dlfilter_start(r->filter, err);
	fflush(stdout);
	if (!ret)
		ret = run_script(r, err);
	stopped = dlfilter_stop(r->filter, ret ? &stop_err : err);
	dlfilter_free(r->filter);
	return ret ? ret : stopped;
}

/* cells begin with what the file says of itself */
static int write_header(struct script_run *r, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret;

	script_header_cells(r->session, r->sc.o->format, &text);
	ret = r->sink(r->sink_ctx, ID_NONE, text.buf, text.len);
	strbuf_release(&text);
	return ret && ret != -EPIPE ? err_sys(err, -ret, "cannot write the output") : ret;
}

static int plan(struct script_run *r, const struct script_opts *o, struct err *err)
{
	int ret = switch_event(r->session, o->switch_on, "switch-on", &r->sc.switch_on, err);

	if (!ret)
		ret = switch_event(r->session, o->switch_off, "switch-off", &r->sc.switch_off, err);
	for (u32 i = 0; i < r->nr_workers; i++)
		r->worker[i].state.on = !o->switch_on;
	return ret;
}

int script_check(const struct session *s, struct script_opts *o, struct err *err)
{
	struct script_caps caps = { .callchain = !o->hide_chain, .made = s->aux,
				    .clock_data = feature_present(&s->data->feat, FEAT_CLOCK_DATA) };

	return script_fields_check(&o->fields, s->data->evset, &caps, err);
}

int script_run(struct session *s, struct script_opts *o, script_sink sink, void *ctx, struct err *err)
{
	struct unwind_guesses guesses = { 0 };
	struct name_filter stops = { 0 };
	struct batch *batches;
	struct script_run *r;
	int ret = name_filter_parse(&stops, o->stop_bt, err);

	if (ret) {
		name_filter_release(&stops);
		return ret;
	}
	r = xcalloc(1, sizeof(*r));
	r->sink = sink;
	r->sink_ctx = ctx;
	r->session = s;
	run_init(r, s, o);
	ret = plan(r, o, err);
	if (!ret)
		ret = graph_filter_new(&r->graph, o->graph_functions, err);
	plan_stops(r, &stops);
	r->reader = batch_reader_new(s, !o->keep_deferred, !o->unsorted);
	r->now = batches = xcalloc(2, sizeof(*r->now));
	r->next = r->now + 1;
	r->batch_max = BATCH;
	if (!ret && o->format)
		ret = write_header(r, err);
	if (!ret)
		ret = run_filtered(r, err);
	for (int i = 0; i < 2; i++)
		batch_release(&batches[i]);
	free(batches);
	batch_reader_free(r->reader);
	for (u32 i = 0; i < r->nr_workers; i++) {
		diag_merge(&o->diag, &r->worker[i].diag);
		o->passed |= r->worker[i].passed;
		fp_counts_merge(&o->fp, &r->worker[i].fp);
		unwind_add_guesses(&guesses, &r->worker[i].guesses);
	}
	unwind_log_guesses(&guesses, machine_dsos(s->machine));
	vec_release(&guesses);
	run_release(r);
	graph_filter_free(r->graph);
	name_filter_release(&stops);
	free(r);
	return ret;
}
