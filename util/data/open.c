/* Open: see open.h. */
#include "open.h"
#include "copy-input.h"
#include "dir.h"
#include "events.h"
#include "header.h"
#include "import.h"
#include "live.h"
#include "magic.h"
#include "streams.h"
#include "tracing-formats.h"
#include "unpack.h"
#include "unzip.h"
#include "../base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD_BYTES 4096u
#define HEAD_FIXED 48u		/* bytes of the header before what a recorder changes while it records */
#define HEAD_SIZE 104u

/* kept for input_error() */
static void keep_head(struct data *d, int fd, u64 size)
{
	struct data_private *p = d->priv;
	ssize_t n;

	p->input_fd = fd;
	p->input_size = size;
	p->head = xmalloc(HEAD_BYTES);
	n = pread(fd, p->head, HEAD_BYTES, 0);
	p->head_len = MAX(n, 0);
}

/* the header, and after it the ids of events, which are others in each recording */
static bool same_head(const struct data_private *p)
{
	size_t end = MIN((u64)p->head_len, p->attrs_off);
	u8 now[HEAD_BYTES];

	if (pread(p->input_fd, now, p->head_len, 0) != (ssize_t)p->head_len)
		return false;
	return !memcmp(now, p->head, MIN(p->head_len, (size_t)HEAD_FIXED)) &&
	       (end <= HEAD_SIZE || !memcmp(now + HEAD_SIZE, p->head + HEAD_SIZE, end - HEAD_SIZE));
}

static bool any_torn(const struct data *d)
{
	vec_foreach(&d->priv->map, m)
		if (mapping_torn(m))
			return true;
	return false;
}

/* bytes of the opened file that were used, which a recorder that still writes to it never removes */
static u64 used_size(const struct data *d)
{
	vec_foreach(&d->stream, s)
		if (s->fd == d->priv->input_fd)
			return MIN(s->end, d->priv->input_size);
	return 0;
}

static int input_error(const struct data *d, struct err *err)
{
	const struct data_private *p = d->priv;
	bool torn = any_torn(d);
	struct stat st;

	if (!torn && !p->head)
		return 0;
	if (p->head && !fstat(p->input_fd, &st) && (u64)st.st_size < (torn ? p->input_size : used_size(d)))
		err_set(err, -EIO, "%s was cut to %llu of %llu bytes while it was read: "
			"the output is incomplete", d->path, (unsigned long long)st.st_size,
			(unsigned long long)p->input_size);
	else if (p->head && !same_head(p))
		err_set(err, -EIO, "%s was changed while it was read: the output is incomplete or wrong",
			d->path);
	else if (torn)
		return err_set(err, -EIO, "%s could not be read to its end (input/output error): "
			       "the output is incomplete", d->path);
	else
		return 0;
	err_hint(err, "read a file that nobody writes to, such as a copy");
	return err->code;
}

/* of the first input that was lost: readers are in all threads and phases, and none of them can say so */
static struct err lost = ERR_INIT;

