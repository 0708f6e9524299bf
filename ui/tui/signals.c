/* Signals: see signals.h. */
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static struct tui_tty tty;
static int pipe_fd[2] = { -1, -1 };
static volatile sig_atomic_t busy;

/* SIGABRT: of a sanitizer or an assertion */
static const int fatal[] = { SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
static const int others[] = { SIGINT, SIGWINCH, SIGTSTP };
static struct sigaction old_fatal[ARRAY_SIZE(fatal)], old_others[ARRAY_SIZE(others)];

/* false: the terminal is gone */
static bool send(const char *bytes)
{
	return write(STDOUT_FILENO, bytes, strlen(bytes)) >= 0;
}

static void leave(void)
{
	if (!send(tty.farewell))
		return;
	tcsetattr(tty.fd, TCSADRAIN, &tty.before);
}

static void on_fatal(int sig)
{
	leave();
	signal(sig, SIG_DFL);
	raise(sig);
}

static void on_signal(int sig)
{
	char byte = (char)sig;
	int keep = errno;

	if (sig == SIGINT && busy)
		on_fatal(sig);
	if (sig == SIGTSTP) {
		leave();
		raise(SIGSTOP);
		while (tcsetattr(tty.fd, TCSADRAIN, &tty.during) && errno == EINTR)
			;
		send(tty.welcome);
	}
	if (write(pipe_fd[1], &byte, 1) < 0)
		errno = keep;	/* full: whoever reads it knows enough */
	errno = keep;
}

int signals_begin(const struct tui_tty *t)
{
	struct sigaction a = { .sa_handler = on_fatal, .sa_flags = SA_RESETHAND };

	tty = *t;
	if (pipe2(pipe_fd, O_NONBLOCK | O_CLOEXEC))
		return -errno;
	sigfillset(&a.sa_mask);
	sigdelset(&a.sa_mask, SIGTTOU);	/* stops a program that goes on in the background */
	for (size_t i = 0; i < ARRAY_SIZE(fatal); i++)
		sigaction(fatal[i], &a, &old_fatal[i]);
	a.sa_handler = on_signal;
	a.sa_flags = SA_RESTART;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		sigaction(others[i], &a, &old_others[i]);
	return 0;
}

void signals_end(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(fatal); i++)
		sigaction(fatal[i], &old_fatal[i], NULL);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		sigaction(others[i], &old_others[i], NULL);
	close(pipe_fd[0]);
	close(pipe_fd[1]);
	pipe_fd[0] = pipe_fd[1] = -1;
}

int signals_fd(void)
{
	return pipe_fd[0];
}

struct signals_seen signals_read(void)
{
	struct signals_seen seen = { 0 };
	char byte;

	while (read(pipe_fd[0], &byte, 1) == 1) {
		if (byte == SIGINT)
			seen.interrupt = true;
		else
			seen.redraw = true;
	}
	return seen;
}

void signals_busy(bool b)
{
	busy = b;
}
