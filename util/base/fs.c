/* Fs: files of the running system, below a prefix. */
#include "fs.h"
#include "fd.h"
#include "alloc.h"
#include "err.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <poll.h>
#include <unistd.h>

static char *root_prefix;

void fs_set_root(const char *root)
{
	size_t len = root ? strlen(root) : 0;

	while (len && root[len - 1] == '/')
		len--;
	free(root_prefix);
	root_prefix = len ? xstrndup(root, len) : NULL;
}

const char *fs_root(void)
{
	return root_prefix ? root_prefix : "";
}

const char *fs_path(struct strbuf *out, const char *fmt, ...)
{
	va_list ap;

	strbuf_reset(out);
	strbuf_addstr(out, fs_root());
	va_start(ap, fmt);
	strbuf_vaddf(out, fmt, ap);
	va_end(ap);
	return strbuf_str(out);
}

int fs_open(const char *path, int flags)
{
	struct strbuf sb = STRBUF_INIT;
	int fd;

	fd = open(fs_path(&sb, "%s", path), flags | O_CLOEXEC, 0600);
	if (fd < 0)
		fd = -errno;
	strbuf_release(&sb);
	return fd;
}

FILE *fs_fopen(const char *path)
{
	int fd = fs_open(path, O_RDONLY);

	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	return fdopen(fd, "r");
}

bool fs_exists(const char *path)
{
	struct strbuf sb = STRBUF_INIT;
	bool there = !access(fs_path(&sb, "%s", path), F_OK);

	strbuf_release(&sb);
	return there;
}

int fd_read_all(int fd, struct strbuf *out)
{
	for (;;) {
		/* most files of /sys have one line */
		char *p = strbuf_room(out, out->len < 2048 ? 4096 : 64 << 10);
		ssize_t n = read(fd, p, out->alloc - out->len - 1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		strbuf_setlen(out, out->len + n);
		if (!n)
			return 0;
	}
}

int fs_read(const char *path, struct strbuf *out)
{
	int fd = fs_open(path, O_RDONLY), ret;

	if (fd < 0)
		return fd;
	ret = fd_read_all(fd, out);
	close(fd);
	return ret;
}

int fs_read_line(const char *path, struct strbuf *out)
{
	int fd = fs_open(path, O_RDONLY);
	char *nl = NULL;
	ssize_t n = 1;

	strbuf_reset(out);
	if (fd < 0)
		return fd;
	while (n && !nl) {
		char *p = strbuf_room(out, 4096);

		n = read(fd, p, out->alloc - out->len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			n = -errno;
			break;
		}
		strbuf_setlen(out, out->len + n);
		nl = memchr(p, '\n', n);
	}
	if (nl)
		strbuf_setlen(out, nl - out->buf);
	close(fd);
	return n < 0 ? n : 0;
}

int open_regular(const char *path, struct stat *ret_st, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return err_sys(err, errno, "%s", path);
	if (!fstat(fd, ret_st) && S_ISREG(ret_st->st_mode))
		return fd;
	close(fd);
	return err_set(err, -EINVAL, "%s: not a regular file", path);
}

int open_shared_dir(const char *path, struct stat *ret_st)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW), ret = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, ret_st) || !S_ISREG(ret_st->st_mode))
		ret = -EINVAL;
	else if (ret_st->st_uid && ret_st->st_uid != geteuid() && geteuid())
		ret = -EPERM;
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

/* the number a file begins with, as its 64 bits */
static int read_number(const char *path, bool is_signed, u64 *ret)
{
	struct strbuf sb = STRBUF_INIT;
	char *end;
	int r = fs_read_line(path, &sb);

	if (!r) {
		u64 v;

		errno = 0;
		v = is_signed ? (u64)strtoll(strbuf_str(&sb), &end, 0) : strtoull(strbuf_str(&sb), &end, 0);
		if (end == strbuf_str(&sb) || errno)
			r = -EINVAL;
		else
			*ret = v;
	}
	strbuf_release(&sb);
	return r;
}

int fs_read_s64(const char *path, s64 *ret)
{
	return read_number(path, true, (u64 *)ret);
}

int fs_read_u64(const char *path, u64 *ret)
{
	return read_number(path, false, ret);
}

bool program_find(const char *name, struct strbuf *out)
{
	const char *dir = getenv("PATH") ?: "/bin:/usr/bin";	/* the default of execvp(3) */

	while (dir) {
		size_t len = strcspn(dir, ":");
		struct stat st;

		strbuf_reset(out);
		/* an empty element means the current directory */
		strbuf_addf(out, "%.*s%s%s", (int)len, dir, len ? "/" : "", name);
		if (!access(strbuf_str(out), X_OK) && !stat(strbuf_str(out), &st) && S_ISREG(st.st_mode))
			return true;
		dir = dir[len] ? dir + len + 1 : NULL;
	}
	return false;
}

int fd_write_all(int fd, const void *buf, size_t len)
{
	const char *p = buf;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && fd_try_again(fd, errno, POLLOUT))
			continue;
		if (n < 0)
			return -errno;
		p += n;
		len -= n;
	}
	return 0;
}

/* what replaces a file is written beside it, under this name; what links lead to is replaced, not they */
static char *name_beside(const char *path)
{
	char *real = realpath(path, NULL), *ret = xasprintf("%s.%d.new", real ? real : path, (int)getpid());

	free(real);
	return ret;
}

/* only a file of one name, of its owner: another would no longer be the same file for its other names */
static FILE *create_beside(const char *path)
{
	struct stat st;
	char *name;
	FILE *out;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_nlink != 1 || st.st_uid != geteuid() ||
	    access(path, W_OK))
		return NULL;
	name = name_beside(path);
	out = fopen(name, "wxe");
	if (out && (fchown(fileno(out), -1, st.st_gid) || fchmod(fileno(out), st.st_mode & 07777))) {
		fclose(out);
		unlink(name);
		out = NULL;
	}
	free(name);
	return out;
}

FILE *file_create(const char *path, bool replace)
{
	FILE *out = replace ? create_beside(path) : NULL;

	return out ? out : fopen(path, replace ? "we" : "wxe");
}

static int rename_over(const char *name, const char *path)
{
	char *real = realpath(path, NULL);
	int ret = rename(name, real ? real : path);

	free(real);
	return ret;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

int file_finish(FILE *out, const char *path, int ret)
{
	struct stat st, there;
	int no_stat = fstat(fileno(out), &st) ? -errno : 0;
	bool regular = !no_stat && S_ISREG(st.st_mode);
	char *name = name_beside(path);
	bool beside = regular && !lstat(name, &there) && same_file(&there, &st);

	if (fclose(out) && !ret)
		ret = -errno;
	/* written beside path, but its name is not known any more: path is not what was written */
	if (!ret && regular && !beside && (stat(path, &there) || !same_file(&there, &st)))
		ret = -ENOENT;
	if (!ret)
		ret = no_stat;
	if (!ret && beside && rename_over(name, path))
		ret = -errno;
	if (ret && regular && !beside && !lstat(path, &there) && same_file(&there, &st))
		unlink(path);
	else if (ret)
		unlink(name);
	free(name);
	return ret;
}

size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);	/* the C library knows it without a system call */
}
