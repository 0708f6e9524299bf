/* Base directory of a daemon: lock, socket, output and directories of sessions. */
#include "base-dir.h"
#include "../base/alloc.h"
#include "../base/fs.h"
#include "../base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* others who can write to it could replace what the daemon and its recorders write */
static int check_dir(int fd, const char *path, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st))
		return err_sys(err, errno, "cannot use %s", path);
	if (st.st_uid != geteuid()) {
		err_set(err, -EPERM, "%s belongs to another user (%u)", path, st.st_uid);
		err_hint(err, "use a directory of your own");
		return -EPERM;
	}
	if (st.st_mode & (S_IWGRP | S_IWOTH)) {
		err_set(err, -EPERM, "other users can write to %s", path);
		if (st.st_mode & S_ISVTX)
			err_hint(err, "use a directory in it: mkdir -m 700 %s/perf-daemon", path);
		else
			err_hint(err, "chmod go-w %s", path);
		return -EPERM;
	}
	return 0;
}

int base_dir_open(struct base_dir *b, const char *path, bool client, struct err *err)
{
	int ret;

	*b = (struct base_dir)BASE_DIR_NONE;
	b->path = realpath(path, NULL);
	if (b->path)
		b->fd = open(b->path, DIR_FLAGS);
	if (b->fd < 0) {
		ret = -errno;
		err_sys(err, errno, "cannot use '%s' as the base directory", path);
		if (ret == -ENOENT)
			err_hint(err, "mkdir -m 700 %s", path);
		base_dir_release(b);
		return ret;
	}
	ret = client && !geteuid() ? 0 : check_dir(b->fd, b->path, err);
	if (ret)
		base_dir_release(b);
	return ret;
}

static pid_t read_pid(int fd)
{
	char text[32];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	u64 pid;

	if (n <= 0)
		return 0;
	text[n] = 0;
	text[strcspn(text, "\n")] = 0;
	return parse_u64(text, &pid) || pid > INT32_MAX ? 0 : (pid_t)pid;
}

/* a regular file of this user, not a link */
static int open_own_file(int dir_fd, const char *name, int flags, struct err *err)
{
	int fd = openat(dir_fd, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600);
	struct stat st;

	if (fd < 0)
		return err_sys(err, errno, "cannot open the file '%s'", name);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid()) {
		close(fd);
		return err_set(err, -EPERM, "'%s' is not a regular file of this user", name);
	}
	return fd;
}

int base_dir_lock(struct base_dir *b, struct err *err)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%d\n", getpid()), ret;

	b->lock_fd = open_own_file(b->fd, "lock", O_RDWR | O_CREAT, err);
	if (b->lock_fd < 0)
		return err_prefix(err, "%s: ", b->path);
	if (flock(b->lock_fd, LOCK_EX | LOCK_NB)) {
		ret = err_set(err, -EBUSY, "another perf daemon (pid %d) uses %s", read_pid(b->lock_fd),
			      b->path);
		err_hint(err, "'perf daemon stop --base %s' ends it, --base selects another directory",
			 b->path);
		close(b->lock_fd);
		b->lock_fd = -1;
		return ret;
	}
	ret = ftruncate(b->lock_fd, 0) ? -errno : fd_write_all(b->lock_fd, text, len);
	return ret ? err_sys(err, -ret, "cannot write %s/lock", b->path) : 0;
}

pid_t base_dir_owner(const struct base_dir *b)
{
	int fd = open_own_file(b->fd, "lock", O_RDONLY, NULL);
	pid_t pid = 0;

	if (fd < 0)
		return 0;
	if (flock(fd, LOCK_SH | LOCK_NB))
		pid = read_pid(fd);
	close(fd);
	return pid;
}

static void socket_address(const struct base_dir *b, struct sockaddr_un *a)
{
	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(a->sun_path, sizeof(a->sun_path), "/proc/self/fd/%d/control", b->fd);
}

int base_dir_listen(const struct base_dir *b, struct err *err)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), code = 0;
	mode_t mask = umask(0177);
	struct sockaddr_un a;

	socket_address(b, &a);
	/* the lock is ours, so nobody listens at what is there */
	if (fd < 0 || (unlinkat(b->fd, "control", 0) && errno != ENOENT) ||
	    bind(fd, (struct sockaddr *)&a, sizeof(a)) || listen(fd, 16))
		code = errno;
	umask(mask);
	if (!code)
		return fd;
	if (fd >= 0)
		close(fd);
	return err_sys(err, code, "cannot create the socket %s/control", b->path);
}

int base_dir_connect(const struct base_dir *b, struct err *err)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), code;
	struct sockaddr_un a;

	socket_address(b, &a);
	if (fd >= 0 && !connect(fd, (struct sockaddr *)&a, sizeof(a)))
		return fd;
	code = errno;
	if (fd >= 0)
		close(fd);
	if (code != ENOENT && code != ECONNREFUSED)
		return err_sys(err, code, "cannot reach the perf daemon of %s", b->path);
	err_set(err, -ENOENT, "no perf daemon uses %s", b->path);
	err_hint(err, "'perf daemon start' starts one");
	return -ENOENT;
}

int base_dir_output(int dir_fd, const char *path, struct err *err)
{
	int fd = open_own_file(dir_fd, "output", O_WRONLY | O_CREAT | O_APPEND, err);

	if (fd < 0)
		return err_prefix(err, "%s: ", path);
	if (ftruncate(fd, 0)) {
		int code = errno;

		close(fd);
		return err_sys(err, code, "cannot write %s/output", path);
	}
	/* writes to regular files do not block */
	fcntl(fd, F_SETFL, O_APPEND);
	return fd;
}

int base_dir_session(const struct base_dir *b, const char *name, struct err *err)
{
	char *dir = xasprintf("session-%s", name), *path = xasprintf("%s/%s", b->path, dir);
	int fd = -1, ret = 0;

	if (mkdirat(b->fd, dir, 0700) && errno != EEXIST)
		ret = err_sys(err, errno, "cannot create %s", path);
	if (!ret) {
		fd = openat(b->fd, dir, DIR_FLAGS);
		ret = fd < 0 ? err_sys(err, errno, "cannot open %s", path) : check_dir(fd, path, err);
	}
	if (ret && fd >= 0)
		close(fd);
	free(dir);
	free(path);
	return ret ? ret : fd;
}

int base_dir_fifo(int dir_fd, const char *name, struct err *err)
{
	int fd;

	/* what an earlier session left unread goes with the old one */
	if ((unlinkat(dir_fd, name, 0) && errno != ENOENT) || mkfifoat(dir_fd, name, 0600))
		return err_sys(err, errno, "cannot create the fifo '%s'", name);
	fd = openat(dir_fd, name, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? err_sys(err, errno, "cannot open the fifo '%s'", name) : fd;
}

void base_dir_unlock(struct base_dir *b)
{
	if (b->lock_fd < 0)
		return;
	unlinkat(b->fd, "control", 0);
	if (ftruncate(b->lock_fd, 0))
		flock(b->lock_fd, LOCK_UN);
	close(b->lock_fd);
	b->lock_fd = -1;
}

void base_dir_release(struct base_dir *b)
{
	if (b->lock_fd >= 0)
		close(b->lock_fd);
	if (b->fd >= 0)
		close(b->fd);
	free(b->path);
	*b = (struct base_dir)BASE_DIR_NONE;
}
