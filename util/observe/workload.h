/*
 * Workload: the command that is to be observed. Forked early and held before its exec, so that events can be opened on it
 * (enable_on_exec); then let go. Its end is seen through a pidfd. Owns its descriptors; reaps its process.
 */
#ifndef PERF_OBSERVE_WORKLOAD_H
#define PERF_OBSERVE_WORKLOAD_H

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>
#include "../base/err.h"

struct workload {
	pid_t pid;		/* 0: none */
	int go_fd, err_fd, pidfd;
	int status;		/* of waitpid, once reaped */
	struct rusage usage;	/* of it and what it waited for, once reaped */
	bool started, reaped;
	const char *name;	/* argv[0] */
};
#define WORKLOAD_INIT { .go_fd = -1, .err_fd = -1, .pidfd = -1 }

struct workload_opts {
	const sigset_t *mask;	/* signal mask of the command; or NULL: as it is */
	bool stdout_to_stderr;	/* standard output carries our data */
};

int workload_fork(struct workload *w, const char *const *argv, const struct workload_opts *o, struct err *err);
/* exec now; does not wait for it: rings fill up meanwhile */
int workload_start(struct workload *w, struct err *err);
/* once its end was seen: -errno with err where the command could not be executed, else 0. Reaps it */
int workload_exec_error(struct workload *w, struct err *err);
/* asks a command that still runs, or one that was never let go, to end (SIGTERM); does not wait for it */
void workload_ask_to_end(struct workload *w);
/* the same, and waits for it */
void workload_end(struct workload *w);
/* after its end was seen; does not block long */
void workload_reap(struct workload *w);
/* what a shell would show as its exit status: exit code, or 128 + signal */
int workload_exit_status(const struct workload *w);
/* true where a program of this name would be found: as a path, or in $PATH */
bool workload_exists(const char *name);
/*
 * Why the kernel stops to observe this program as soon as it is executed: it runs with more rights than its caller, or is not the
 * caller's to read (a core dump would tell what is in it). NULL: it does not.
 */
const char *workload_hidden(const char *name);
/* says so, where it does */
void workload_note_hidden(const char *name);
void workload_release(struct workload *w);

#endif
