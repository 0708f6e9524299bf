/* failed-syscalls: how many system calls failed, by the name of the program. */
#include "analysis.h"
#include "tally.h"

struct failed_syscalls {
	struct analysis_run run;
	struct tally_table comm;		/* by name */
};

enum { EXIT_RET };
static const struct tracing_field exit_fields[] = { { .name = "ret" }, { .name = NULL } };

static void handle_exit(void *ctx, const struct tracing_sample *ts)
{
	struct failed_syscalls *f = ctx;

	if (analysis_call_failed(ts->value[EXIT_RET]))
		tally_at(&f->comm, analysis_comm(ts), 0, 0, 0)->n[0]++;
}

static const struct view_field columns[] = {
	{ VIEW_NAME("comm", "comm", VIEW_TEXT, 20), .text = tally_comm },
	{ VIEW_COUNT("errors", "# errors", VIEW_NUMBER, 10), .number = tally_n0 },
};

static void view(void *ctx, struct view *v)
{
	struct failed_syscalls *f = ctx;

	vec_foreach(&f->comm, row) {
		row->comm = row->key[0] == ID_NONE ? "unknown" : analysis_comm_name(&f->run, row->key[0], 0);
		row->rank[0] = row->n[0];
		row->rank[1] = ~row->key[0];
	}
	tally_sort(&f->comm);
	analysis_add_tally(&f->run, v, "comms", "failed syscalls by comm:", columns, ARRAY_SIZE(columns),
			   &f->comm);
}

static void release(void *ctx)
{
	struct failed_syscalls *f = ctx;

	tally_release(&f->comm);
}

static const struct tracing_row rows[] = {
	{ "raw_syscalls:sys_exit", exit_fields, handle_exit, false },
};
const struct analysis_ops analysis_failed_syscalls = {
	.size = sizeof(struct failed_syscalls), .takes = ANALYSIS_TAKES_COMM, .row = rows,
	.nr_rows = ARRAY_SIZE(rows), .view = view, .release = release,
};
