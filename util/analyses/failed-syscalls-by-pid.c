/* failed-syscalls-by-pid: how often calls of each task failed, and with which errors. */
#include "analysis.h"
#include "tally.h"

struct task_failed_syscalls {
	struct analysis_run run;
	struct tally_table task;		/* by number and name */
	struct tally_table call;		/* by place of the task, and number */
	struct tally_table error;		/* by place of the call, and error */
};

enum { EXIT_ID, EXIT_RET };
static const struct tracing_field exit_fields[] = { { .name = "id" }, { .name = "ret" }, { .name = NULL } };

static void handle_exit(void *ctx, const struct tracing_sample *ts)
{
	struct task_failed_syscalls *f = ctx;
	struct tally_row *task, *call;

	if (!analysis_call_failed(ts->value[EXIT_RET]))
		return;
	task = tally_at(&f->task, ts->sample->tid, analysis_comm(ts), 0, 0);
	task->n[0]++;
	call = tally_at(&f->call, task - f->task.v, (u32)ts->value[EXIT_ID], 0, 0);
	call->n[0]++;
	tally_at(&f->error, call - f->call.v, -(s64)ts->value[EXIT_RET], 0, 0)->n[0]++;
}

static const char *row_call(const void *row)
{
	return ((const struct tally_row *)row)->subgroup;
}

#define NOT_TEXT .forms = VIEW_FORM_SEPARATED | VIEW_FORM_VALUES
static const struct view_field columns[] = {
	{ VIEW_NAME("comm", "comm", VIEW_TEXT, 0), NOT_TEXT, .text = tally_comm },
	{ VIEW_COUNT("tid", "tid", VIEW_NUMBER, 0), NOT_TEXT, .number = tally_n1 },
	{ VIEW_NAME("syscall", "syscall", VIEW_TEXT, 0), NOT_TEXT, .text = row_call },
	{ VIEW_NAME("error", "comm [pid]", VIEW_TEXT, 30), .forms = VIEW_FORM_TEXT, .text = tally_name },
	{ VIEW_NAME("error", "error", VIEW_TEXT, 0), NOT_TEXT, .text = tally_name },
	{ VIEW_COUNT("count", "count", VIEW_NUMBER, 10), .number = tally_n0 },
};

static void fill_row(struct task_failed_syscalls *f, struct tally_row *row)
{
	struct tally_row *call = &f->call.v[row->key[0]], *task = &f->task.v[call->key[0]];
	const char *name = analysis_errno_name(&f->run, row->key[1]);
	bool text = f->run.form == VIEW_FORM_TEXT;

	if (!task->comm) {
		task->comm = analysis_comm_name(&f->run, task->key[1], task->key[0]);
		task->group = analysis_text(&f->run, "%s [%d]", task->comm, (s32)task->key[0]);
	}
	if (!call->name) {
		call->name = analysis_call_name(&f->run, call->key[1]);
		if (text)
			call->name = analysis_text(&f->run, "  syscall: %-16s", call->name);
	}
	row->comm = task->comm;
	row->group = task->group;
	row->subgroup = call->name;
	row->name = text ? analysis_text(&f->run, "    err = %s", name) : name;
	row->n[1] = task->key[0];
	row->rank[0] = task->n[0];
	row->rank[1] = ~call->key[0];
	row->rank[2] = call->n[0];
	row->rank[3] = ~row->key[0];
	row->rank[4] = row->n[0];
}

static void view(void *ctx, struct view *v)
{
	struct task_failed_syscalls *f = ctx;

	vec_foreach(&f->error, row)
		fill_row(f, row);
	tally_sort(&f->error);
	analysis_add_tally(&f->run, v, "errors", analysis_title(&f->run, "syscall errors"), columns,
			   ARRAY_SIZE(columns), &f->error);
}

static void release(void *ctx)
{
	struct task_failed_syscalls *f = ctx;

	tally_release(&f->task);
	tally_release(&f->call);
	tally_release(&f->error);
}

static const struct tracing_row rows[] = {
	{ "raw_syscalls:sys_exit", exit_fields, handle_exit, false },
};
const struct analysis_ops analysis_failed_syscalls_by_pid = {
	.size = sizeof(struct task_failed_syscalls), .takes = ANALYSIS_TAKES_COMM | ANALYSIS_TAKES_TID,
	.row = rows,
	.nr_rows = ARRAY_SIZE(rows), .view = view, .release = release,
};
