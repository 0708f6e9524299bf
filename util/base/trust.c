/* Trust: see trust.h. */
#include "trust.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool nobody_else_writes(const struct stat *st, uid_t owner)
{
	return !(st->st_mode & S_IWOTH) && (!st->st_uid || st->st_uid == owner);
}

bool trusted_file(const char *path, uid_t owner)
{
	char dir[PATH_MAX];
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !nobody_else_writes(&st, owner))
		return false;
	snprintf(dir, sizeof(dir), "%.*s", (int)(strrchr(path, '/') - path), path);
	return !stat(dir, &st) && nobody_else_writes(&st, owner);
}

bool trusted_by_all(struct strbuf *path)
{
	char at[PATH_MAX], *slash;
	struct stat st;

	if (!realpath(path->buf, at))
		return false;
	strbuf_reset(path);
	strbuf_addstr(path, at);
	for (;;) {
		if (stat(at, &st) || st.st_uid || ((st.st_mode & S_IWGRP) && st.st_gid) ||
		    ((st.st_mode & S_IWOTH) && !(st.st_mode & S_ISVTX)))
			return false;
		if (!strcmp(at, "/"))
			return true;
		slash = strrchr(at, '/');
		slash[slash == at] = '\0';
	}
}
