/* Cache-write: puts files into the build-id cache. */
#include "cache-private.h"
#include "../base/fs.h"
#include "../obj/buildid.h"
#include "../obj/elf-obj.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

int cache_make_dir(const char *path)
{
	char *copy = xstrdup(path);
	int ret = 0, above = 0;

	for (char *p = strchr(copy + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		if (mkdir(copy, 0755) < 0 && errno != EEXIST && errno != ENOENT)
			above = -errno;
		*p = '/';
	}
	if (mkdir(copy, 0755) < 0 && errno != EEXIST)
		/* the reason is that a folder above it could not be made */
		ret = errno == ENOENT && above ? above : -errno;
	free(copy);
	return ret;
}

int cache_write(const char *path, u32 mode, int (*fill)(int fd, void *ctx), void *ctx)
{
	char *tmp = xasprintf("%s.XXXXXX", path);
	int fd = mkostemp(tmp, O_CLOEXEC), ret = fd < 0 ? -errno : fill(fd, ctx);

	/* its contents are not secret, and the cache may be shared */
	if (!ret && (fchmod(fd, 0644 | (mode & 0111)) < 0 || rename(tmp, path) < 0))
		ret = -errno;
	if (fd >= 0) {
		close(fd);
		if (ret)
			unlink(tmp);
	}
	free(tmp);
	return ret;
}

/* a rename replaces the link, so that there is one at all times */
int cache_link_id(const char *dir, const char *name, const struct build_id *id)
{
	struct strbuf path = STRBUF_INIT, hex = STRBUF_INIT;
	char *target, *up, *tmp;
	int ret;

	buildid_hex(&hex, id->id, id->len);
	buildid_path(&path, dir, id->id, id->len, "");
	target = xasprintf("../../%s/%s", name + (*name == '/'), hex.buf);
	tmp = xasprintf("%s.%ld", path.buf, (long)getpid());
	up = xstrndup(path.buf, strrchr(path.buf, '/') - path.buf);
	ret = cache_make_dir(up);
	if (!ret && symlink(target, tmp) < 0)
		ret = -errno;
	if (!ret && rename(tmp, path.buf) < 0) {
		ret = -errno;
		unlink(tmp);
	}
	free(up);
	free(tmp);
	free(target);
	strbuf_release(&hex);
	strbuf_release(&path);
	return ret;
}

struct cache_bytes {
	const void *p;
	size_t size;
};

static int fill_bytes(int fd, void *ctx)
{
	const struct cache_bytes *b = ctx;

	return fd_write_all(fd, b->p, b->size);
}

static int put_bytes(const char *dir, const char *name, const char *file, const struct cache_bytes *b,
		     const struct build_id *id, bool replace)
{
	struct strbuf hex = STRBUF_INIT;
	char *entry, *path;
	struct stat st;
	int ret = 0;

	buildid_hex(&hex, id->id, id->len);
	entry = xasprintf("%s/%s/%s", dir, name + (*name == '/'), hex.buf);
	path = xasprintf("%s/%s", entry, file);
	if (replace || stat(path, &st) < 0 || st.st_size != (off_t)b->size) {
		ret = cache_make_dir(entry);
		if (!ret)
			ret = cache_write(path, 0, fill_bytes, (void *)b);
	}
	if (!ret && !cache_has(dir, id))
		ret = cache_link_id(dir, name, id);
	free(path);
	free(entry);
	strbuf_release(&hex);
	return ret;
}

int cache_keep(const char *dir, const char *name, const char *file, const void *bytes, size_t size,
	       const struct build_id *id)
{
	return put_bytes(dir, name, file, &(struct cache_bytes){ bytes, size }, id, false);
}

int cache_put_file(const char *dir, const char *name, const char *file, const void *bytes, size_t size,
		   const struct build_id *id)
{
	return put_bytes(dir, name, file, &(struct cache_bytes){ bytes, size }, id, true);
}

int cache_get_file(const char *dir, const struct build_id *id, const char *file, size_t max,
		   struct strbuf *out)
{
	struct strbuf entry = STRBUF_INIT;
	char *path = NULL;
	struct stat st;
	int fd = -1, ret = -ENOENT;

	if (cache_entry_of(dir, id, &entry)) {
		path = xasprintf("%s/%s/%s", dir, entry.buf, file);
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		ret = fd < 0 ? -errno : 0;
	}
	if (!ret && (fstat(fd, &st) || !S_ISREG(st.st_mode)))
		ret = -EINVAL;
	else if (!ret && (u64)st.st_size > max)
		ret = -EFBIG;
	if (!ret)
		ret = fd_read_all(fd, out);
	if (fd >= 0)
		close(fd);
	free(path);
	strbuf_release(&entry);
	return ret;
}

int cache_fill(const char *dir, const struct cache_entry *e, int (*fill)(int fd, void *ctx), void *ctx)
{
	struct strbuf hex = STRBUF_INIT;
	char *folder, *path, *tmp;
	int ret;

	buildid_hex(&hex, e->id.id, e->id.len);
	folder = xasprintf("%s/%s/%s", dir, e->name, hex.buf);
	path = xasprintf("%s/%s", folder, e->file);
	tmp = xasprintf("%s.new", path);
	if (!cache_path_is_inside(e->name))
		ret = -EINVAL;
	else
		ret = access(path, F_OK) ? cache_make_dir(folder) : -EEXIST;
	if (!ret)
		ret = cache_write(tmp, e->mode, fill, ctx);
	if (!ret && e->check && !e->check(tmp, e->file, &e->id))
		ret = -EBADMSG;
	if (!ret && rename(tmp, path))
		ret = -errno;
	if (ret && ret != -EEXIST)
		unlink(tmp);
	if (!ret && !cache_has(dir, &e->id))
		ret = cache_link_id(dir, e->name, &e->id);
	free(tmp);
	free(path);
	free(folder);
	strbuf_release(&hex);
	return ret;
}

/* an open file whose bytes are put into another file */
struct original {
	int fd;
	struct stat st;
};

static int fill_copy(int fd, void *ctx)
{
	const struct original *o = ctx;
	off_t at = 0;
	ssize_t n = 0;
	char buf[65536];

	if (!ioctl(fd, FICLONE, o->fd))
		return 0;
	while (at < o->st.st_size && (n = copy_file_range(o->fd, &at, fd, NULL, o->st.st_size - at, 0)) > 0)
		;
	while ((n = pread(o->fd, buf, sizeof(buf), at)) > 0 || (n < 0 && errno == EINTR)) {
		int ret = n > 0 ? fd_write_all(fd, buf, n) : 0;

		if (ret)
			return ret;
		at += MAX(n, 0);
	}
	return n < 0 ? -errno : 0;
}

/*
 * copied, not linked: package managers replace files by renaming, but other programs write into the file, and
 * a link would change with it
 */
static bool is_packaged(const char *path, const struct stat *st)
{
	return !strncmp(path, "/usr/", 5) && strncmp(path, "/usr/local/", 11) && !st->st_uid &&
		!(st->st_mode & (S_IWOTH | (st->st_gid ? S_IWGRP : 0)));
}

/* makes path a hard link to the open file; false if the file system or the kernel cannot do this */
static bool link_to(const struct original *o, const char *path)
{
	char *tmp = xasprintf("%s.%ld", path, (long)getpid()), from[64];
	bool ok;

	snprintf(from, sizeof(from), "/proc/self/fd/%d", o->fd);
	ok = !linkat(AT_FDCWD, from, AT_FDCWD, tmp, AT_SYMLINK_FOLLOW);
	if (ok && rename(tmp, path) < 0) {
		unlink(tmp);
		ok = false;
	}
	free(tmp);
	return ok;
}

/* from is opened once, so the file that was checked is the one that is copied */
static int put_file(const char *from, const char *to, struct err *err)
{
	struct original o;
	int ret;

	o.fd = open_regular(from, &o.st, err);
	if (o.fd < 0)
		return o.fd;
	if (is_packaged(from, &o.st) && link_to(&o, to)) {
		close(o.fd);
		return 0;
	}
	ret = cache_write(to, o.st.st_mode, fill_copy, &o);
	close(o.fd);
	return ret ? err_sys(err, -ret, "cannot copy %s to %s", from, to) : 0;
}

/* the debug file that the distribution has installed for a build-id */
static void put_debug_file(const char *entry, const struct build_id *id)
{
	struct strbuf from = STRBUF_INIT;
	struct build_id other;
	char *to;

	buildid_path(&from, "/usr/lib/debug", id->id, id->len, ".debug");
	if (build_id_of_file(from.buf, &other) && buildid_equal(other.id, other.len, id->id, id->len)) {
		to = xasprintf("%s/debug", entry);
		put_file(from.buf, to, NULL);
		free(to);
	}
	strbuf_release(&from);
}

static int put_entry(const char *dir, const char *from, const char *name, const struct build_id *id,
		     struct err *err)
{
	struct strbuf hex = STRBUF_INIT;
	char *entry, *to;
	int ret;

	buildid_hex(&hex, id->id, id->len);
	entry = xasprintf("%s%s/%s", dir, name, hex.buf);
	to = xasprintf("%s/elf", entry);
	ret = cache_make_dir(entry);
	if (ret)
		ret = err_sys(err, -ret, "cannot make the folder %s", entry);
	if (!ret)
		ret = put_file(from, to, err);
	if (!ret) {
		put_debug_file(entry, id);
		ret = cache_link_id(dir, name, id);
		if (ret)
			ret = err_sys(err, -ret, "cannot write into %s/.build-id", dir);
	}
	free(to);
	free(entry);
	strbuf_release(&hex);
	return ret;
}

static int no_build_id(const char *path, struct err *err)
{
	struct elf_obj *o = elf_obj_open(path, err);

	if (!o)
		return err && err->code ? err->code : -EINVAL;
	elf_obj_free(o);
	err_set(err, -EINVAL, "%s has no build-id", path);
	err_hint(err, "link it with --build-id, which compilers usually do");
	return -EINVAL;
}

/*
 * the path of the file in the cache; NULL with err. A path below a root is not resolved, because its links
 * refer to that root
 */
static char *name_of(const struct cache_source *src, const char *from, struct err *err)
{
	char *real;

	if (src->root && src->path[0] == '/' && cache_path_is_inside(src->path + 1))
		return xstrdup(src->path);
	if (src->root) {
		err_set(err, -EINVAL, "cannot add %s: the path of a file of another namespace begins with / "
			"and has no '..'", src->path);
		return NULL;
	}
	real = realpath(from, NULL);
	if (!real)
		err_sys(err, errno, "cannot add %s", src->path);
	return real;
}

/* the path of the entry's debug file, which may not be there; NULL: there is no entry */
static char *debug_path(const char *dir, const struct build_id *id)
{
	struct strbuf entry = STRBUF_INIT;
	char *path = cache_entry_of(dir, id, &entry) ? xasprintf("%s/%s/debug", dir, entry.buf) : NULL;

	strbuf_release(&entry);
	return path;
}

bool cache_has_debug(const char *dir, const struct build_id *id)
{
	char *path = debug_path(dir, id);
	bool ret = path && !access(path, F_OK);

	free(path);
	return ret;
}

int cache_add_debug(const char *dir, const struct build_id *id, const char *path, struct err *err)
{
	char *to = debug_path(dir, id);
	struct build_id other;
	int ret;

	if (!to)
		ret = err_set(err, -ENOENT, "the build-id cache has no file for %s", path);
	else if (!build_id_of_file(path, &other) || !buildid_equal(other.id, other.len, id->id, id->len))
		ret = err_set(err, -EBADMSG, "%s is of another build", path);
	else
		ret = access(to, F_OK) ? put_file(path, to, err) : 0;
	free(to);
	return ret;
}

int cache_add(const char *dir, const struct cache_source *src, struct build_id *ret_id, char **ret_path,
	      struct err *err)
{
	char *from = xasprintf("%s%s", src->root ? src->root : "", src->path),
			*name = name_of(src, from, err);
	bool there;
	int ret;

	if (ret_path)
		*ret_path = NULL;
	if (!name) {
		free(from);
		return -EINVAL;
	}
	if (!build_id_of_file(from, ret_id)) {
		ret = no_build_id(from, err);
	} else {
		there = cache_has(dir, ret_id);
		ret = there && !src->replace ? 0 : put_entry(dir, from, name, ret_id, err);
		if (!ret)
			ret = !there ? CACHE_ADDED : src->replace ? CACHE_REPLACED : CACHE_THERE;
	}
	if (ret_path && ret >= 0)
		*ret_path = xstrdup(name);
	free(name);
	free(from);
	return ret;
}
