/* event_analyzing_sample: samples of any events by task, function, and program or library. */
#include "analysis.h"
#include "tally.h"

struct any_samples {
	struct analysis_run run;
	struct tally_table comm;		/* by name */
	struct tally_table place;		/* by dso, address in it, and whether it is known */
	struct tally_table dso, symbol;	/* made when they are shown: by dso; by dso and beginning */
	u64 nr;
};

static void count(void *ctx, const struct tracing_sample *ts)
{
	const struct sample_ctx *task = tracing_ctx(ts);
	const struct sample *sample = ts->sample;
	struct any_samples *s = ctx;
	struct loc loc;

	s->nr++;
	tally_at(&s->comm, analysis_comm(ts), 0, 0, 0)->n[0]++;
	loc = locator_find(&ts->task->locator, task, sample->cpumode, sample->ip);
	tally_at(&s->place, loc.dso, loc.dso == ID_NONE ? 0 : loc.dso_addr, 0, 0)->n[0]++;
}

#define HISTOGRAM 64
static const char *row_bar(const void *row)
{
	static const char bar[] = "################################################################";
	u64 nr = tally_n0(row);

	return bar + sizeof(bar) - 1 - (nr ? HISTOGRAM - __builtin_clzll(nr) : 0);
}

#define COLUMNS(key, width) { \
	{ VIEW_COUNT(key, key, VIEW_TEXT, width), .text = tally_name }, \
	{ VIEW_COUNT("number", "number", VIEW_NUMBER, 7), .number = tally_n0 }, \
	{ VIEW_NAME("histogram", "histogram", VIEW_TEXT, 0), .column.no_pad = true, \
	  .forms = VIEW_FORM_TEXT, .text = row_bar } }
static const struct view_field comm_columns[] = COLUMNS("comm", 16);
static const struct view_field symbol_columns[] = COLUMNS("symbol", 32);
static const struct view_field dso_columns[] = COLUMNS("dso", 40);

/* addresses become functions */
static void add_place(struct any_samples *s, const struct tally_row *place)
{
	const struct session *session = s->run.session;
	u32 dso = place->key[0];
	const struct symbol *sym = NULL;
	struct tally_row *row;

	if (dso != ID_NONE)
		sym = symbols_find(session->symbols, dso, place->key[1]);
	row = tally_at(&s->symbol, sym ? dso : ID_NONE, sym ? sym->start : 0, 0, 0);
	row->n[0] += place->n[0];
	if (!row->name)
		row->name = !sym ? "Unknown_symbol" :
			analysis_safe_name(&s->run, symbols_show(session->symbols, dso, sym, &s->run.arena));
}

static void name_dsos(struct any_samples *s)
{
	const struct dsos *dsos = machine_dsos(s->run.session->machine);

	vec_foreach(&s->dso, row) {
		const struct dso *d = row->key[0] == ID_NONE ? NULL : dsos_at(dsos, row->key[0]);

		row->name = !d ? "Unknown_dso" : analysis_safe_name(&s->run, d->kind == DSO_KERNEL ?
								    d->short_name : d->long_name);
	}
}

static void load_symbols(const struct any_samples *s)
{
	struct { VEC(u32); } ids = { 0 };

	vec_foreach(&s->dso, row)
		if (row->key[0] != ID_NONE)
			vec_push(&ids, row->key[0]);
	if (ids.nr)
		symbols_load(s->run.session->symbols, s->run.session->pool, ids.v, ids.nr);
	vec_release(&ids);
}

static void add_table(struct any_samples *s, struct view *v, const char *name,
		      const struct view_field *columns, struct tally_table *t)
{
	vec_foreach(t, row) {
		row->rank[0] = row->n[0];
		row->rank[1] = ~(u64)(row - t->v);
	}
	tally_sort(t);
	analysis_add_tally(&s->run, v, name, NULL, columns, 3, t);
}

static void view(void *ctx, struct view *v)
{
	struct any_samples *s = ctx;
	struct view_summary *b = view_add_summary(v, "samples", NULL);

	view_add_number(b, "records", "There is ", s->nr)->after = " records in gen_events table\n"
		"Statistics about the general events grouped by thread/symbol/dso:\n\n";
	v->summaries_first = true;
	vec_foreach(&s->place, row)
		tally_at(&s->dso, row->key[0], 0, 0, 0)->n[0] += row->n[0];
	load_symbols(s);
	vec_foreach(&s->place, row)
		add_place(s, row);
	name_dsos(s);
	vec_foreach(&s->comm, row)
		row->name = row->key[0] == ID_NONE ? "unknown" : analysis_comm_name(&s->run, row->key[0], 0);
	add_table(s, v, "comms", comm_columns, &s->comm);
	add_table(s, v, "symbols", symbol_columns, &s->symbol);
	add_table(s, v, "dsos", dso_columns, &s->dso);
}

static void release(void *ctx)
{
	struct any_samples *s = ctx;

	tally_release(&s->comm);
	tally_release(&s->place);
	tally_release(&s->dso);
	tally_release(&s->symbol);
}

/* whatever perf record samples by default */
static const char *const record[] = { NULL };
const struct analysis_ops analysis_event_analyzing_sample = {
	.size = sizeof(struct any_samples), .other = count, .record = record,
	.kernel_names = true, .view = view, .release = release,
};
