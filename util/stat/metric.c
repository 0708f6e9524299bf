/* Generic derived values: which base an event has, and the rows of metrics.def. */
#include "metric.h"

#include <math.h>
#include <string.h>
#include "metric-private.h"
#include "topdown.h"

enum base_kind { BASE_EVENT, BASE_CLOCK, BASE_ELAPSED, BASE_SLOTS };
enum derive_kind { KIND_RATIO, KIND_INVERSE, KIND_HERTZ, KIND_REST };

struct generic {		/* an event of the kernel, whatever its modifiers and PMU */
	enum base_kind kind;	/* other than EVENT: of bases only */
	u32 type;
	u32 config;
};

#define HW(x) { BASE_EVENT, PERF_TYPE_HARDWARE, PERF_COUNT_HW_ ## x }
#define SW(x) { BASE_EVENT, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ ## x }
#define CACHE(x, result) \
	{ \
		BASE_EVENT, PERF_TYPE_HW_CACHE, \
				PERF_COUNT_HW_CACHE_ ## x | PERF_COUNT_HW_CACHE_OP_READ << 8 | \
				PERF_COUNT_HW_CACHE_RESULT_ ## result << 16 \
	}
#define MISS(x) CACHE(x, MISS)
#define READ(x) CACHE(x, ACCESS)
#define TOPDOWN(nr) { BASE_EVENT, PERF_TYPE_RAW, TOPDOWN_CONFIG(nr) }
#define CLOCK { BASE_CLOCK }
#define SLOTS { BASE_SLOTS }
#define ELAPSED { BASE_ELAPSED }
#define DERIVE(...) { __VA_ARGS__ },
#define RATIO KIND_RATIO
#define INVERSE KIND_INVERSE
#define HERTZ KIND_HERTZ
#define REST KIND_REST
#define NUMBER(width, decimals) { width, decimals, false }
#define NUMBER_GAP(width, decimals) { width, decimals, true }

static const struct row {
	struct generic event, base;
	enum derive_kind kind;
	double factor;
	struct { u8 width, decimals; bool gap; } number;
	const char *unit, *name;
} rows[] = {
#include "metrics.def"
};

#define ROWS_MAX 4		/* of one event */

/* what one event is derived with */
struct bases {
	u8 nr_rows, row[ROWS_MAX];
	u32 base[ROWS_MAX];	/* BASE_EVENT: the event to divide by; NO_EVENT: there is none in the set */
	u32 clock[2];		/* task-clock and cpu-clock; NO_EVENT */
	u32 slots[TOPDOWN_NR];	/* TOPDOWN(0) to (3), for rows with that base */
	/* a counter of the CPU, which may stand still in a virtual machine: 0 says little */
	bool hardware;
	bool rate, by_elapsed;	/* without a row: a rate per second, of CPU time or of elapsed time */
};

struct stat_derive {
	const struct evset *set;
	const struct stat_metrics *plan;
	const u32 *cgroup;
	struct bases *of;	/* by event */
	/* where the plan's events begin, and where the first copy of the set ends */
	u32 plan_first, copy_size;
};

#define EXCLUDES (ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV | ATTR_EXCLUDE_IDLE | \
		  ATTR_EXCLUDE_HOST | ATTR_EXCLUDE_GUEST)

static bool is_generic(const struct event *ev, const struct generic *g)
{
	/* the upper half of config is the PMU */
	return ev->attr.type == g->type && (u32)ev->attr.config == g->config;
}

/* prefers the member of the same group, which is counted at the same time; else the first one */
static u32 find_event(const struct stat_derive *d, const struct event *ev, const struct generic *want,
		      bool modifiers)
{
	u32 found = NO_EVENT;

	for (u32 i = 0; i < d->set->ev.nr; i++) {
		const struct event *b = evset_at(d->set, i);

		if (!is_generic(b, want) || (d->cgroup && d->cgroup[i] != d->cgroup[ev->idx]))
			continue;
		if (modifiers && ((b->attr.flags ^ ev->attr.flags) & EXCLUDES ||
				  b->attr.config >> 32 != ev->attr.config >> 32))
			continue;
		if (b->leader == ev->leader)
			return i;
		if (found == NO_EVENT)
			found = i;
	}
	return found;
}

