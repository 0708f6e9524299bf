/*
 * Server of perf daemon: runs the sessions of its configuration in a base directory until it is asked to end,
 * follows changes of the configuration, and answers clients. Owns its sessions, and the lock of the directory
 * while it runs.
 */
#ifndef PERF_DAEMON_SERVER_H
#define PERF_DAEMON_SERVER_H

#include "../base/err.h"

struct daemon_opts {
	const char *base;	/* NULL: the configured one */
	const char *config;	/* NULL: the files that are in force */
	bool foreground;	/* messages go to standard error, too; the terminal's Ctrl-C ends it */
};

/* the base directory of these options, for clients as well; the caller frees it. NULL with err */
char *daemon_base(const struct daemon_opts *o, struct err *err);
/*
 * Runs until the daemon ends. Once it can be asked, ready(ctx) is called, with standard error (and without
 * foreground standard output) already in BASE/output. An error before that is returned
 */
int daemon_serve(const struct daemon_opts *o, void (*ready)(void *ctx), void *ctx, struct err *err);
/*
 * The same in a process of its own, without a terminal: returns in the calling process, once the daemon can
 * be asked or with the error that it ended with
 */
int daemon_serve_apart(const struct daemon_opts *o, struct err *err);

#endif
