/* Session of perf daemon: starting, watching and ending a recorder. */
#include "session.h"
#include "../base/alloc.h"
#include "../base/fs.h"
#include "../base/self.h"
#include "../base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CONTROL_OPTION "--control=fifo:control,ack"

struct daemon_session *daemon_session_new(const struct daemon_setting *setting, u32 id)
{
	struct daemon_session *s = xcalloc(1, sizeof(*s));

	*s = (struct daemon_session){ .name = xstrdup(setting->name), .run = xstrdup(setting->run), .id = id,
				      .budget = setting->budget, .divisor = 1, .pidfd = -1,
				      .control_fd = -1, .ack_fd = -1 };
	return s;
}

/* --- start */

/*
 * the path of this program, so that ps(1) shows its name. After an upgrade the path is another file: then it
 * is the link in /proc
 */
static const char *own_program(void)
{
	const char *path = self_path(), *file = self_file();
	struct stat own, named;

	if (path && !stat(file, &own) && !stat(path, &named) && own.st_ino == named.st_ino &&
	    own.st_dev == named.st_dev)
		return path;
	return file ? file : "/proc/self/exe";
}

struct child {
	int dir_fd, output_fd;
	pid_t parent;
	const sigset_t *mask;
	char **argv;
};

/* runs in the child: never returns */
static void child(const struct child *c)
{
	const char *path = own_program();
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	/* the daemon may have ended before the kernel knew about this */
	if (setpgid(0, 0) || prctl(PR_SET_PDEATHSIG, SIGTERM) || getppid() != c->parent)
		_exit(126);
	/* it ends a recorder that does not listen to it, and one that is still starting */
	signal(SIGUSR2, SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, c->mask, NULL);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(c->output_fd, STDOUT_FILENO) < 0 ||
	    dup2(c->output_fd, STDERR_FILENO) < 0 || fchdir(c->dir_fd))
		_exit(126);
	execv(path, c->argv);
	dprintf(STDERR_FILENO, "Error: cannot run %s: %s\n", path, strerror(errno));
	_exit(127);
}

static int open_fifos(struct daemon_session *s, int dir_fd, struct err *err)
{
	s->control_fd = base_dir_fifo(dir_fd, "control", err);
	if (s->control_fd >= 0)
		s->ack_fd = base_dir_fifo(dir_fd, "ack", err);
	return s->control_fd < 0 ? s->control_fd : MIN(s->ack_fd, 0);
}

