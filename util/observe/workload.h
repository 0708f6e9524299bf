/*
 * Workload: the command that is to be observed. It is forked early and held before its exec, so that events
 * can be opened on it (enable_on_exec); then it is let go. A pidfd tells when it has ended. Owns its
 * descriptors; reaps its process.
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
	int status;		/* from waitpid(), once reaped */
	struct rusage usage;	/* of the command and of the children for which it waited, once reaped */
	bool started, reaped;
	const char *name;	/* argv[0] */
};
#define WORKLOAD_INIT { .go_fd = -1, .err_fd = -1, .pidfd = -1 }

struct workload_opts {
	const sigset_t *mask;	/* signal mask of the command; or NULL: unchanged */
	bool stdout_to_stderr;	/* standard output is used for our data */
};

/* how a command ended that perf ran beside its own work */
struct workload_result {
	bool exec_failed;	/* it could not be executed */
	int status;		/* as a shell would show it; 0: perf ended it, or there was none */
};

int workload_fork(struct workload *w, const char *const *argv, const struct workload_opts *o,
		  struct err *err);
/* lets it exec now; does not wait until it has: rings fill up meanwhile */
int workload_start(struct workload *w, struct err *err);
/* to be called after its end: -errno with err if the command could not be executed, else 0. Reaps it */
int workload_exec_error(struct workload *w, struct err *err);
/* asks a command that still runs, or was never let go, to end (SIGTERM); does not wait for it */
void workload_ask_to_end(struct workload *w);
/* the same, and waits until it has ended */
void workload_end(struct workload *w);
/* to be called after its end; does not block long */
void workload_reap(struct workload *w);
/* the exit status that a shell would show: exit code, or 128 + signal */
int workload_exit_status(const struct workload *w);
/* true if a program of this name exists: as a path, or in $PATH */
bool workload_exists(const char *name);
/*
 * Why the kernel stops observing this program as soon as it is executed: it runs with more rights than its
 * caller, or its caller may not read it (a core dump would show its contents). NULL: it does not stop.
 */
const char *workload_hidden(const char *name);
/* warns about it, if this is so */
void workload_note_hidden(const char *name);
void workload_release(struct workload *w);

#endif
