/* sched-migration: which tasks move between CPUs, and between which CPUs they move. */
#include "analysis.h"
#include "tally.h"
#include "../base/strtab.h"

struct migrations {
	struct analysis_run run;
	struct strtab names;
	struct tally_table task;		/* by tid; n: migrations, name */
	struct tally_table way;		/* by CPU that is left, and reached */
};

enum { COMM, PID, FROM, TO };
static const struct tracing_field migrate_fields[] = {
	{ .name = "comm", .is_bytes = true }, { .name = "pid" }, { .name = "orig_cpu" },
	{ .name = "dest_cpu" }, { .name = NULL }
};

static void handle(void *ctx, const struct tracing_sample *ts)
{
	const struct tracing_bytes *comm = &ts->bytes[COMM];
	struct migrations *m = ctx;
	struct tally_row *task = tally_at(&m->task, (u32)ts->value[PID], 0, 0, 0);

	task->n[0]++;
	task->n[1] = strtab_addn(&m->names, comm->data, tracing_text_len(comm));
	tally_at(&m->way, (u32)ts->value[FROM], (u32)ts->value[TO], 0, 0)->n[0]++;
}

static const struct view_field task_columns[] = {
	{ VIEW_COUNT("tid", "pid", VIEW_NUMBER, 8), .number = tally_key0 },
	{ VIEW_NAME("comm", "comm", VIEW_TEXT, 20), .text = tally_comm },
	{ VIEW_COUNT("migrations", "# migrations", VIEW_NUMBER, 12), .number = tally_n0 },
};
static const struct view_field way_columns[] = {
	{ VIEW_COUNT("from", "from CPU", VIEW_NUMBER, 8), .number = tally_key0 },
	{ VIEW_COUNT("to", "to CPU", VIEW_NUMBER, 8), .number = tally_key1 },
	{ VIEW_COUNT("migrations", "# migrations", VIEW_NUMBER, 12), .number = tally_n0 },
};

static void view(void *ctx, struct view *v)
{
	struct migrations *m = ctx;

	vec_foreach(&m->task, row) {
		row->comm = analysis_safe_name(&m->run, strtab_get(&m->names, row->n[1]));
		row->rank[0] = row->n[0];
		row->rank[1] = ~row->key[0];
	}
	vec_foreach(&m->way, row) {
		row->rank[0] = row->n[0];
		row->rank[1] = ~row->key[0];
		row->rank[2] = ~row->key[1];
	}
	tally_sort(&m->task);
	tally_sort(&m->way);
	analysis_add_tally(&m->run, v, "tasks", "migrations by task:", task_columns, ARRAY_SIZE(task_columns),
			   &m->task);
	analysis_add_tally(&m->run, v, "cpus", "migrations by CPU:", way_columns, ARRAY_SIZE(way_columns),
			   &m->way);
}

static void release(void *ctx)
{
	struct migrations *m = ctx;

	strtab_release(&m->names);
	tally_release(&m->task);
	tally_release(&m->way);
}

static const struct tracing_row rows[] = {
	{ "sched:sched_migrate_task", migrate_fields, handle, false },
};
const struct analysis_ops analysis_sched_migration = {
	.size = sizeof(struct migrations), .whole_system = true,
	.row = rows, .nr_rows = ARRAY_SIZE(rows), .view = view,
	.release = release,
};