/* the PMU of something else than a CPU counts by the clock on the wall, on a CPU that only reads it */
static bool is_uncore(const struct event *ev)
{
	return ev->attr.type >= PERF_TYPE_MAX && (ev->per_pkg || (ev->pmu && !strncmp(ev->pmu, "uncore", 6)));
}

static void find_bases(struct stat_derive *d, const struct event *ev)
{
	static const struct generic clocks[] = { SW(TASK_CLOCK), SW(CPU_CLOCK) };
	struct bases *b = &d->of[ev->idx];

	for (u32 i = 0; i < ARRAY_SIZE(rows) && b->nr_rows < ROWS_MAX; i++) {
		if (!is_generic(ev, &rows[i].event))
			continue;
		for (u32 k = 0; rows[i].base.kind == BASE_SLOTS && k < TOPDOWN_NR; k++)
			b->slots[k] = find_event(d, ev, &(struct generic)TOPDOWN(k), true);
		b->base[b->nr_rows] = rows[i].base.kind == BASE_EVENT ?
				      find_event(d, ev, &rows[i].base, true) : NO_EVENT;
		b->row[b->nr_rows++] = i;
	}
	for (u32 i = 0; i < ARRAY_SIZE(clocks); i++)
		b->clock[i] = find_event(d, ev, &clocks[i], false);
	/* Joules, bytes and temperatures are shown as they are, not as rates per second */
	b->rate = !event_is_clock(ev) && !event_is_tool(ev) && !ev->snapshot && (!ev->unit || !*ev->unit) &&
		  ev->scale == 1.0 && !ev->dummy;
	b->by_elapsed = is_uncore(ev);
	b->hardware = ev->attr.type == PERF_TYPE_HARDWARE || ev->attr.type == PERF_TYPE_HW_CACHE ||
		      ev->attr.type == PERF_TYPE_RAW;
}

struct stat_derive *stat_derive_new(const struct evset *set, const struct stat_metrics *plan,
				    const u32 *cgroup)
{
	struct stat_derive *d = xcalloc(1, sizeof(*d));

	d->set = set;
	d->plan = plan;
	d->cgroup = cgroup;
	if (plan)
		plan_extent(plan, set, &d->plan_first, &d->copy_size);
	d->of = xcalloc(set->ev.nr ? set->ev.nr : 1, sizeof(*d->of));
	for (u32 i = 0; i < set->ev.nr; i++)
		find_bases(d, evset_at(set, i));
	return d;
}

void stat_derive_free(struct stat_derive *d)
{
	if (!d)
		return;
	free(d->of);
	free(d);
}

/* 0 where one of the parts was not counted */
static double slots_value(const struct bases *b, const struct stat_values *v, u32 id)
{
	double sum = 0;

	for (u32 i = 0; i < TOPDOWN_NR; i++) {
		const struct tally *t = stat_counted(v, b->slots[i], id);

		if (!t)
			return 0;
		sum += t->scaled;
	}
	return sum;
}

/* of an event, or of the clocks; 0 where it was not counted */
static double base_value(const struct bases *b, const struct stat_values *v, u32 event, enum base_kind kind,
			 u32 id)
{
	const struct tally *t = NULL;

	if (kind == BASE_ELAPSED)
		return v->elapsed_ns > 0 ? v->elapsed_ns : 0;
	if (kind == BASE_SLOTS)
		return slots_value(b, v, id);
	if (kind == BASE_EVENT)
		t = stat_counted(v, event, id);
	for (u32 i = 0; kind == BASE_CLOCK && i < ARRAY_SIZE(b->clock) && (!t || t->scaled <= 0); i++)
		t = stat_counted(v, b->clock[i], id);
	return t && t->scaled > 0 ? t->scaled : 0;
}

/* the unit that leaves one to three digits before the point, from per_unit[0] (the number itself) upwards */
static const char *scale_up(double *value, const char *const units[], size_t nr)
{
	size_t i = 0;

	while (i + 1 < nr && *value >= 1000) {
		*value /= 1000;
		i++;
	}
	return units[i];
}

