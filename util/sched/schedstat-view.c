/* Schedstat view: fields by name, averages over CPUs, derived numbers, comparisons. */
#include "schedstat.h"

#include <stdio.h>
#include <string.h>
#include "sched-view.h"
#include "../view/rows.h"

/* base: the field of which it is a part, in percent; -1: none */
static const struct { const char *name; int base; const char *text; } cpu_fields[SCHEDSTAT_CPU_VALUES] = {
	{ "yld_count", -1, "calls of sched_yield()" },
	{ "array_exp", -1, "not used since Linux 2.6.23" },
	{ "sched_count", -1, "calls of schedule()" },
	{ "sched_goidle", 2, "calls of schedule() that left the CPU idle" },
	{ "ttwu_count", -1, "wakeups on this CPU" },
	{ "ttwu_local", 4, "wakeups by the same CPU" },
	{ "rq_cpu_time", -1, "time that tasks ran, in ns" },
	{ "run_delay", 6, "time that tasks waited for the CPU, in ns" },
	{ "pcount", -1, "timeslices that were run" },
};

struct domain_field {
	const char *name, *text;
	bool jiffies;		/* the mean time between two is shown */
};
static const struct domain_field balance_fields[] = {
	{ "lb_count", "calls of the load balancer", true },
	{ "lb_balanced", "calls that found the load balanced", true },
	{ "lb_failed", "calls that wanted to move a task, and could not", true },
	{ "lb_imbalance_load", "imbalance of load", false },
	{ "lb_imbalance_util", "imbalance of utilization", false },
	{ "lb_imbalance_task", "imbalance of the number of tasks", false },
	{ "lb_imbalance_misfit", "imbalance by tasks that are too large for their CPU", false },
	{ "lb_gained", "tasks that were pulled", false },
	{ "lb_hot_gained", "tasks that were pulled although their caches were warm", false },
	{ "lb_nobusyq", "calls that found no busier queue", true },
	{ "lb_nobusyg", "calls that found no busier group", true },
};
/* before version 17 there was one imbalance */
static const struct domain_field one_imbalance = { "lb_imbalance", "imbalance that was found", false };
static const struct domain_field other_fields[] = {
	{ "alb_count", "active balancing: tries", false }, { "alb_failed", "active balancing: failures",
							    false },
	{ "alb_pushed", "active balancing: tasks that were pushed", false },
	{ "sbe_count", "balancing at exec: tries (not used)", false },
	{ "sbe_balanced", "balancing at exec: nothing to do (not used)", false },
	{ "sbe_pushed", "balancing at exec: tasks that were pushed (not used)", false },
	{ "sbf_count", "balancing at fork: tries (not used)", false },
	{ "sbf_balanced", "balancing at fork: nothing to do (not used)", false },
	{ "sbf_pushed", "balancing at fork: tasks that were pushed (not used)", false },
	{ "ttwu_wake_remote", "wakeups of tasks that had run on another CPU of the domain", false },
	{ "ttwu_move_affine", "wakeups that moved a task to the waker's CPU", false },
	{ "ttwu_move_balance", "wakeups that moved a task to balance the load", false },
};
/* the order of kinds of idleness, which version 16 changed */
static const char *const kinds[2][3] = { { "idle", "busy", "newidle" }, { "busy", "idle", "newidle" } };

struct stat_row {
	const char *cpu, *domain, *field, *count[2], *change, *percent[2], *jiffies[2], *text;
	double value[2];
};

/* sums of lines of one domain (or of CPUs), on the way to rows */
struct stat_sum {
	u64 value[SCHEDSTAT_MAX_VALUES], nr;
};

struct stat_view {
	struct view *v;
	const struct schedstat_span *span;
	u32 nr_spans;
	struct { VEC(struct stat_row); } row;
	const char *cpu, *domain;
};

static double mean(const struct stat_sum *s, u32 i)
{
	return s->nr ? (double)(s->value[i] / s->nr) : 0;
}

