/* stat-cpi: cycles per instruction, by interval, from a file of perf stat record. */
#include "analysis.h"
#include "../event/counts.h"
#include "../session/session.h"
#include "../stat/places.h"
#include "../stat/stat-file.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

struct cpi_row {
	u64 time;
	const char *event, *place;
	/* why there is no number; NULL: there is one */
	const char *no_cycles, *no_instructions, *no_cpi;
	double cycles, instructions, cpi;
};

/* what was counted together: both events with the same modifiers, PMU and control group */
struct cpi_pair {
	u32 cycles, instructions;
	const char *name;
};

struct stat_cpi {
	struct analysis_run run;
	struct { VEC(struct cpi_row); } row;
	struct { VEC(struct cpi_pair); } pair;
};

static bool is_event(const struct event *ev, u64 config)
{
	return ev->attr.type == PERF_TYPE_HARDWARE && (u32)ev->attr.config == config;
}

static bool same_cgroup(const struct stat_file *f, u32 a, u32 b)
{
	const char *x = f->cgroup ? f->cgroup[a] : NULL, *y = f->cgroup ? f->cgroup[b] : NULL;

	return x == y || (x && y && !strcmp(x, y));
}

#define MODIFIERS (ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV | ATTR_EXCLUDE_IDLE | \
		   ATTR_EXCLUDE_HOST | ATTR_EXCLUDE_GUEST)

static bool belong_together(const struct stat_file *f, u32 a, u32 b)
{
	const struct pe_attr *x = &evset_at(f->set, a)->attr, *y = &evset_at(f->set, b)->attr;

	return x->config >> 32 == y->config >> 32 && !((x->flags ^ y->flags) & MODIFIERS) &&
	       same_cgroup(f, a, b);
}

static void find_pairs(struct stat_cpi *c, const struct stat_file *f)
{
	for (u32 i = 0; i < f->set->ev.nr; i++)
		for (u32 k = 0; is_event(evset_at(f->set, i), PERF_COUNT_HW_CPU_CYCLES) && k < f->set->ev.nr;
		     k++) {
			if (!is_event(evset_at(f->set, k), PERF_COUNT_HW_INSTRUCTIONS) ||
			    !belong_together(f, i, k))
				continue;
			vec_push(&c->pair, ((struct cpi_pair){
				i, k, analysis_safe_name(&c->run, evset_at(f->set, i)->name) }));
			break;
		}
}

/* as they were summed up when they were recorded, or by CPU where the file does not say where CPUs are */
static enum aggr_mode mode_of(const struct stat_file *f)
{
	enum aggr_mode mode = f->config.mode;
	const struct cpu_location *p = f->place;

	if (mode == AGGR_GLOBAL || (mode == AGGR_THREAD && f->counts.tid[0] >= 0))
		return mode;
	if (f->counts.cpu[0] < 0 || mode == AGGR_THREAD)
		return AGGR_GLOBAL;
	for (u32 i = 0; i < f->counts.nr_cpus; i++)
		if (p[i].socket < 0 || (mode == AGGR_NODE && p[i].node < 0))
			return AGGR_NONE;
	return mode;
}

static const char *why_not(const struct tally *t)
{
	return t->state == COUNT_UNSUPPORTED ? "the machine does not have the event" :
	       t->state != COUNT_READ ? "it was not counted" : NULL;
}

static void add_round(struct stat_cpi *c, const struct stat_file *f, const struct counts *counts, u64 time,
		      const struct aggr *a, const struct view_places *place)
{
	u32 *first = tally_merging(f->set, true);
	struct tallies t;

	tallies_init(&t, a, counts, f->set, first, !f->config.no_scale);
	for (u32 id = 0; id < a->id.nr; id++)
		vec_foreach(&c->pair, p) {
			const struct tally *cycles = tally_at(&t, p->cycles, id);
			const struct tally *instructions = tally_at(&t, p->instructions, id);
			struct cpi_row row = { .time = time, .event = p->name,
					       .place = analysis_text(&c->run, "%s", place->v[id].name) };

			if (cycles->state == COUNT_ABSENT && instructions->state == COUNT_ABSENT)
				continue;
			row.cycles = cycles->scaled;
			row.instructions = instructions->scaled;
			row.no_cycles = why_not(cycles);
			row.no_instructions = why_not(instructions);
			row.no_cpi = row.no_cycles ?: row.no_instructions;
			if (!row.no_cpi && !(row.instructions > 0))
				row.no_cpi = "there were no instructions";
			if (!row.no_cpi)
				row.cpi = row.cycles / row.instructions;
			vec_push(&c->row, row);
		}
	tallies_release(&t);
	free(first);
}