static int fork_recorder(struct daemon_session *s, const struct child *c, struct err *err)
{
	int code;

	s->pid = fork();
	if (!s->pid)
		child(c);
	if (s->pid > 0)
		s->pidfd = syscall(SYS_pidfd_open, s->pid, 0);
	if (s->pidfd >= 0) {
		fcntl(s->pidfd, F_SETFD, FD_CLOEXEC);
		return 0;
	}
	code = errno;
	if (s->pid > 0) {
		kill(s->pid, SIGKILL);
		waitpid(s->pid, NULL, 0);
	}
	s->pid = 0;
	return err_sys(err, code, "cannot create its process");
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int start(struct daemon_session *s, const struct base_dir *b, const sigset_t *mask, struct err *err)
{
	struct child c = { .dir_fd = base_dir_session(b, s->name, err), .output_fd = -1, .mask = mask,
			   .parent = getpid() };
	char *path = xasprintf("%s/session-%s", b->path, s->name);
	struct daemon_words words = { 0 };
	int ret = MIN(c.dir_fd, 0);

	vec_push(&words, xstrdup("perf"));
	vec_push(&words, xstrdup("record"));
	vec_push(&words, xstrdup(CONTROL_OPTION));
	/* this program has more rights than its user: then exec forgets what prctl() said */
	if (getauxval(AT_SECURE))
		vec_push(&words, xasprintf("--end-with-parent=%d", getpid()));
	/* also as 1, so that a session whose frequency cannot be lowered fails at its start */
	if (budget_limits(&s->budget))
		vec_push(&words, xasprintf("--freq-divisor=%u", s->divisor));
	if (!ret)
		ret = daemon_words_split(&words, s->run, err);
	vec_push(&words, NULL);
	c.argv = words.v;
	if (!ret) {
		c.output_fd = base_dir_output(c.dir_fd, path, err);
		ret = MIN(c.output_fd, 0);
	}
	if (!ret) {
		ret = open_fifos(s, c.dir_fd, err);
		if (ret)
			err_prefix(err, "%s: ", path);
	}
	if (!ret)
		ret = fork_recorder(s, &c, err);
	if (ret) {
		close_fd(&s->control_fd);
		close_fd(&s->ack_fd);
	}
	close_fd(&c.dir_fd);
	close_fd(&c.output_fd);
	daemon_words_release(&words);
	free(path);
	return ret;
}

int daemon_session_start(struct daemon_session *s, const struct base_dir *b, const sigset_t *mask,
			 struct err *err)
{
	int ret;

	free(s->failure);
	s->failure = NULL;
	s->status = 0;
	s->kill_ns = 0;
	s->pinged = false;
	s->start_ns = clock_ns(CLOCK_MONOTONIC);
	budget_start(&s->meter, &s->budget, s->start_ns);
	ret = start(s, b, mask, err);
	if (ret)
		s->failure = xstrdup(err->msg);
	return ret;
}

/* --- end */

void daemon_session_end(struct daemon_session *s, u64 grace_ns)
{
	if (!s->pid)
		return;
	if (!s->kill_ns) {
		kill(s->pid, SIGTERM);
		kill(s->pid, SIGCONT);	/* one that is stopped would never end */
	}
	grace_ns += clock_ns(CLOCK_MONOTONIC);
	s->kill_ns = s->kill_ns ? MIN(s->kill_ns, grace_ns) : grace_ns;
}

void daemon_session_kill(struct daemon_session *s)
{
	if (!s->pid)
		return;
	/* it may not have its process group yet */
	kill(s->pid, SIGKILL);
	kill(-s->pid, SIGKILL);
}

/* how it has ended, si_pid 0: it has not */
static siginfo_t end_of(const struct daemon_session *s)
{
	siginfo_t si = { 0 };

	if (!s->pid || waitid(P_PID, s->pid, &si, WEXITED | WNOHANG | WNOWAIT))
		si.si_pid = 0;
	return si;
}

bool daemon_session_has_ended(const struct daemon_session *s)
{
	return end_of(s).si_pid != 0;
}

bool daemon_session_reap(struct daemon_session *s)
{
	siginfo_t si = end_of(s);

	if (!si.si_pid)
		return false;
	/* a recorder that was killed leaves its command; its number is ours until it is reaped */
	if (si.si_code != CLD_EXITED)
		kill(-s->pid, SIGTERM);
	waitpid(s->pid, &s->status, 0);
	s->pid = 0;
	s->kill_ns = 0;
	s->pinged = false;
	close_fd(&s->pidfd);
	close_fd(&s->control_fd);
	close_fd(&s->ack_fd);
	return true;
}

/* --- questions */

int daemon_session_ping(struct daemon_session *s)
{
	char old[256];

	if (s->pinged)
		return 0;
	/* answers to commands that others wrote to the FIFO, and did not read */
	while (read(s->ack_fd, old, sizeof(old)) > 0)
		;
	if (write(s->control_fd, "ping\n", 5) != 5)
		return -errno;
	s->pinged = true;
	return 0;
}

bool daemon_session_answered(struct daemon_session *s)
{
	char text[256];
	ssize_t n = read(s->ack_fd, text, sizeof(text));

	if (n <= 0 || !memchr(text, '\n', n))
		return false;
	s->pinged = false;
	return true;
}

/* "SigBlk:	0000000000000800": whether a set of the process has the signal */
static bool signal_is_in(const char *status, const char *set, int sig)
{
	const char *line = strstr(status, set);

	return line && strtoull(line + strlen(set), NULL, 16) >> (sig - 1) & 1;
}

bool daemon_session_signal(const struct daemon_session *s)
{
	struct strbuf status = STRBUF_INIT;
	char path[64];
	bool listens;

	snprintf(path, sizeof(path), "/proc/%d/status", s->pid);
	/* a recorder that uses it reads it from a signalfd, so it blocks it; else it ignores it */
	listens = !fs_read(path, &status) && (signal_is_in(strbuf_str(&status), "\nSigBlk:", SIGUSR2) ||
					      signal_is_in(strbuf_str(&status), "\nSigCgt:", SIGUSR2));
	kill(s->pid, SIGUSR2);
	strbuf_release(&status);
	return listens;
}

void daemon_session_free(struct daemon_session *s)
{
	if (!s)
		return;
	close_fd(&s->pidfd);
	close_fd(&s->control_fd);
	close_fd(&s->ack_fd);
	free(s->name);
	free(s->run);
	free(s->next_run);
	free(s->failure);
	free(s);
}
