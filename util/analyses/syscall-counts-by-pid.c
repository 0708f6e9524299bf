/* syscall-counts-by-pid: how often each task made each system call. */
#include "analysis.h"
#include "tally.h"

struct task_syscall_counts {
	struct analysis_run run;
	struct tally_table task;		/* by number and name */
	struct tally_table call;		/* by place of the task, and number */
};

enum { ENTER_ID };
static const struct tracing_field enter_fields[] = { { .name = "id" }, { .name = NULL } };

static void handle_enter(void *ctx, const struct tracing_sample *ts)
{
	struct task_syscall_counts *c = ctx;
	struct tally_row *task = tally_at(&c->task, ts->sample->tid, analysis_comm(ts), 0, 0);

	task->n[0]++;
	tally_at(&c->call, task - c->task.v, (u32)ts->value[ENTER_ID], 0, 0)->n[0]++;
}

#define NOT_TEXT .forms = VIEW_FORM_SEPARATED | VIEW_FORM_VALUES
static const struct view_field columns[] = {
	{ VIEW_NAME("comm", "comm", VIEW_TEXT, 0), NOT_TEXT, .text = tally_comm },
	{ VIEW_COUNT("tid", "tid", VIEW_NUMBER, 0), NOT_TEXT, .number = tally_n1 },
	{ VIEW_NAME("syscall", "comm [pid]/syscalls", VIEW_TEXT, 40), .forms = VIEW_FORM_TEXT,
	  .text = tally_name },
	{ VIEW_NAME("syscall", "syscall", VIEW_TEXT, 0), NOT_TEXT, .text = tally_name },
	{ VIEW_COUNT("count", "count", VIEW_NUMBER, 10), .number = tally_n0 },
};

/* tasks with most calls first, and of a task the calls that it made most often */
static void fill_row(struct task_syscall_counts *c, struct tally_row *row)
{
	struct tally_row *task = &c->task.v[row->key[0]];

	if (!task->comm) {
		task->comm = analysis_comm_name(&c->run, task->key[1], task->key[0]);
		task->group = analysis_text(&c->run, "%s [%d]", task->comm, (s32)task->key[0]);
	}
	row->comm = task->comm;
	row->group = task->group;
	row->n[1] = task->key[0];
	row->name = analysis_call_name(&c->run, row->key[1]);
	if (c->run.form == VIEW_FORM_TEXT)
		row->name = analysis_text(&c->run, "  %s", row->name);
	row->rank[0] = task->n[0];
	row->rank[1] = ~row->key[0];
	row->rank[2] = row->n[0];
	row->rank[3] = row->key[1];
}

static void view(void *ctx, struct view *v)
{
	struct task_syscall_counts *c = ctx;

	vec_foreach(&c->call, row)
		fill_row(c, row);
	tally_sort(&c->call);
	analysis_add_tally(&c->run, v, "syscalls", analysis_title(&c->run, "syscall events by comm/pid"),
			   columns, ARRAY_SIZE(columns), &c->call);
}

static void release(void *ctx)
{
	struct task_syscall_counts *c = ctx;

	tally_release(&c->task);
	tally_release(&c->call);
}

static const struct tracing_row rows[] = {
	{ "raw_syscalls:sys_enter", enter_fields, handle_enter, false },
};
const struct analysis_ops analysis_syscall_counts_by_pid = {
	.size = sizeof(struct task_syscall_counts), .takes = ANALYSIS_TAKES_COMM | ANALYSIS_TAKES_TID,
	.row = rows,
	.nr_rows = ARRAY_SIZE(rows), .view = view, .release = release,
};
