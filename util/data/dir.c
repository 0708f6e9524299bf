/* Directories: see dir.h. */
#include "dir.h"
#include "streams.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int compare_u32(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

static int add_stream_file(struct data *d, int dirfd, u32 nr, struct err *err)
{
	char name[32];
	struct stat st;
	const u8 *base;
	int fd, ret;

	snprintf(name, sizeof(name), "data.%u", nr);
	fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(err, errno, "failed to open %s/%s", d->path, name);
	vec_push(&d->priv->fd, fd);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return 0;
	ret = data_map(d, fd, st.st_size, &base, err);
	if (ret < 0)
		return ret;
	data_add_stream(d, name, fd, base, 0, st.st_size);
	return 0;
}

int data_add_dir_streams(struct data *d, int dirfd, struct err *err)
{
	struct { VEC(u32); } nr = { 0 };
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return err_sys(err, errno, "cannot list %s", d->path);
	}
	while ((e = readdir(dir))) {
		char *end;
		unsigned long n;

		if (strncmp(e->d_name, "data.", 5) || e->d_name[5] < '0' || e->d_name[5] > '9')
			continue;
		n = strtoul(e->d_name + 5, &end, 10);
		if (!*end && n <= UINT_MAX)
			vec_push(&nr, n);
	}
	closedir(dir);
	if (nr.nr)
		qsort(nr.v, nr.nr, sizeof(*nr.v), compare_u32);
	for (size_t i = 0; i < nr.nr && ret == 0; i++)
		ret = add_stream_file(d, dirfd, nr.v[i], err);
	vec_release(&nr);
	return ret;
}

/* perf.data.old for perf.data, perf.data for Perf.Data */
static bool looks_like(const char *name, const char *wanted)
{
	return !strncasecmp(name, wanted, strlen(wanted)) && strcmp(name, wanted);
}

void data_hint_denied(const char *path, struct err *err)
{
	const struct passwd *pw;
	struct stat st;

	if (stat(path, &st) < 0) {
		err_hint(err, "its directory is closed to this user: read it as the user who recorded it");
		return;
	}
	if (st.st_uid == geteuid()) {
		err_hint(err, "'chmod u+r' makes it readable");
		return;
	}
	pw = getpwuid(st.st_uid);
	err_hint(err, "it belongs to %s: read it with sudo, or make it yours with 'sudo chown %u %s'",
		 pw ? pw->pw_name : "another user", geteuid(), path);
}

void data_hint_missing(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/'), *wanted = slash ? slash + 1 : path;
	struct strbuf dirname = STRBUF_INIT, found = STRBUF_INIT;
	struct dirent *e;
	DIR *dir;
	int nr = 0;

	strbuf_add(&dirname, slash ? path : "./", slash ? slash - path + 1 : 2);
	dir = *wanted ? opendir(strbuf_str(&dirname)) : NULL;
	while (dir && (e = readdir(dir))) {
		if (!looks_like(e->d_name, wanted) || nr++ >= 5)
			continue;
		strbuf_addstr(&found, found.len ? ", " : "");
		if (slash)
			strbuf_addstr(&found, strbuf_str(&dirname));
		strbuf_add_safe(&found, e->d_name);
	}
	if (dir)
		closedir(dir);
	if (found.len)
		err_hint(err, "found: %s (choose it with -i)", strbuf_str(&found));
	else if (!strcmp(path, "perf.data"))
		err_hint(err, "run 'perf record' first");
	strbuf_release(&dirname);
	strbuf_release(&found);
}
