/* User-cache: see user-cache.h. */
#include "user-cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "fs.h"
#include "vec.h"

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

void user_cache_touch(int dir, const char *name)
{
	utimensat(dir, name, NULL, AT_SYMLINK_NOFOLLOW);
}

/* --- trimming */

struct kept_file {
	char *name;
	struct timespec used;
	u64 size;
};

struct kept_files {
	VEC(struct kept_file);
};

static int newest_first(const void *pa, const void *pb)
{
	const struct kept_file *a = pa, *b = pb;

	if (a->used.tv_sec != b->used.tv_sec)
		return a->used.tv_sec > b->used.tv_sec ? -1 : 1;
	if (a->used.tv_nsec != b->used.tv_nsec)
		return a->used.tv_nsec > b->used.tv_nsec ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void read_files(int dir, const char *prefix, struct kept_files *ret)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	struct stat st;

	if (!list && fd >= 0)
		close(fd);
	while (list && (e = readdir(list)))
		if (!strncmp(e->d_name, prefix, strlen(prefix)) &&
		    !fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode))
			vec_push(ret, (struct kept_file){ xstrdup(e->d_name), st.st_mtim, st.st_size });
	if (list)
		closedir(list);
}

void user_cache_trim(int dir, const char *prefix, u32 nr, u64 size)
{
	struct kept_files all = { 0 };
	u64 sum = 0;

	read_files(dir, prefix, &all);
	if (all.nr)
		qsort(all.v, all.nr, sizeof(*all.v), newest_first);
	for (size_t i = 0; i < all.nr; i++) {
		sum += all.v[i].size;
		if (i >= nr || sum > size)
			unlinkat(dir, all.v[i].name, 0);
		free(all.v[i].name);
	}
	vec_release(&all);
}
