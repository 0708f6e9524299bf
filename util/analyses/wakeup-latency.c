/* wakeup-latency: how long tasks wait from their wakeup until they run. */
#include "analysis.h"
#include "tally.h"

struct wakeups {
	struct analysis_run run;
	struct tally_table task;	/* by tid; n: the time of a wakeup, whether it still waits */
	u64 nr, total, min, max;
};

enum { WOKEN_AT, WAITS };
enum { PID };
static const struct tracing_field wakeup_fields[] = { { .name = "pid" }, { .name = NULL } };
static const struct tracing_field switch_fields[] = { { .name = "next_pid" }, { .name = NULL } };

static void handle_wakeup(void *ctx, const struct tracing_sample *ts)
{
	struct wakeups *w = ctx;
	struct tally_row *task = tally_at(&w->task, (u32)ts->value[PID], 0, 0, 0);

	if (task->n[WAITS])
		return;
	task->n[WAITS] = true;
	task->n[WOKEN_AT] = ts->when.time;
}

static void handle_switch(void *ctx, const struct tracing_sample *ts)
{
	struct wakeups *w = ctx;
	struct tally_row *task;
	u64 waited;

	if (!ts->value[PID])
		return;
	task = tally_at(&w->task, (u32)ts->value[PID], 0, 0, 0);
	if (!task->n[WAITS] || ts->when.time < task->n[WOKEN_AT])
		return;
	task->n[WAITS] = false;
	waited = ts->when.time - task->n[WOKEN_AT];
	w->min = w->nr ? MIN(w->min, waited) : waited;
	w->max = MAX(w->max, waited);
	w->total += waited;
	w->nr++;
}

static void view(void *ctx, struct view *v)
{
	struct wakeups *w = ctx;
	struct view_summary *b = view_add_summary(v, "wakeup-latency", NULL);

	view_add_number(b, "wakeups", "wakeup_latency stats:\n\ntotal_wakeups: ", w->nr);
	if (!w->nr)
		return;
	view_add_number(b, "average-ns", "avg_wakeup_latency (ns): ", w->total / w->nr);
	view_add_number(b, "minimum-ns", "min_wakeup_latency (ns): ", w->min);
	view_add_number(b, "maximum-ns", "max_wakeup_latency (ns): ", w->max);
}

static void release(void *ctx)
{
	struct wakeups *w = ctx;

	tally_release(&w->task);
}

static const struct tracing_row rows[] = {
	{ "sched:sched_switch", switch_fields, handle_switch, false },
	{ "sched:sched_wakeup", wakeup_fields, handle_wakeup, false },
	{ "sched:sched_wakeup_new", wakeup_fields, handle_wakeup, true },
};
const struct analysis_ops analysis_wakeup_latency = {
	.size = sizeof(struct wakeups), .whole_system = true,
	.row = rows, .nr_rows = ARRAY_SIZE(rows),
	.view = view,
	.release = release,
};
