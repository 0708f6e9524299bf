/* rwtop: the tasks that read and write most, again and again. */
#include "rw.h"

#define ROWS 20		/* of each table of a screen */

static void view(void *ctx, struct view *v)
{
	rw_add_tables(ctx, v, ROWS);
}

const struct analysis_ops analysis_rwtop = {
	.size = sizeof(struct rw), .takes = ANALYSIS_TAKES_INTERVAL, .interval = 3, .row = rw_rows,
	.nr_rows = RW_NR_ROWS, .view = view, .release = rw_release,
};
