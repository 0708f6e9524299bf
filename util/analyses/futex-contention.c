/* futex-contention: how long each task waits for each futex. */
#include "analysis.h"
#include "tally.h"

#include <errno.h>
#include <linux/futex.h>

struct futex_contention {
	struct analysis_run run;
	struct tally_table task;	/* by tid; n: its futex, since when, whether it waits */
	struct tally_table wait;	/* by tid, futex and comm */
};

enum { FUTEX, SINCE, WAITS };
enum { NR, AVERAGE, MIN_NS, MAX_NS, TOTAL };
enum { ENTER_ADDRESS, ENTER_OP };
static const struct tracing_field enter_fields[] = {
	{ .name = "uaddr" }, { .name = "op" }, { .name = NULL }
};
enum { EXIT_RET };
static const struct tracing_field exit_fields[] = { { .name = "ret" }, { .name = NULL } };

static bool waits(u32 op)
{
	op &= (u32)FUTEX_CMD_MASK;
	return op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET;
}

static void handle_enter(void *ctx, const struct tracing_sample *ts)
{
	struct futex_contention *c = ctx;
	struct tally_row *task = tally_at(&c->task, ts->sample->tid, 0, 0, 0);

	task->n[WAITS] = waits(ts->value[ENTER_OP]);
	task->n[FUTEX] = ts->value[ENTER_ADDRESS];
	task->n[SINCE] = ts->when.time;
}

/* a futex whose value had changed already is not waited for */
static void handle_exit(void *ctx, const struct tracing_sample *ts)
{
	struct futex_contention *c = ctx;
	struct tally_row *task = tally_at(&c->task, ts->sample->tid, 0, 0, 0), *wait;
	u64 waited = ts->when.time - task->n[SINCE];
	bool was = task->n[WAITS];

	task->n[WAITS] = false;
	if (!was || ts->when.time < task->n[SINCE] || (s64)ts->value[EXIT_RET] == -EAGAIN)
		return;
	wait = tally_at(&c->wait, ts->sample->tid, task->n[FUTEX], analysis_comm(ts), 0);
	wait->n[MIN_NS] = wait->n[NR] ? MIN(wait->n[MIN_NS], waited) : waited;
	wait->n[MAX_NS] = MAX(wait->n[MAX_NS], waited);
	wait->n[TOTAL] += waited;
	wait->n[NR]++;
}

static const struct view_field columns[] = {
	{ VIEW_NAME("comm", "comm", VIEW_TEXT, 0), .text = tally_comm },
	{ VIEW_COUNT("tid", "tid", VIEW_NUMBER, 0), .number = tally_key0 },
	{ VIEW_COUNT("futex", "futex", VIEW_ADDRESS, 0), .number = tally_key1 },
	{ VIEW_COUNT("waits", "waits", VIEW_NUMBER, 0), .number = tally_n0 },
	{ VIEW_COUNT("average", "average", VIEW_TIME, 0), .number = tally_n1 },
	{ VIEW_COUNT("minimum", "minimum", VIEW_TIME, 0), .number = tally_n2 },
	{ VIEW_COUNT("maximum", "maximum", VIEW_TIME, 0), .number = tally_n3 },
};

/* text has a sentence for each row */
static void add_lines(struct futex_contention *c, struct view *v)
{
	struct view_summary *b = view_add_summary(v, "waits", NULL);

	vec_foreach(&c->wait, row) {
		const char *whose = analysis_text(&c->run, "%s[%d] lock %lx contended ", row->comm,
						  (s32)row->key[0], row->key[1]);
		const char *rest = analysis_text(&c->run, " times, %lu avg ns [max: %lu ns, min %lu ns]\n",
						 row->n[AVERAGE], row->n[MAX_NS], row->n[MIN_NS]);

		view_add_number(b, "waits", whose, row->n[NR])->after = rest;
	}
	b->text_only = true;
}

static void view(void *ctx, struct view *v)
{
	struct futex_contention *c = ctx;

	vec_foreach(&c->wait, row) {
		row->comm = analysis_comm_name(&c->run, row->key[2], row->key[0]);
		row->n[AVERAGE] = row->n[TOTAL] / row->n[NR];
		row->rank[0] = row->n[TOTAL];
		row->rank[1] = ~row->key[0];
		row->rank[2] = ~row->key[1];
	}
	tally_sort(&c->wait);
	if (c->run.form == VIEW_FORM_TEXT)
		add_lines(c, v);
	else
		analysis_add_tally(&c->run, v, "waits", NULL, columns, ARRAY_SIZE(columns), &c->wait);
}

static void release(void *ctx)
{
	struct futex_contention *c = ctx;

	tally_release(&c->task);
	tally_release(&c->wait);
}

static const struct tracing_row rows[] = {
	{ "syscalls:sys_enter_futex", enter_fields, handle_enter, false },
	{ "syscalls:sys_exit_futex", exit_fields, handle_exit, false },
};
const struct analysis_ops analysis_futex_contention = {
	.size = sizeof(struct futex_contention), .row = rows, .nr_rows = ARRAY_SIZE(rows), .view = view,
	.release = release,
};
