/* User-cache: see user-cache.h. */
#include "user-cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "fs.h"

static bool is_own_folder(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 022);
}

/* opens a folder of this user inside of another one, which may be made; -1: there is none */
static int open_folder(int parent, const char *name)
{
	int fd;

	if (parent >= 0)
		mkdirat(parent, name, 0700);
	fd = openat(parent >= 0 ? parent : AT_FDCWD, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && is_own_folder(fd))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static int open_below(int parent, const char *name)
{
	int fd = parent < 0 ? -1 : open_folder(parent, name);

	if (parent >= 0)
		close(parent);
	return fd;
}

int user_cache_open(void)
{
	const char *base = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");

	if (base && *base == '/')
		return open_below(open_folder(-1, base), "perf");
	return home && *home == '/' ? open_below(open_below(open_folder(-1, home), ".cache"), "perf") : -1;
}

bool user_cache_map(int dir, const char *name, size_t min, size_t max, struct mapping *ret)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	bool ok;

	if (fd < 0)
		return false;
	ok = !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 077) &&
	     st.st_size >= (off_t)min && st.st_size < (off_t)max && !mapping_open(ret, fd, st.st_size);
	close(fd);
	return ok;
}

void user_cache_write(int dir, const char *name, const void *p, size_t len)
{
	char *new = xasprintf("%s.%d", name, getpid());
	int fd = openat(dir, new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600), ret;

	if (fd >= 0) {
		ret = fd_write_all(fd, p, len);
		if (close(fd) || ret || renameat(dir, new, dir, name))
			unlinkat(dir, new, 0);
	}
	free(new);
}
