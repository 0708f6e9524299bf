/* Starter: a script to begin with, for the events of a recording. */
#ifndef PERF_SCRIPT_STARTER_H
#define PERF_SCRIPT_STARTER_H

#include "../base/err.h"

struct language;
struct session;
struct strbuf;
struct tracefmt_event;

/* what a script to begin with has: the text before and after its functions, and a writer of these */
struct starter {
	const char *head, *tail;
	void (*add_function)(const struct tracefmt_event *e, const char *name, struct strbuf *out);
};
extern const struct starter starter_perl, starter_python;

/* appends a script that has a function for each tracepoint of the recording, and prints what it is given */
int starter_write(const struct language *l, const struct session *s, struct strbuf *out, struct err *err);

#endif