int data_input_lost(struct err *err)
{
	if (lost.code)
		*err = lost;
	return lost.code;
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

/* a file that somebody compressed is read as a pipe is */
static bool is_packed(int fd)
{
	u8 head[UNZIP_MAGIC_MAX];
	ssize_t n = pread(fd, head, sizeof(head), 0);

	return n > 0 && unzip_is_packed(head, n);
}

/* opens an input that cannot be mapped; 1 if it is read live and everything is done */
static int open_pipe(struct data *d, const struct data_opts *opts, int fd, bool may_grow, u64 *ret_size,
		     int *ret_fd, struct err *err)
{
	struct strbuf seen = STRBUF_INIT;
	int ret = opts->live && may_grow ? data_live_open(d, fd, &seen, err) : 0;

	if (ret)
		return ret;
	*ret_fd = data_spool_input(d, opts->import, fd, &seen, ret_size, err);
	strbuf_release(&seen);
	if (*ret_fd < 0)
		return *ret_fd;
	vec_push(&d->priv->fd, *ret_fd);
	return 0;
}

#define IMPORT_MAX (4ull << 30)
#define PACKED_SMALL (4 << 20)

static bool is_recording(const u8 *base, u64 size)
{
	u64 magic = 0;

	memcpy(&magic, base, MIN(size, (u64)sizeof(magic)));
	return data_is_magic(magic);
}

/* a profile of another program is read from a file that is made of it; others are unchanged */
static int import(struct data *d, const struct data_opts *opts, const u8 **base, u64 *size, int *fd,
		  struct err *err)
{
	const struct importer *im = opts->import;
	struct stat st;
	int ret;

	if (!im && !is_recording(*base, *size))
		im = import_probe(*base, *size, NULL);
	if (!im)
		return 0;
	if (*size > IMPORT_MAX)
		return err_set(err, -EFBIG, "%s: profiles in the format %s may have 4 GB", d->path, im->name);
	ret = import_run(im, *base, *size, &d->diag, err);
	if (ret < 0)
		return err_prefix(err, "%s: ", d->path);
	*fd = ret;
	vec_push(&d->priv->fd, ret);
	if (fstat(ret, &st))
		return err_sys(err, errno, "%s", d->path);
	d->imported = im->name;
	d->file_size = *size = st.st_size;
	return data_map(d, *fd, *size, base, err);
}

const u8 *data_imported_bytes(const struct data *d, u64 *ret_size)
{
	const struct mapping *m = &d->priv->map.v[d->priv->map.nr - 1];

	*ret_size = d->file_size;
	return m->p;
}

/* a pipe is copied to a temporary file. 1 if it is read live and everything is done */
static int open_bytes(struct data *d, const struct data_opts *opts, int *fd, const u8 **base, u64 *ret_size,
		      struct err *err)
{
	struct stat st;
	u64 size;
	int ret;

	if (fstat(*fd, &st))
		return err_sys(err, errno, "%s", d->path);
	ret = check_owner(d, opts, &st, err);
	if (ret < 0)
		return ret;
	size = st.st_size;
	d->mtime = st.st_mtime;
	if (S_ISREG(st.st_mode))
		d->changed_ns = st.st_mtim.tv_sec * 1000000000ll + st.st_mtim.tv_nsec;
	if (!S_ISREG(st.st_mode) || is_packed(*fd)) {
		ret = open_pipe(d, opts, *fd, !S_ISREG(st.st_mode), &size, fd, err);
		if (ret)
			return ret;
	} else {
		keep_head(d, *fd, size);
	}
	d->file_size = *ret_size = size;
	if (!size)
		return strcmp(d->path, "-") ?
			err_set(err, -ENODATA, "%s is empty: nothing was recorded into it", d->path) :
			err_set(err, -ENODATA, "standard input is empty: the command before the pipe wrote "
				"nothing");
	return data_map(d, *fd, size, base, err);
}

/* path below dirfd: the file itself, or "data" of a directory */
static int open_file(struct data *d, const struct data_opts *opts, int fd, struct err *err)
{
	const u8 *base;
	u64 size;
	int ret = open_bytes(d, opts, &fd, &base, &size, err);

	if (!ret)
		ret = import(d, opts, &base, &size, &fd, err);
	return ret ? MIN(ret, 0) : data_read_header(d, base, size, fd, err);
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
		if (ret == -EACCES)
			data_hint_denied(d->path, err);
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

static struct data *data_new(const struct data_opts *opts)
{
	struct data *d = xcalloc(1, sizeof(*d));

	d->path = xstrdup(opts->path ? opts->path : default_path());
	d->priv = xcalloc(1, sizeof(*d->priv));
	d->evset = evset_new();
	return d;
}

/* a small file that is compressed, to be freed: it needs no temporary file. NULL: it is another one */
static u8 *read_packed(struct data *d, const struct data_opts *opts, int fd, u64 *ret_size)
{
	u8 *bytes, *ret = NULL;
	struct stat st;
	size_t len = 0;

	if (!is_packed(fd) || fstat(fd, &st) || check_owner(d, opts, &st, NULL) || st.st_size > PACKED_SMALL)
		return NULL;
	bytes = xmalloc(st.st_size + 1);
	if (pread(fd, bytes, st.st_size, 0) == st.st_size)
		ret = unzip_whole(bytes, st.st_size, &len);
	free(bytes);
	*ret_size = len;
	d->mtime = st.st_mtime;
	return ret;
}

/* false: it is not a profile, or it cannot be read */
static bool import_stacks(struct data *d, const struct importer *im, const u8 *p, u64 size,
			  struct stacks *out)
{
	struct err err = ERR_INIT;
	u64 added;

	if (!im && !is_recording(p, size))
		im = import_probe(p, size, NULL);
	if (!im || size > IMPORT_MAX)
		return false;
	out += import_nr(im);
	added = out->added;
	/* a pprof file says that it is one, also if nothing ran */
	return !im->read(p, size, out, &d->diag, &err) &&
	       (out->added > added || im == import_at(IMPORT_NR_pprof));
}

static bool read_stacks(struct data *d, const struct data_opts *opts, int fd, struct stacks *out)
{
	struct err err = ERR_INIT;
	const u8 *base;
	u64 size;
	u8 *small = read_packed(d, opts, fd, &size);
	bool ret;

	if (!small)
		return !open_bytes(d, opts, &fd, &base, &size, &err) &&
		       import_stacks(d, opts->import, base, size, out);
	ret = import_stacks(d, opts->import, small, size, out);
	free(small);
	return ret;
}

bool data_read_stacks(const struct data_opts *opts, struct stacks *out, s64 *ret_mtime, struct diag *diag)
{
	struct data *d = data_new(opts);
	int fd = open(d->path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool ret;

	if (fd >= 0)
		vec_push(&d->priv->fd, fd);
	ret = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && read_stacks(d, opts, fd, out);
	*ret_mtime = d->mtime;
	if (ret)
		diag_merge(diag, &d->diag);
	data_close(d);
	return ret;
}

int data_open(struct data **ret, const struct data_opts *opts, struct err *err)
{
	struct data *d = data_new(opts);
	int rc;

	rc = open_path(d, opts, err);
	if (rc < 0) {
		data_close(d);
		return rc;
	}
	data_name_tracepoints(d);
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
	if (!lost.code)
		input_error(d, &lost);
	data_live_free(d->priv->live);
	strbuf_release(&d->priv->fed);
	vec_foreach(&d->priv->map, m)
		mapping_close(m);
	vec_foreach(&d->priv->fd, fd)
		close(*fd);
	vec_release(&d->priv->map);
	vec_release(&d->priv->fd);
	vec_release(&d->priv->tp_name);
	free(d->priv->head);
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