static void add_rounds(struct stat_cpi *c, struct stat_file *f)
{
	struct counts before = { 0 }, since = { 0 }, *now = &f->counts;
	struct view_places place;
	struct stat_round round;
	struct aggr a;

	aggr_init(&a, mode_of(f), now, f->place, f->comm);
	stat_places_init(&place, &a);
	counts_init(&before, now->nr_events, now->cpu, now->nr_cpus, now->tid, now->nr_threads);
	counts_init(&since, now->nr_events, now->cpu, now->nr_cpus, now->tid, now->nr_threads);
	while (stat_file_next(f, &round) > 0) {
		counts_since(&since, now, &before, f->set);
		add_round(c, f, &since, round.time_ns, &a, &place);
		counts_copy(&before, now);
	}
	counts_release(&before);
	counts_release(&since);
	view_places_release(&place);
	aggr_release(&a);
}

static int read_counts(void *ctx, struct session *s, struct err *err)
{
	struct stat_cpi *c = ctx;
	struct stat_file f;
	int ret;

	if (!stat_file_is(s->data)) {
		err_set(err, -EINVAL, "%s contains no counts", s->data->path);
		err_hint(err, "'perf script record stat-cpi -I 1000 COMMAND' counts once a second");
		return -EINVAL;
	}
	ret = stat_file_of(&f, s->data, err);
	if (ret)
		return ret;
	find_pairs(c, &f);
	if (c->pair.nr)
		add_rounds(c, &f);
	else
		ret = err_set(err, -EINVAL, "%s does not contain both cycles and instructions",
			      s->data->path);
	diag_merge(&s->diag, &f.diag);
	stat_file_close(&f);
	return ret;
}

#define GET(type, name, value) \
	static type row_##name(const void *row) { const struct cpi_row *r = row; return value; }
GET(u64, time, r->time)
GET(const char *, place, r->place)
GET(const char *, event, r->event)
GET(double, cycles, r->cycles)
GET(double, instructions, r->instructions)
GET(double, cpi, r->cpi)
GET(const char *, no_cycles, r->no_cycles)
GET(const char *, no_instructions, r->no_instructions)
GET(const char *, no_cpi, r->no_cpi)

static void add_seconds(u64 ns, struct strbuf *out)
{
	strbuf_addf(out, "%lu.%09lu", ns / 1000000000, ns % 1000000000);
}

static const struct view_field columns[] = {
	{ VIEW_COUNT("time", "time", VIEW_TIME, 15), .number = row_time, .format = add_seconds },
	{ VIEW_NAME("place", "place", VIEW_TEXT, 6), .text = row_place },
	{ VIEW_NAME("event", "event", VIEW_TEXT, 6), .text = row_event },
	{ VIEW_COUNT("cycles", "cycles", VIEW_REAL, 15), .real = row_cycles,
	  .absent = row_no_cycles },
	{ VIEW_COUNT("instructions", "instructions", VIEW_REAL, 15), .real = row_instructions,
	  .absent = row_no_instructions },
	{ VIEW_COUNT("cpi", "cpi", VIEW_REAL, 8), .decimals = 3, .real = row_cpi, .absent = row_no_cpi },
};

static void view(void *ctx, struct view *v)
{
	struct stat_cpi *c = ctx;

	analysis_add_table(&c->run, v, "cpi", NULL, columns, ARRAY_SIZE(columns), c->row.v, c->row.nr,
			   sizeof(*c->row.v));
}

static void release(void *ctx)
{
	struct stat_cpi *c = ctx;

	vec_release(&c->row);
	vec_release(&c->pair);
}

static const char *const record[] = { "-e", "{cycles,instructions}", NULL };
const struct analysis_ops analysis_stat_cpi = {
	.size = sizeof(struct stat_cpi), .read = read_counts, .record = record, .view = view,
	.release = release,
};