static struct stat_row *add_row(struct stat_view *x, const char *name, const char *text, const double *value)
{
	struct stat_row row = { .cpu = x->cpu, .domain = x->domain, .field = name, .text = text };
	struct arena *a = &x->v->arena;

	for (u32 i = 0; i < x->nr_spans; i++) {
		row.value[i] = value[i];
		row.count[i] = sched_text(a, value[i] == (u64)value[i] ? "%.0f" : "%.2f", value[i]);
		row.percent[i] = row.jiffies[i] = "";
	}
	row.change = value[0] > 0 ? sched_text(a, "%.2f", (value[1] - value[0]) * 100 / value[0]) : "";
	vec_push(&x->row, row);
	return &x->row.v[x->row.nr - 1];
}

static void add_cpu_rows(struct stat_view *x, const struct stat_sum *sum)
{
	struct arena *a = &x->v->arena;

	for (u32 i = 0; i < SCHEDSTAT_CPU_VALUES; i++) {
		double value[2] = { mean(&sum[0], i), x->nr_spans > 1 ? mean(&sum[1], i) : 0 };
		struct stat_row *r = add_row(x, cpu_fields[i].name, cpu_fields[i].text, value);

		for (u32 k = 0; k < x->nr_spans && cpu_fields[i].base >= 0; k++) {
			double base = mean(&sum[k], cpu_fields[i].base);

			r->percent[k] = base > 0 ? sched_text(a, "%.2f", 100 * value[k] / base) : "";
		}
	}
}

static void add_field(struct stat_view *x, const struct stat_sum *sum, u32 i, const char *kind,
		      const struct domain_field *f)
{
	double value[2] = { mean(&sum[0], i), x->nr_spans > 1 ? mean(&sum[1], i) : 0 };
	struct arena *a = &x->v->arena;
	const char *name = kind ? sched_text(a, "%s_%s", kind, f->name) : f->name;
	struct stat_row *r = add_row(x, name, f->text, value);

	for (u32 k = 0; k < x->nr_spans && f->jiffies; k++) {
		const struct schedstat_span *span = &x->span[k];
		u64 time = span->last.timestamp - MIN(span->first.timestamp, span->last.timestamp);

		r->jiffies[k] = value[k] > 0 ? sched_text(a, "%.2f", time / value[k]) : "";
	}
}

/* what follows from the numbers of a kind: balancing that moved tasks, and how many each time */
static void add_derived(struct stat_view *x, const struct stat_sum *sum, u32 first, u32 gained,
			const char *kind)
{
	double success[2] = { 0 }, pulled[2] = { 0 };

	for (u32 k = 0; k < x->nr_spans; k++) {
		success[k] = mean(&sum[k], first) - mean(&sum[k], first + 1) - mean(&sum[k], first + 2);
		if (success[k] < 0)
			success[k] = 0;
		pulled[k] = success[k] > 0 ? mean(&sum[k], gained) / success[k] : 0;
	}
	add_row(x, sched_text(&x->v->arena, "*%s_lb_success_count", kind), "calls that moved tasks", success);
	add_row(x, sched_text(&x->v->arena, "*%s_lb_avg_pulled", kind), "tasks that each of them moved",
		pulled);
}

static void add_domain_rows(struct stat_view *x, const struct stat_sum *sum)
{
	u32 version = x->span[0].last.version, i = 0;
	bool one = version < 17;

	for (u32 k = 0; k < 3; k++) {
		const char *kind = kinds[version > 15][k];
		u32 first = i;

		for (u32 f = 0; f < ARRAY_SIZE(balance_fields); f++) {
			if (one && f > 3 && f < 7)
				continue;
			add_field(x, sum, i++, kind, one && f == 3 ? &one_imbalance : &balance_fields[f]);
		}
		add_derived(x, sum, first, first + (one ? 4 : 7), kind);
	}
	for (u32 f = 0; f < ARRAY_SIZE(other_fields); f++)
		add_field(x, sum, i++, NULL, &other_fields[f]);
}

