/* Pager: a program between perf and the terminal. */
#include "pager.h"
#include "config.h"
#include "../base/fs.h"
#include "../base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static enum pager_mode pager_mode;
static pid_t pager_pid;

void pager_set_mode(enum pager_mode mode)
{
	pager_mode = mode;
}

enum pager_mode pager_get_mode(void)
{
	return pager_mode;
}

bool pager_running(void)
{
	return pager_pid;
}

static bool can_run(const char *program)
{
	struct strbuf path = STRBUF_INIT;
	bool found = strchr(program, '/') ? !access(program, X_OK) : program_find(program, &path);

	strbuf_release(&path);
	return found;
}

static bool is_bool_word(const char *s, bool *value)
{
	*value = !strcasecmp(s, "true") || !strcasecmp(s, "on") || !strcasecmp(s, "yes") || !strcmp(s, "1");
	return *value || !strcasecmp(s, "false") || !strcasecmp(s, "off") || !strcasecmp(s, "no") ||
	       !strcmp(s, "0");
}

/* the command line of the pager, or NULL for none */
static const char *choose(const char *cmd)
{
	char key[64];
	const char *p, *candidates[3];
	bool on;

	snprintf(key, sizeof(key), "pager.%s", cmd);
	p = config_get(key);
	if (p && is_bool_word(p, &on)) {
		if (!on && pager_mode != PAGER_ALWAYS)
			return NULL;
		p = NULL;
	}
	if (p)
		return p;
	candidates[0] = getenv("PERF_PAGER");
	candidates[1] = config_get("core.pager");
	candidates[2] = getenv("PAGER");
	for (size_t i = 0; i < ARRAY_SIZE(candidates); i++)
		if (candidates[i])
			return *candidates[i] && strcmp(candidates[i], "cat") ? candidates[i] : NULL;
	return can_run("less") ? "less" : can_run("more") ? "more" : NULL;
}

static void wait_for_pager(void)
{
	fflush(stdout);
	fflush(stderr);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (waitpid(pager_pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* only what is safe in a handler: the pager sees the end of its input, and the user quits it */
static void on_signal(int sig)
{
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (waitpid(pager_pid, NULL, 0) < 0 && errno == EINTR)
		;
	signal(sig, SIG_DFL);
	raise(sig);
}

static void run_pager(char **argv, const int *fds)
{
	dup2(fds[0], STDIN_FILENO);
	close(fds[0]);
	close(fds[1]);
	setenv("LESS", "FRSX", 0);
	setenv("LV", "-c", 0);
	execvp(argv[0], argv);
	_exit(127);
}

void pager_start(const char *cmd)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	const char *line, *term = getenv("TERM");
	int fds[2];
	char **argv;

	if (pager_pid || pager_mode == PAGER_NEVER || !isatty(STDOUT_FILENO))
		return;
	if (term && !strcmp(term, "dumb") && pager_mode != PAGER_ALWAYS)
		return;
	line = choose(cmd);
	argv = line ? split_words(line) : NULL;
	if (!argv || !argv[0] || !can_run(argv[0]) || pipe2(fds, O_CLOEXEC))
		return;
	fflush(stdout);
	fflush(stderr);
	pager_pid = fork();
	if (!pager_pid)
		run_pager(argv, fds);
	close(fds[0]);
	if (pager_pid < 0) {
		pager_pid = 0;
		close(fds[1]);
		return;
	}
	dup2(fds[1], STDOUT_FILENO);
	if (isatty(STDERR_FILENO))
		dup2(fds[1], STDERR_FILENO);
	close(fds[1]);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		signal(signals[i], on_signal);
	atexit(wait_for_pager);
}
