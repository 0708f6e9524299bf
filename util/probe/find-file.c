/*
 * Find-file: paths, $PATH, and /etc/ld.so.cache. The cache has a header of 48 bytes that begins with
 * "glibc-ld.so.cache1.1", the number of entries in its next 4 bytes, and entries of 24 bytes: flags, offset
 * of the library's name, offset of its path, then what the loader uses to choose (ldconfig(8) writes it).
 */
#include "find-file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/alloc.h"
#include "../base/cursor.h"
#include "../base/fs.h"

#define CACHE_MAGIC "glibc-ld.so.cache1.1"
#define CACHE_HEADER 48
#define CACHE_ENTRY 24
#define CACHE_MAX (64u << 20)

/* a string in the cache; "" if its offset is damaged */
static const char *string_at(const void *bytes, size_t size, u32 off)
{
	const char *s = (const char *)bytes + off;

	return off < size && memchr(s, '\0', size - off) ? s : "";
}

/* "libc" is "libc.so.6" */
static bool is_library(const char *key, const char *name)
{
	size_t len = strlen(name);

	return !strcmp(key, name) || (!strncmp(key, name, len) && !strncmp(key + len, ".so", 3));
}

const char *loader_cache_find(const void *bytes, size_t size, const char *name)
{
	struct cursor c = cursor_of(bytes, size, false);
	const char *magic = cursor_bytes(&c, strlen(CACHE_MAGIC));
	u32 nr = cursor_u32(&c);

	if (!magic || memcmp(magic, CACHE_MAGIC, strlen(CACHE_MAGIC)))
		return NULL;
	cursor_skip(&c, CACHE_HEADER - strlen(CACHE_MAGIC) - 4);
	for (u32 i = 0; i < nr && cursor_left(&c) >= CACHE_ENTRY; i++) {
		u32 key, value;

		cursor_skip(&c, 4);
		key = cursor_u32(&c);
		value = cursor_u32(&c);
		cursor_skip(&c, CACHE_ENTRY - 12);
		if (is_library(string_at(bytes, size, key), name))
			return string_at(bytes, size, value);
	}
	return NULL;
}

static bool in_loader_cache(const char *root, const char *name, struct strbuf *out)
{
	struct strbuf path = STRBUF_INIT, bytes = STRBUF_INIT;
	const char *file = NULL;
	struct stat st;
	bool found;

	strbuf_addf(&path, "%s/etc/ld.so.cache", root);
	if (!stat(path.buf, &st) && st.st_size < CACHE_MAX && !fs_read(path.buf, &bytes))
		file = loader_cache_find(bytes.buf, bytes.len, name);
	found = file && *file;
	if (found)
		strbuf_addf(out, "%s%s", root, file);
	strbuf_release(&path);
	strbuf_release(&bytes);
	return found;
}

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* links lead out of another root, so only the last one is followed by the kernel there */
static char *real_path(const char *path, const char *root)
{
	return *root ? xstrdup(path) : realpath(path, NULL);
}

char *find_process_program(int pid, struct err *err)
{
	char exe[64], name[PATH_MAX], *ret;
	struct strbuf path = STRBUF_INIT;
	struct stat link, file;
	ssize_t len;

	snprintf(exe, sizeof(exe), "/proc/%d/exe", pid);
	len = readlink(exe, name, sizeof(name) - 1);
	if (len < 0 || stat(exe, &link)) {
		err_sys(err, errno, "the program of process %d cannot be read", pid);
		return NULL;
	}
	name[len] = '\0';
	if (!stat(name, &file) && file.st_ino == link.st_ino && file.st_dev == link.st_dev)
		return find_probe_file(name, "", err);
	strbuf_addf(&path, "/proc/%d/root", pid);
	ret = find_probe_file(name, path.buf, err);
	strbuf_release(&path);
	return ret;
}

char *find_probe_file(const char *name, const char *root, struct err *err)
{
	struct strbuf path = STRBUF_INIT;
	char *ret = NULL;

	strbuf_addf(&path, "%s%s", name[0] == '/' ? root : "", name);
	if (*name && is_file(path.buf)) {
		ret = real_path(path.buf, root);
	} else if (*name && !strchr(name, '/')) {
		strbuf_reset(&path);
		if (in_loader_cache(root, name, &path) || (!*root && program_find(name, &path)))
			ret = real_path(path.buf, root);
	}
	if (!ret && (!*name || strchr(name, '/'))) {
		struct stat st;

		if (!stat(path.buf, &st))
			err_set(err, -EINVAL, "'%s' is not a regular file", name);
		else
			err_sys(err, errno, "'%s' cannot be probed", name);
	} else if (!ret) {
		err_set(err, -ENOENT, "'%s' is not a file here, a program in $PATH or a library that the "
			"loader knows",
			name);
	}
	strbuf_release(&path);
	return ret;
}