/* ---- lines to sums ---- */

static const struct schedstat_line *same_line(const struct schedstat *s, const struct schedstat_line *like,
					      size_t hint)
{
	if (hint < s->line.nr && s->line.v[hint].cpu == like->cpu && s->line.v[hint].domain == like->domain)
		return &s->line.v[hint];
	vec_foreach(&s->line, l)
		if (l->cpu == like->cpu && l->domain == like->domain)
			return l;
	return NULL;
}

/* adds what the lines count that have this domain, of one CPU or (UINT32_MAX) of all that are wanted */
static struct stat_sum sum_up(const struct schedstat_span *span, u32 cpu, u32 domain,
			      const struct id_filter *cpus)
{
	struct stat_sum sum = { 0 };

	for (size_t i = 0; i < span->last.line.nr; i++) {
		const struct schedstat_line *to = &span->last.line.v[i], *from;

		if (to->domain != domain || (cpu != UINT32_MAX && to->cpu != cpu) ||
		    !id_filter_ok(cpus, to->cpu))
			continue;
		from = same_line(&span->first, to, i);
		if (!from)
			continue;
		sum.nr++;
		for (u32 k = 0; k < to->nr; k++) {
			u64 d = to->value[k] - from->value[k];

			/* the kernel's counters of 32 bits wrap */
			sum.value[k] += domain == SCHEDSTAT_NO_DOMAIN && k >= 6 ? d : (u32)d;
		}
	}
	return sum;
}

static void add_lines(struct stat_view *x, u32 cpu, u32 domain, const struct id_filter *cpus)
{
	struct stat_sum sum[2] = { sum_up(&x->span[0], cpu, domain, cpus) };

	if (x->nr_spans > 1)
		sum[1] = sum_up(&x->span[1], cpu, domain, cpus);
	if (!sum[0].nr)
		return;
	if (domain == SCHEDSTAT_NO_DOMAIN)
		add_cpu_rows(x, sum);
	else
		add_domain_rows(x, sum);
}

static void add_all(struct stat_view *x, const struct id_filter *cpus)
{
	const struct schedstat *last = &x->span[0].last;
	bool first_cpu = true;
	u32 of = UINT32_MAX;

	/* the domains of the first CPU stand for those of all */
	x->cpu = "all";
	vec_foreach(&last->line, l) {
		if (!id_filter_ok(cpus, l->cpu) || (!first_cpu && l->cpu != of))
			continue;
		first_cpu = false;
		of = l->cpu;
		x->domain = l->domain == SCHEDSTAT_NO_DOMAIN ? "" : arena_strdup(&x->v->arena, l->name);
		if (l->domain != SCHEDSTAT_NO_DOMAIN && !*l->name)
			x->domain = sched_text(&x->v->arena, "%u", l->domain);
		add_lines(x, UINT32_MAX, l->domain, cpus);
	}
	vec_foreach(&last->line, l) {
		if (!id_filter_ok(cpus, l->cpu))
			continue;
		x->cpu = sched_text(&x->v->arena, "%u", l->cpu);
		x->domain = l->domain == SCHEDSTAT_NO_DOMAIN ? "" : arena_strdup(&x->v->arena, l->name);
		if (l->domain != SCHEDSTAT_NO_DOMAIN && !*l->name)
			x->domain = sched_text(&x->v->arena, "%u", l->domain);
		add_lines(x, l->cpu, l->domain, cpus);
	}
}

/* ---- table ---- */

#define GET(type, name, value_) \
	static type name(const void *row) { const struct stat_row *r = row; return value_; }
