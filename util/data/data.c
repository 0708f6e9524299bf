/* Opening and closing: which file, whether it may be read, of what kind it is. */
#include "data-private.h"
#include "features-private.h"
#include "live.h"
#include "../base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int data_map(struct data *d, int fd, u64 size, const u8 **ret_base, struct err *err)
{
	struct mapping m;
	int ret = size > SIZE_MAX ? -EFBIG : mapping_open(&m, fd, size);

	if (ret < 0)
		return err_sys(err, -ret, "%s: cannot map the file", d->path);
	vec_push(&d->priv->map, m);
	*ret_base = m.p;
	return 0;
}

void data_add_stream(struct data *d, const char *name, int fd, const u8 *base, u64 start, u64 end)
{
	struct data_stream s = { .base = base, .start = start, .end = MAX(start, end), .fd = fd,
				 .idx = d->stream.nr };

	snprintf(s.name, sizeof(s.name), "%s", name);
	vec_push(&d->stream, s);
}

static const char *default_path(void)
{
	struct stat st;

	if (!fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode))
		return "-";
	return "perf.data";
}

bool data_from_pipe(const struct data_opts *opts)
{
	return !strcmp(opts->path ? opts->path : default_path(), "-");
}

static int check_owner(const struct data *d, const struct data_opts *opts, const struct stat *st,
		       struct err *err)
{
	if (opts->force || !st->st_uid || st->st_uid == geteuid())
		return 0;
	return err_set(err, -EPERM, "file %s not owned by current user or root (use -f to override)",
		       d->path);
}

/* opens an input that cannot be mapped; 1 if it is read live and everything is done */
static int open_pipe(struct data *d, const struct data_opts *opts, int fd, u64 *ret_size, int *ret_fd,
		     struct err *err)
{
	struct strbuf seen = STRBUF_INIT;
	int ret = opts->live ? data_live_open(d, fd, &seen, err) : 0;

	if (ret)
		return ret;
	*ret_fd = data_spool_input(d, fd, &seen, ret_size, err);
	strbuf_release(&seen);
	if (*ret_fd < 0)
		return *ret_fd;
	vec_push(&d->priv->fd, *ret_fd);
	return 0;
}

/* path below dirfd: the file itself, or "data" of a directory; a pipe is copied to a temporary file */
static int open_file(struct data *d, const struct data_opts *opts, int fd, struct err *err)
{
	const u8 *base;
	struct stat st;
	u64 size;
	int ret;

	if (fstat(fd, &st))
		return err_sys(err, errno, "%s", d->path);
	ret = check_owner(d, opts, &st, err);
	if (ret < 0)
		return ret;
	size = st.st_size;
	d->mtime = st.st_mtime;
	if (!S_ISREG(st.st_mode)) {
		ret = open_pipe(d, opts, fd, &size, &fd, err);
		if (ret)
			return MIN(ret, 0);
	}
	d->file_size = size;
	if (!size)
		return err_set(err, -ENODATA, "zero-sized data (%s), nothing to do!", d->path);
	ret = data_map(d, fd, size, &base, err);
	if (ret < 0)
		return ret;
	return data_read_header(d, base, size, fd, err);
}

static int open_dir(struct data *d, const struct data_opts *opts, int dirfd, struct err *err)
{
	int fd = openat(dirfd, "data", O_RDONLY | O_CLOEXEC), ret;

	d->is_dir = true;
	if (fd < 0)
		return err_sys(err, errno, "%s is a directory without a file named data", d->path);
	vec_push(&d->priv->fd, fd);
	ret = open_file(d, opts, fd, err);
	if (ret < 0)
		return ret;
	return data_add_dir_streams(d, dirfd, err);
}

static int open_path(struct data *d, const struct data_opts *opts, struct err *err)
{
	bool use_stdin = !strcmp(d->path, "-");
	int fd = use_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(d->path, O_RDONLY | O_CLOEXEC),
			ret;
	struct stat st;

	if (fd < 0) {
		ret = err_sys(err, errno, "failed to open %s", d->path);
		if (ret == -ENOENT)
			data_hint_missing(d->path, err);
		return ret;
	}
	vec_push(&d->priv->fd, fd);
	if (!fstat(fd, &st) && S_ISDIR(st.st_mode))
		ret = open_dir(d, opts, fd, err);
	else
		ret = open_file(d, opts, fd, err);
	if (ret < 0 || opts->header_only || !d->priv->maybe_packed)
		return ret;
	return data_unpack_streams(d, err);
}

int data_open(struct data **ret, const struct data_opts *opts, struct err *err)
{
	struct data *d = xcalloc(1, sizeof(*d));
	int rc;

	d->path = xstrdup(opts->path ? opts->path : default_path());
	d->priv = xcalloc(1, sizeof(*d->priv));
	d->evset = evset_new();
	rc = open_path(d, opts, err);
	if (rc < 0) {
		data_close(d);
		return rc;
	}
	data_finish_events(d);
	d->plan = sample_plan_new(d->evset);
	data_find_probes(d);
	*ret = d;
	return 0;
}

void data_close(struct data *d)
{
	bool borrowed;

	if (!d)
		return;
	borrowed = d->priv->borrowed;
	data_live_free(d->priv->live);
	strbuf_release(&d->priv->fed);
	vec_foreach(&d->priv->map, m)
		mapping_close(m);
	vec_foreach(&d->priv->fd, fd)
		close(*fd);
	vec_release(&d->priv->map);
	vec_release(&d->priv->fd);
	vec_release(&d->priv->tp_name);
	free(d->priv);
	sample_plan_free(d->plan);
	if (!borrowed) {
		evset_free(d->evset);
		features_release(&d->feat);
	}
	vec_release(&d->stream);
	free(d->path);
	free(d);
}

static void advise(const struct data_stream *s, u64 off, u64 end, int advice, bool inner)
{
	uintptr_t mask = page_size() - 1, from, to;

	off = MAX(off, s->start);
	end = MIN(end, s->end);
	if (off >= end)
		return;
	from = (uintptr_t)s->base + off;
	to = (uintptr_t)s->base + end;
	/* a page that is shared with a neighbour is kept */
	from = inner ? (from + mask) & ~mask : from & ~mask;
	to = inner ? to & ~mask : to;
	if (from < to)
		madvise((void *)from, to - from, advice);
}

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

void data_will_need(const struct data_stream *s, u64 off, u64 end)
{
	advise(s, off, end, MADV_POPULATE_READ, false);
}

void data_dont_need(const struct data_stream *s, u64 off, u64 end)
{
	if (s->fd >= 0)		/* memory that is not of a file would be lost */
		advise(s, off, end, MADV_DONTNEED, true);
}
