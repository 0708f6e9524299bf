/* Rw: see rw.h. */
#include "rw.h"

enum { CALLS, ASKED, BYTES, COMM };
enum { ERROR_CALLS, ERROR_COMM };

enum { ENTER_COUNT };
static const struct tracing_field enter_fields[] = { { .name = "count" }, { .name = NULL } };
enum { EXIT_RET };
static const struct tracing_field exit_fields[] = { { .name = "ret" }, { .name = NULL } };

static void enter(struct tally_table *t, const struct tracing_sample *ts)
{
	struct tally_row *row = tally_at(t, ts->sample->tid, 0, 0, 0);

	row->n[CALLS]++;
	row->n[ASKED] += ts->value[ENTER_COUNT];
	row->n[COMM] = analysis_comm(ts);
}

static void leave(struct tally_table *t, struct tally_table *errors, const struct tracing_sample *ts)
{
	u64 ret = ts->value[EXIT_RET];
	struct tally_row *row;

	if (analysis_call_failed(ret)) {
		row = tally_at(errors, ts->sample->tid, -ret, 0, 0);
		row->n[ERROR_CALLS]++;
		row->n[ERROR_COMM] = analysis_comm(ts);
		return;
	}
	row = tally_at(t, ts->sample->tid, 0, 0, 0);
	row->n[BYTES] += ret;
	row->n[COMM] = analysis_comm(ts);
}

static void handle_enter_read(void *ctx, const struct tracing_sample *ts)
{
	enter(&((struct rw *)ctx)->read, ts);
}

static void handle_enter_write(void *ctx, const struct tracing_sample *ts)
{
	enter(&((struct rw *)ctx)->write, ts);
}

static void handle_exit_read(void *ctx, const struct tracing_sample *ts)
{
	struct rw *rw = ctx;

	leave(&rw->read, &rw->read_error, ts);
}

static void handle_exit_write(void *ctx, const struct tracing_sample *ts)
{
	struct rw *rw = ctx;

	leave(&rw->write, &rw->write_error, ts);
}

#define PID { VIEW_COUNT("tid", "pid", VIEW_NUMBER, 6), .number = tally_key0 }
#define NAME { VIEW_NAME("comm", "comm", VIEW_TEXT, 20), .text = tally_comm }
static const struct view_field read_columns[] = {
	PID, NAME, { VIEW_COUNT("reads", "# reads", VIEW_NUMBER, 11), .number = tally_n0 },
	{ VIEW_COUNT("bytes-requested", "bytes_req", VIEW_NUMBER, 11), .number = tally_n1 },
	{ VIEW_COUNT("bytes-read", "bytes_read", VIEW_NUMBER, 11), .number = tally_n2 },
};
static const struct view_field write_columns[] = {
	PID, NAME, { VIEW_COUNT("writes", "# writes", VIEW_NUMBER, 11), .number = tally_n0 },
	{ VIEW_COUNT("bytes-requested", "bytes_req", VIEW_NUMBER, 11), .number = tally_n1 },
	{ VIEW_COUNT("bytes-written", "bytes_written", VIEW_NUMBER, 13), .number = tally_n2 },
};
static const struct view_field error_columns[] = {
	PID, NAME, { VIEW_NAME("error", "error", VIEW_TEXT, 12), .text = tally_name },
	{ VIEW_COUNT("errors", "# errors", VIEW_NUMBER, 10), .number = tally_n0 },
};

static void sort_calls(struct rw *rw, struct tally_table *t)
{
	vec_foreach(t, row) {
		row->comm = analysis_comm_name(&rw->run, row->n[COMM], row->key[0]);
		row->rank[0] = row->n[BYTES];
		row->rank[1] = row->n[CALLS];
		row->rank[2] = ~row->key[0];
	}
	tally_sort(t);
}

static void sort_errors(struct rw *rw, struct tally_table *t)
{
	vec_foreach(t, row) {
		row->comm = analysis_comm_name(&rw->run, row->n[ERROR_COMM], row->key[0]);
		row->name = analysis_errno_name(&rw->run, row->key[1]);
		row->rank[0] = row->n[ERROR_CALLS];
		row->rank[1] = ~row->key[0];
		row->rank[2] = ~row->key[1];
	}
	tally_sort(t);
}

void rw_add_tables(struct rw *rw, struct view *v, u64 limit)
{
	struct tally_table *tables[] = { &rw->read, &rw->write };

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		sort_calls(rw, tables[i]);
		if (rw->run.form == VIEW_FORM_TEXT)
			tables[i]->nr = MIN(tables[i]->nr, limit);
	}
	analysis_add_tally(&rw->run, v, "reads", "read counts by pid:", read_columns,
			   ARRAY_SIZE(read_columns), &rw->read);
	analysis_add_tally(&rw->run, v, "writes", "write counts by pid:", write_columns,
			   ARRAY_SIZE(write_columns), &rw->write);
}

void rw_add_errors(struct rw *rw, struct view *v)
{
	sort_errors(rw, &rw->read_error);
	sort_errors(rw, &rw->write_error);
	analysis_add_tally(&rw->run, v, "read-errors", "failed reads by pid:", error_columns,
			   ARRAY_SIZE(error_columns), &rw->read_error);
	analysis_add_tally(&rw->run, v, "write-errors", "failed writes by pid:", error_columns,
			   ARRAY_SIZE(error_columns), &rw->write_error);
}

void rw_release(void *ctx)
{
	struct rw *rw = ctx;

	tally_release(&rw->read);
	tally_release(&rw->write);
	tally_release(&rw->read_error);
	tally_release(&rw->write_error);
}

const struct tracing_row rw_rows[RW_NR_ROWS] = {
	{ "syscalls:sys_enter_read", enter_fields, handle_enter_read, false },
	{ "syscalls:sys_exit_read", exit_fields, handle_exit_read, false },
	{ "syscalls:sys_enter_write", enter_fields, handle_enter_write, false },
	{ "syscalls:sys_exit_write", exit_fields, handle_exit_write, false },
};