GET(const char *, row_cpu, r->cpu)
GET(const char *, row_domain, r->domain)
GET(const char *, row_field, r->field)
GET(double, row_count, r->value[0])
GET(double, row_count2, r->value[1])
GET(const char *, row_count_text, r->count[0])
GET(const char *, row_count2_text, r->count[1])
GET(const char *, row_change, r->change)
GET(const char *, row_percent, r->percent[0])
GET(const char *, row_percent2, r->percent[1])
GET(const char *, row_jiffies, r->jiffies[0])
GET(const char *, row_jiffies2, r->jiffies[1])
GET(const char *, row_text, r->text)
enum { ONE = 1, TWO = 2, EXPLAINED_ONE = 4, EXPLAINED_TWO = 8 };
#define PEOPLE .forms = VIEW_FORM_TEXT | VIEW_FORM_SEPARATED
#define BOTH .tables = TWO | EXPLAINED_TWO
static const struct view_field columns[] = {
	{ VIEW_COUNT("cpu", "CPU", VIEW_TEXT, 4), .text = row_cpu },
	{ VIEW_NAME("domain", "Domain", VIEW_TEXT, 6), .text = row_domain },
	{ VIEW_NAME("field", "Field", VIEW_TEXT, 28), .text = row_field },
	{ VIEW_COUNT("count", "Count", VIEW_TEXT, 14), PEOPLE, .text = row_count_text },
	{ VIEW_COUNT("count", "Count", VIEW_REAL, 14), .forms = VIEW_FORM_VALUES, .real = row_count },
	{ VIEW_COUNT("count2", "Count2", VIEW_TEXT, 14), BOTH, PEOPLE, .text = row_count2_text },
	{ VIEW_COUNT("count2", "Count2", VIEW_REAL, 14), BOTH, .forms = VIEW_FORM_VALUES,
	  .real = row_count2 },
	{ VIEW_COUNT("change", "Change %", VIEW_TEXT, 9), BOTH, .text = row_change },
	{ VIEW_COUNT("percent", "% of base", VIEW_TEXT, 9), .text = row_percent },
	{ VIEW_COUNT("percent2", "% of base2", VIEW_TEXT, 10), BOTH, .text = row_percent2 },
	{ VIEW_COUNT("jiffies", "Avg jiffies", VIEW_TEXT, 11), .text = row_jiffies },
	{ VIEW_COUNT("jiffies2", "Avg jiffies2", VIEW_TEXT, 12), BOTH, .text = row_jiffies2 },
	{ VIEW_NAME("meaning", "Meaning", VIEW_TEXT, 0), .tables = EXPLAINED_ONE | EXPLAINED_TWO,
	  .text = row_text },
};

struct view *schedstat_view(const struct schedstat_span *span, u32 nr_spans, const struct id_filter *cpus,
			    bool explain, u32 form)
{
	struct view *v = xcalloc(1, sizeof(*v));
	struct stat_view x = { .v = v, .span = span, .nr_spans = nr_spans };
	struct view_rows rows = { .field = columns, .nr_fields = ARRAY_SIZE(columns), .form = form,
				  .table = nr_spans > 1 ? explain ? EXPLAINED_TWO : TWO :
							  explain ? EXPLAINED_ONE : ONE,
				  .size = sizeof(struct stat_row), .limit = UINT64_MAX };
	struct view_summary *b;

	v->name = "sched";
	v->tables = "tables";
	add_all(&x, cpus);
	rows.row = x.row.v;
	rows.nr = x.row.nr;
	vec_push(&v->owned, x.row.v);
	view_add_rows(v, &rows)->name = "schedstat";
	b = view_add_summary(v, "summary", "SUMMARY");
	view_add_number(b, "jiffies", "Time elapsed (in jiffies): ", span[0].last.timestamp -
			MIN(span[0].first.timestamp, span[0].last.timestamp));
	if (nr_spans > 1)
		view_add_number(b, "jiffies2", "Time elapsed of the second file: ", span[1].last.timestamp -
				MIN(span[1].first.timestamp, span[1].last.timestamp));
	return v;
}
