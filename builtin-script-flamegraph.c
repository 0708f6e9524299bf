/*
 * Command lines of upstream's script for flame graphs, mapped to perf record and perf report:
 *
 *	perf script record flamegraph ...	perf record -g ...
 *	perf script report flamegraph ...	perf report --flamegraph ...
 *	perf script flamegraph ...		both, through a pipe, without a file between
 */
#include "builtin-script.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/base/alloc.h"
#include "util/base/err.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"

/* a command with options before the user's */
static int run_with(int (*cmd)(int argc, const char **argv), const char *const *first, int argc,
		    const char **argv)
{
	const char **args;
	int ret, nr = 0;

	while (first[nr])
		nr++;
	args = xcalloc(nr + argc + 1, sizeof(*args));
	memcpy(args, first, nr * sizeof(*args));
	for (int i = 0; i < argc; i++)
		args[nr++] = argv[i];
	ret = cmd(nr, args);
	free(args);
	return ret;
}

static const char *const record_args[] = { "record", "-g", NULL };
static const char *const pipe_args[] = { "record", "-g", "-o", "-", NULL };
static const char *const report_args[] = { "report", "--flamegraph", NULL };

/* runs in the child: never returns */
static void record_to(const int *fds, pid_t parent, int (*recorder)(void *ctx), void *ctx)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		exit(1);
	dup2(fds[1], STDOUT_FILENO);
	close(fds[0]);
	close(fds[1]);
	exit(recorder(ctx));
}

/* the recorder may end before it has written anything, and has said why */
static bool has_data(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
	return p.revents & POLLIN;
}

int script_pipe(int (*recorder)(void *ctx), int (*answer)(void *ctx), void *ctx)
{
	pid_t parent = getpid(), pid;
	struct err err = ERR_INIT;
	int fds[2], ret = 0, status;

	if (pipe(fds) || (pid = fork()) < 0) {
		err_sys(&err, errno, "the recorder cannot be started");
		return die_err(&err);
	}
	if (!pid)
		record_to(fds, parent, recorder, ctx);
	close(fds[1]);
	/* Ctrl-C ends the recorder: its samples are still to be read */
	signal(SIGINT, SIG_IGN);
	if (has_data(fds[0])) {
		dup2(fds[0], STDIN_FILENO);
		ret = answer(ctx);
	}
	close(fds[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return ret ? ret : WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

struct record_and {
	const char *const *record;
	int argc;
	const char **argv;
	int (*answer)(void *ctx);
	void *ctx;
};

static int record_it(void *ctx)
{
	const struct record_and *r = ctx;

	return run_with(cmd_record, r->record, r->argc, r->argv);
}

static int answer_it(void *ctx)
{
	const struct record_and *r = ctx;

	return r->answer(r->ctx);
}

int script_record_and(const char *const *record, int argc, const char **argv, int (*answer)(void *ctx),
		      void *ctx)
{
	struct record_and r = { record, argc, argv, answer, ctx };

	return script_pipe(record_it, answer_it, &r);
}

static int report_stdin(void *ctx UNUSED)
{
	static const char *const args[] = { "report", "--flamegraph", "-i", "-", NULL };

	return run_with(cmd_report, args, 0, NULL);
}

bool script_flamegraph(int argc, const char **argv, int *ret)
{
	const char *verb = argc > 1 ? argv[1] : "", *script = argc > 2 ? argv[2] : "";

	if (!strcmp(verb, "flamegraph"))
		*ret = script_record_and(pipe_args, argc - 2, argv + 2, report_stdin, NULL);
	else if (!strcmp(verb, "report") && !strcmp(script, "flamegraph"))
		*ret = run_with(cmd_report, report_args, argc - 3, argv + 3);
	else if (!strcmp(verb, "record") && !strcmp(script, "flamegraph"))
		*ret = run_with(cmd_record, record_args, argc - 3, argv + 3);
	else
		return false;
	return true;
}
