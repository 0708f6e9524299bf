/*
 * Host: what the run does for code of users that sees samples one after another: filters in shared objects
 * and scripts.
 */
#ifndef PERF_SCRIPT_HOST_H
#define PERF_SCRIPT_HOST_H

#include "../sym/lines.h"

struct line_worker;
struct line_sample;

struct script_host {
	struct line_worker *worker;
	void (*load)(void *ctx);	/* loads the symbols for which the worker waits */
	void (*load_lines)(void *ctx, struct line_query *q, size_t nr);
	bool (*wanted)(void *ctx, const struct line_sample *ls);	/* by perf's own filters */
	void *ctx;
};

#endif
