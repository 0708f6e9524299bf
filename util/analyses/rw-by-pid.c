/* rw-by-pid: what each task reads and writes, and how often it fails. */
#include "rw.h"

static void view(void *ctx, struct view *v)
{
	rw_add_tables(ctx, v, UINT64_MAX);
	rw_add_errors(ctx, v);
}

const struct analysis_ops analysis_rw_by_pid = {
	.size = sizeof(struct rw), .row = rw_rows, .nr_rows = RW_NR_ROWS, .view = view, .release = rw_release,
};
