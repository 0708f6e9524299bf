/* syscall-counts: how often each system call was made; sctop: the same, again and again. */
#include "analysis.h"
#include "tally.h"

struct syscall_counts {
	struct analysis_run run;
	struct tally_table call;		/* by number */
};

enum { ENTER_ID };
static const struct tracing_field enter_fields[] = { { .name = "id" }, { .name = NULL } };

static void handle_enter(void *ctx, const struct tracing_sample *ts)
{
	struct syscall_counts *c = ctx;

	tally_at(&c->call, (u32)ts->value[ENTER_ID], 0, 0, 0)->n[0]++;
}

static const struct view_field columns[] = {
	{ VIEW_NAME("syscall", "event", VIEW_TEXT, 40), .text = tally_name },
	{ VIEW_COUNT("count", "count", VIEW_NUMBER, 11), .number = tally_n0 },
};

static void view(void *ctx, struct view *v)
{
	struct syscall_counts *c = ctx;

	vec_foreach(&c->call, row) {
		row->name = analysis_call_name(&c->run, row->key[0]);
		row->rank[0] = row->n[0];
		row->rank[1] = row->key[0];
	}
	tally_sort(&c->call);
	analysis_add_tally(&c->run, v, "syscalls", analysis_title(&c->run, "syscall events"), columns,
			   ARRAY_SIZE(columns), &c->call);
}

static void release(void *ctx)
{
	struct syscall_counts *c = ctx;

	tally_release(&c->call);
}

static const struct tracing_row rows[] = {
	{ "raw_syscalls:sys_enter", enter_fields, handle_enter, false },
};
const struct analysis_ops analysis_sctop = {
	.size = sizeof(struct syscall_counts), .takes = ANALYSIS_TAKES_COMM | ANALYSIS_TAKES_INTERVAL,
	.interval = 3,
	.row = rows, .nr_rows = ARRAY_SIZE(rows), .view = view, .release = release,
};
const struct analysis_ops analysis_syscall_counts = {
	.size = sizeof(struct syscall_counts), .takes = ANALYSIS_TAKES_COMM, .row = rows,
	.nr_rows = ARRAY_SIZE(rows), .view = view, .release = release,
};
