/* Workload: fork, hold, exec, reap. */
#include "workload.h"
#include "exec-error.h"
#include "../base/alloc.h"
#include "../base/fs.h"
#include "../base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

/*
 * why execvp() failed; because of a directory in $PATH that may not be entered it reports EACCES for a
 * program that is nowhere
 */
static int exec_errno(const char *name)
{
	struct strbuf path = STRBUF_INIT;
	int code = errno;

	if (code == EACCES && !strchr(name, '/') && !program_find(name, &path))
		code = ENOENT;
	strbuf_release(&path);
	return code;
}

/* runs in the child: never returns */
static void child(int go_fd, int err_fd, const char *const *argv, const struct workload_opts *o)
{
	struct strbuf path = STRBUF_INIT;
	bool found = !strchr(argv[0], '/') && program_find(argv[0], &path);
	int code;
	char c;

	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGUSR2, SIG_DFL);	/* perf daemon ignores it for its recorders */
	if (o->mask)
		sigprocmask(SIG_SETMASK, o->mask, NULL);
	if (o->stdout_to_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	/* what is traced from now on is the command: the parent waits for this byte */
	if (write(err_fd, "", 1) != 1)
		_exit(126);
	/* the parent writes a byte to let it go; it closes the pipe if it gave up */
	if (read(go_fd, &c, 1) != 1)
		_exit(0);
	/* $PATH was searched before: a trace shows one exec, not one for each of its directories */
	if (found)
		execv(strbuf_str(&path), (char *const *)argv);
	execvp(argv[0], (char *const *)argv);
	code = exec_errno(argv[0]);
	if (write(err_fd, &code, sizeof(code)) != sizeof(code))
		_exit(126);
	_exit(code == ENOENT ? 127 : 126);
}

/* "12 (name) S ...": it is in a system call that waits */
static bool is_asleep(pid_t pid)
{
	char path[64], text[512];
	const char *state;
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	if (n <= 0)
		return true;	/* nobody can tell */
	text[n] = 0;
	state = strrchr(text, ')');
	return !state || state[1] != ' ' || state[2] != 'R';
}

/* until the child waits for its start, in a call that began before anything is traced; false: it has ended */
static bool wait_until_ready(int fd, pid_t pid)
{
	const struct timespec pause = { .tv_nsec = 50000 };
	char c;
	ssize_t n;

	while ((n = read(fd, &c, 1)) < 0 && errno == EINTR)
		;
	for (u32 i = 0; n == 1 && i < 2000 && !is_asleep(pid); i++)
		nanosleep(&pause, NULL);
	return n == 1;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int workload_fork(struct workload *w, const char *const *argv, const struct workload_opts *o, struct err *err)
{
	int go[2], back[2];

	*w = (struct workload)WORKLOAD_INIT;
	w->name = argv[0];
	if (pipe2(go, O_CLOEXEC) < 0)
		return err_sys(err, errno, "cannot create a pipe");
	if (pipe2(back, O_CLOEXEC) < 0) {
		close(go[0]);
		close(go[1]);
		return err_sys(err, errno, "cannot create a pipe");
	}
	w->pid = fork();
	if (!w->pid) {
		close(go[1]);
		close(back[0]);
		child(go[0], back[1], argv, o);
	}
	close(go[0]);
	close(back[1]);
	w->go_fd = go[1];
	w->err_fd = back[0];
	if (w->pid < 0) {
		int code = errno;

		w->pid = 0;
		workload_release(w);
		return err_sys(err, code, "cannot fork for '%s'", argv[0]);
	}
	/* the kernel may close the other end of its pipe later, and take a byte until then */
	if (!wait_until_ready(back[0], w->pid))
		close_fd(&w->go_fd);
	w->pidfd = syscall(SYS_pidfd_open, w->pid, 0);
	if (w->pidfd < 0)
		return err_sys(err, errno, "cannot watch the process of '%s'", argv[0]);
	fcntl(w->pidfd, F_SETFD, FD_CLOEXEC);
	return 0;
}

int workload_start(struct workload *w, struct err *err)
{
	/* a child that has ended already is an error of the command, not the end of perf */
	void (*old)(int) = signal(SIGPIPE, SIG_IGN);
	ssize_t n = w->go_fd < 0 ? -1 : write(w->go_fd, "", 1);
	int code = w->go_fd < 0 ? EPIPE : errno;

	signal(SIGPIPE, old);
	errno = code;
	if (n != 1)
		return err_sys(err, errno, "cannot start '%s'", w->name);
	close_fd(&w->go_fd);
	w->started = true;
	return 0;
}

int workload_exec_error(struct workload *w, struct err *err)
{
	int code;

	workload_reap(w);
	/* exec closes it: nothing to read then */
	if (read(w->err_fd, &code, sizeof(code)) == sizeof(code)) {
		close_fd(&w->err_fd);
		return exec_explain(w->name, code, err);
	}
	close_fd(&w->err_fd);
	return 0;
}

void workload_reap(struct workload *w)
{
	if (!w->pid || w->reaped)
		return;
	while (wait4(w->pid, &w->status, 0, &w->usage) < 0)
		if (errno != EINTR)
			return;
	w->reaped = true;
}

void workload_ask_to_end(struct workload *w)
{
	if (!w->pid || w->reaped)
		return;
	close_fd(&w->go_fd);	/* a child that waits for its start ends by itself */
	if (w->started)
		kill(w->pid, SIGTERM);
}

void workload_end(struct workload *w)
{
	workload_ask_to_end(w);
	workload_reap(w);
}

int workload_exit_status(const struct workload *w)
{
	if (!w->reaped)
		return 0;
	if (WIFSIGNALED(w->status))
		return 128 + WTERMSIG(w->status);
	return WEXITSTATUS(w->status);
}

bool workload_exists(const char *name)
{
	struct strbuf path = STRBUF_INIT;
	bool found = strchr(name, '/') ? !access(name, X_OK) : program_find(name, &path);

	strbuf_release(&path);
	return found;
}

const char *workload_hidden(const char *name)
{
	struct strbuf path = STRBUF_INIT;
	const char *file = strchr(name, '/') ? name : program_find(name, &path) ? strbuf_str(&path) : NULL;
	bool gains = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
	const char *why = NULL;
	struct stat st;

	if (!file || stat(file, &st) < 0 || !S_ISREG(st.st_mode) || access(file, X_OK))
		;	/* its exec will report the problem */
	else if (gains && st.st_mode & S_ISUID && st.st_uid != geteuid())
		why = "it becomes another user (set-uid)";
	else if (gains && (st.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && st.st_gid != getegid())
		why = "it becomes another group (set-gid)";
	else if (gains && geteuid() && getxattr(file, "security.capability", NULL, 0) > 0)
		why = "it gets capabilities of its own (setcap)";
	else if (access(file, R_OK))
		why = "you may not read its file";
	strbuf_release(&path);
	return why;
}

void workload_note_hidden(const char *name)
{
	const char *why = workload_hidden(name);

	if (why)
		log_warn("the kernel does not allow perf to observe '%s': %s; it can be observed %swith -a",
			 name, why, geteuid() ? "as root " : "");
}

void workload_release(struct workload *w)
{
	workload_end(w);
	close_fd(&w->go_fd);
	close_fd(&w->err_fd);
	close_fd(&w->pidfd);
}
