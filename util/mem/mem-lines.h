/*
 * Memory lines: every sample of a recording with the data that it touched, a line each, for other programs:
 *
 *	# PID, TID, IP, ADDR, LOCAL WEIGHT, DSRC, SYMBOL
 *	100 100 0x1010 0x8010 60 0x6a100842 /usr/bin/app:main
 */
#ifndef PERF_MEM_MEM_LINES_H
#define PERF_MEM_MEM_LINES_H

#include "../session/session.h"

struct mem_lines_opts {
	const char *separator;		/* between cells; NULL: a blank */
	const char *cpus;		/* keep samples of these CPUs; NULL: all */
	bool hide_unresolved;		/* leave out samples without a symbol */
	bool phys_addr, page_size;	/* with these cells */
	/* gets pieces of text, which are valid during the call; 0 or negative errno */
	int (*write)(void *ctx, const char *text, size_t len);
	void *ctx;
};

/* 0, what write returned, or another negative errno with err */
int mem_lines(struct session *s, const struct mem_lines_opts *o, struct err *err);

#endif
