/* rw-by-file: what a program reads from and writes to each of its file descriptors. */
#include "analysis.h"
#include "tally.h"

struct rw_files {
	struct analysis_run run;
	struct tally_table read, write;	/* by descriptor; n: calls, bytes asked for */
};

enum { ENTER_FD, ENTER_COUNT };
static const struct tracing_field enter_fields[] = {
	{ .name = "fd" }, { .name = "count" }, { .name = NULL }
};

static void enter(struct tally_table *t, const struct tracing_sample *ts)
{
	struct tally_row *row = tally_at(t, ts->value[ENTER_FD], 0, 0, 0);

	row->n[0]++;
	row->n[1] += ts->value[ENTER_COUNT];
}

static void handle_read(void *ctx, const struct tracing_sample *ts)
{
	enter(&((struct rw_files *)ctx)->read, ts);
}

static void handle_write(void *ctx, const struct tracing_sample *ts)
{
	enter(&((struct rw_files *)ctx)->write, ts);
}

static const struct view_field read_columns[] = {
	{ VIEW_COUNT("fd", "fd", VIEW_NUMBER, 6), .number = tally_key0 },
	{ VIEW_COUNT("reads", "# reads", VIEW_NUMBER, 10), .number = tally_n0 },
	{ VIEW_COUNT("bytes-requested", "bytes_requested", VIEW_NUMBER, 15), .number = tally_n1 },
};
static const struct view_field write_columns[] = {
	{ VIEW_COUNT("fd", "fd", VIEW_NUMBER, 6), .number = tally_key0 },
	{ VIEW_COUNT("writes", "# writes", VIEW_NUMBER, 10), .number = tally_n0 },
	{ VIEW_COUNT("bytes-requested", "bytes_written", VIEW_NUMBER, 15), .number = tally_n1 },
};

static void sort_files(struct tally_table *t)
{
	vec_foreach(t, row) {
		row->rank[0] = row->n[0];
		row->rank[1] = ~row->key[0];
	}
	tally_sort(t);
}

static void view(void *ctx, struct view *v)
{
	struct rw_files *f = ctx;

	sort_files(&f->read);
	sort_files(&f->write);
	analysis_add_tally(&f->run, v, "reads", analysis_title(&f->run, "file read counts"), read_columns,
			   ARRAY_SIZE(read_columns), &f->read);
	analysis_add_tally(&f->run, v, "writes", analysis_title(&f->run, "file write counts"), write_columns,
			   ARRAY_SIZE(write_columns), &f->write);
}

static void release(void *ctx)
{
	struct rw_files *f = ctx;

	tally_release(&f->read);
	tally_release(&f->write);
}

static const struct tracing_row rows[] = {
	{ "syscalls:sys_enter_read", enter_fields, handle_read, false },
	{ "syscalls:sys_enter_write", enter_fields, handle_write, false },
};
const struct analysis_ops analysis_rw_by_file = {
	.size = sizeof(struct rw_files), .takes = ANALYSIS_NEEDS_COMM, .row = rows,
	.nr_rows = ARRAY_SIZE(rows),
	.view = view, .release = release,
};
