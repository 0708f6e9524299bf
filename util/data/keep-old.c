/* Keep-old: see keep-old.h. */
#include "keep-old.h"
#include "../base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int unlink_tree(const char *path)
{
	struct dirent *e;
	struct stat st;
	DIR *dir;

	if (lstat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return unlink(path);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		/* one of our directories contains files and kcore_dir; deeper directories are not removed */
		char *sub;

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		sub = xasprintf("%s/%s", path, e->d_name);
		unlink_tree(sub);
		free(sub);
	}
	if (dir)
		closedir(dir);
	return rmdir(path);
}

/* true for a directory that a recorder wrote: only such a directory may be moved */
static bool is_data_dir(const char *path)
{
	char *data = xasprintf("%s/data", path);
	bool there = !access(data, F_OK);

	free(data);
	return there;
}

bool writer_is_descriptor_link(const char *path)
{
	char target[32];
	ssize_t n = readlink(path, target, sizeof(target) - 1);

	return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6) ||
	       (n > 5 && (!memcmp(target, "/dev/", 5) || !memcmp(target, "/proc", 5)));
}

int writer_keep_old(const char *path, struct err *err)
{
	char *old;
	struct stat st;
	int ret = 0;

	if (lstat(path, &st) < 0)
		return errno == ENOENT || errno == ENOTDIR ? 0 :
		       err_sys(err, errno, "cannot find out whether %s exists", path);
	/* a link to data is moved, not written through; a link in /dev names the output */
	if (S_ISLNK(st.st_mode) && (writer_is_descriptor_link(path) || stat(path, &st) < 0))
		return 0;
	if (S_ISDIR(st.st_mode) && !is_data_dir(path))
		return err_set(err, -EISDIR,
			       "cannot write to %s: it is a directory that perf record did not make", path);
	if (!S_ISDIR(st.st_mode) && (!S_ISREG(st.st_mode) || !st.st_size))
		return 0;
	old = xasprintf("%s.old", path);
	if (!lstat(old, &st) && (!S_ISDIR(st.st_mode) || is_data_dir(old)))
		unlink_tree(old);
	if (rename(path, old) < 0)
		ret = err_sys(err, errno, "cannot keep the previous %s as %s", path, old);
	free(old);
	return ret;
}
