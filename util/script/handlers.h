/*
 * Handlers: which events a script has functions for, by its text: "def sched__sched_switch(" in Python, "sub
 * sched::sched_switch" in Perl, at the beginning of a line. The script is not run, so functions that it makes
 * in other ways are not found.
 */
#ifndef PERF_SCRIPT_HANDLERS_H
#define PERF_SCRIPT_HANDLERS_H

#include "../base/err.h"
#include "../base/vec.h"

struct language;

struct handlers {
	struct { VEC(char *); } event;	/* "sched:sched_switch", in the order of the text, each once */
	bool samples;			/* it has process_event() */
	bool counts;			/* it has functions for counts of perf stat record */
};

/* 0, or a negative errno with err: the file cannot be read */
int handlers_read(struct handlers *ret, const struct language *l, const char *file, struct err *err);
void handlers_release(struct handlers *h);

#endif
