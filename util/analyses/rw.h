/* Rw: reads and writes by task, which rw-by-pid and rwtop show. */
#ifndef PERF_ANALYSES_RW_H
#define PERF_ANALYSES_RW_H

#include "analysis.h"
#include "tally.h"

struct rw {
	struct analysis_run run;
	/* by tid; n: calls, bytes asked for, bytes that were transferred, the comm */
	struct tally_table read, write;
	/* by tid and error; n: calls, the comm */
	struct tally_table read_error, write_error;
};

#define RW_NR_ROWS 4u
extern const struct tracing_row rw_rows[RW_NR_ROWS];
/* tables of reads and of writes, most bytes first; limit: rows that text shows */
void rw_add_tables(struct rw *rw, struct view *v, u64 limit);
/* tables of calls that failed, after those; some can have no rows */
void rw_add_errors(struct rw *rw, struct view *v);
void rw_release(void *ctx);

#endif
