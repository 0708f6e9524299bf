/* Temporary files for unpacked data: see spool.h. */
#include "spool.h"
#include "../base/alloc.h"
#include "../base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SPOOL_BUF (256u << 10)

static int open_in(const char *dir)
{
	char *path;
	int fd = open(dir, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
	path = xasprintf("%s/perf-data-XXXXXX", dir);	/* the file system does not support O_TMPFILE */
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}

int spool_file(struct err *err)
{
	const char *dirs[] = { getenv("TMPDIR"), "/tmp", "/var/tmp" };
	int fd = -1;

	for (size_t i = 0; i < ARRAY_SIZE(dirs) && fd < 0; i++)
		if (dirs[i] && *dirs[i])
			fd = open_in(dirs[i]);
	return fd < 0 ? err_sys(err, errno, "cannot make a temporary file in $TMPDIR, /tmp or /var/tmp") : fd;
}

int spool_open(struct spool *s, struct err *err)
{
	*s = (struct spool){ .fd = spool_file(err) };
	if (s->fd < 0)
		return s->fd;
	s->buf = xmalloc(SPOOL_BUF);
	return 0;
}

static void spool_flush(struct spool *s)
{
	if (s->used && !s->error)
		s->error = fd_write_all(s->fd, s->buf, s->used);
	s->used = 0;
}

int spool_sync(struct spool *s)
{
	spool_flush(s);
	return s->error;
}

void spool_add(struct spool *s, const void *p, size_t len)
{
	if (!len)
		return;
	s->size += len;
	if (len > SPOOL_BUF - s->used)
		spool_flush(s);
	if (len >= SPOOL_BUF) {
		if (!s->error)
			s->error = fd_write_all(s->fd, p, len);
		return;
	}
	memcpy(s->buf + s->used, p, len);
	s->used += len;
}

int spool_finish(struct spool *s, struct err *err)
{
	int fd = s->fd;

	spool_flush(s);
	free(s->buf);
	s->buf = NULL;
	s->fd = -1;
	if (!s->error)
		return fd;
	close(fd);
	err_sys(err, -s->error, "cannot write the temporary file for unpacked data");
	err_hint(err, "set TMPDIR to a directory with more space");
	return s->error;
}
