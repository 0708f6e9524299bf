/* Session: what commands that read a profile do around their analysis. */
#ifndef PERF_BUILTIN_SESSION_H
#define PERF_BUILTIN_SESSION_H

#include "util/session/session.h"

/* 0, -EPIPE where the reader of a pipe went away, or another negative errno with err */
typedef int analyze_fn(void *cmd, struct session *s, struct err *err);

/*
 * Opens the session, lets analyze do its work, or dumps the records instead, warns about damaged data, closes
 * it. Shows progress until the analysis ends it. Returns the exit status; errors are printed
 */
int session_run(struct session_opts *o, bool dump, analyze_fn *analyze, void *cmd);

/* all records as text on standard output, as -D of most commands shows them; unsorted: in the file's order */
void session_dump_text(const struct session *s, bool unsorted);

/* the same as JSON: a line that names the command, then a line for each record */
void session_dump_json(const struct session *s, const char *command, bool unsorted);

/* for functions that hand out pieces of text: to standard output; 0 or negative errno */
int write_stdout(void *ctx, const char *text, size_t len);

#endif