static void add_rate(const struct bases *bs, const struct stat_values *v, const struct tally *t, u32 id,
		     struct view_block *b, struct view_line *line)
{
	static const char *const units[] = { "/sec", "K/sec", "M/sec", "G/sec" };
	double ns = base_value(bs, v, NO_EVENT, bs->by_elapsed ? BASE_ELAPSED : BASE_CLOCK, id);
	struct view_derived m = { .name = "", .value = { .type = VIEW_REAL, .decimals = 3 }, .width = 8 };

	if (ns <= 0 || (bs->hardware && !t->scaled))
		return;
	m.value.real = t->scaled / ns * 1e9;
	m.unit = scale_up(&m.value.real, units, ARRAY_SIZE(units));
	stat_derive_push(b, line, m);
}

static struct view_derived row_derived(const struct row *r, double value, const char *unit)
{
	return (struct view_derived){
		.name = r->name, .unit = unit, .width = r->number.width, .gap = r->number.gap,
		.value = { .type = VIEW_REAL, .decimals = r->number.decimals, .real = value }
	};
}

/* a frequency is in GHz, unless that would round to nothing */
static void add_hertz(const struct row *r, double ghz, struct view_block *b, struct view_line *line)
{
	static const char *const units[] = { "GHz", "MHz", "kHz", "Hz" };
	size_t i = 0;

	if (ghz <= 0)
		return;
	while (i + 1 < ARRAY_SIZE(units) && ghz < 0.01) {
		ghz *= 1000;
		i++;
	}
	stat_derive_push(b, line, row_derived(r, ghz, units[i]));
}

/* NAN where it cannot be derived */
static double row_value(const struct bases *bs, u32 nth, const struct stat_values *v, const struct tally *t,
			u32 id)
{
	const struct row *r = &rows[bs->row[nth]];
	double base = base_value(bs, v, bs->base[nth], r->base.kind, id);

	if (r->kind == KIND_REST) {
		/* a sum of four that counted: so did the one that this is a part of */
		const struct tally *whole = stat_counted(v, bs->slots[(r->event.config >> 8) % TOPDOWN_NR],
							 id);

		return base > 0 && whole ? r->factor * MAX(whole->scaled - t->scaled, 0) / base : NAN;
	}
	if (r->kind == KIND_INVERSE)
		return base > 0 && t->scaled > 0 ? r->factor * base / t->scaled : NAN;
	return base > 0 ? r->factor * t->scaled / base : NAN;
}

static void add_rows(const struct bases *bs, const struct stat_values *v, const struct tally *t, u32 id,
		     struct view_block *b, struct view_line *line)
{
	bool shown = false;

	for (u32 i = 0; i < bs->nr_rows; i++) {
		const struct row *r = &rows[bs->row[i]];
		double value = row_value(bs, i, v, t, id), other;

		for (; i + 1 < bs->nr_rows && !strcmp(rows[bs->row[i + 1]].name, r->name); i++) {
			other = row_value(bs, i + 1, v, t, id);
			value = isnan(value) ? other : isnan(other) ? value : MAX(value, other);
		}
		if (isnan(value))
			continue;
		shown = true;
		if (r->kind == KIND_HERTZ)
			add_hertz(r, value, b, line);
		else
			stat_derive_push(b, line, row_derived(r, value, r->unit));
	}
	if (!shown && bs->rate)
		add_rate(bs, v, t, id, b, line);
}

void stat_derive_add(const struct stat_derive *d, const struct stat_values *v, u32 event, u32 id,
		     struct view_block *b, struct view_line *line)
{
	const struct tally *t = stat_counted(v, event, id);

	line->nr_derived = 0;
	line->derived = b->derived.nr;
	/* who asked for metrics by name gets these, and nothing else beside their events */
	if (t && (!d->plan || event % d->copy_size < d->plan_first))
		add_rows(&d->of[event], v, t, id, b, line);
	if (d->plan)
		plan_show(d->plan, d->set, v, event, event - event % d->copy_size, id, b, line);
}
