/* Cache-list: lists the contents of the build-id cache. */
#include "cache-private.h"
#include "../obj/buildid.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES_MAX 1000000

void cached_files_release(struct cached_files *l)
{
	vec_foreach(l, f)
		free(f->path);
	vec_release(l);
}

/* two hex digits per byte, and nothing else; false if s is anything else */
static bool parse_id(const char *s, struct build_id *ret)
{
	size_t len = strlen(s);
	unsigned int byte;

	if (len % 2 || len < 4 || len / 2 > sizeof(ret->id) || s[strspn(s, "0123456789abcdef")])
		return false;
	ret->len = len / 2;
	for (size_t i = 0; i < ret->len; i++) {
		sscanf(s + 2 * i, "%2x", &byte);
		ret->id[i] = byte;
	}
	return true;
}

bool cache_path_is_inside(const char *path)
{
	for (const char *p = path; *p; p += strcspn(p, "/"), p += *p == '/') {
		size_t len = strcspn(p, "/");

		if (!len || (len == 1 && *p == '.') || (len == 2 && p[0] == '.' && p[1] == '.'))
			return false;
	}
	return *path != '\0';
}

bool cache_entry_of(const char *dir, const struct build_id *id, struct strbuf *out)
{
	struct strbuf link = STRBUF_INIT, hex = STRBUF_INIT;
	char target[PATH_MAX];
	const char *last;
	ssize_t n;
	bool ok;

	buildid_path(&link, dir, id->id, id->len, "");
	n = readlink(link.buf, target, sizeof(target) - 1);
	strbuf_release(&link);
	if (n <= 0)
		return false;
	target[n] = '\0';
	buildid_hex(&hex, id->id, id->len);
	last = strrchr(target, '/');
	ok = !strncmp(target, "../../", 6) && cache_path_is_inside(target + 6) && last >= target + 6 &&
	     !strcmp(last + 1, hex.buf);
	strbuf_reset(out);
	if (ok)
		strbuf_addstr(out, target + 6);
	strbuf_release(&hex);
	return ok;
}

bool cache_has(const char *dir, const struct build_id *id)
{
	struct strbuf path = STRBUF_INIT;
	struct stat st;
	bool ok;

	buildid_path(&path, dir, id->id, id->len, "");
	ok = stat(path.buf, &st) == 0;
	strbuf_release(&path);
	return ok;
}

/* sizes and last use of the files in an entry */
static void measure(const char *path, struct cached_file *f)
{
	struct stat st;
	struct dirent *de;
	DIR *d = opendir(path);

	while (d && (de = readdir(d))) {
		if (fstatat(dirfd(d), de->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
			continue;
		f->size += st.st_size;
		f->used = MAX(f->used, (s64)MAX(st.st_atim.tv_sec, st.st_ctim.tv_sec));
	}
	if (d)
		closedir(d);
}

/* ID of .build-id/xx/yyyy, which may be damaged */
static void add_entry(const char *dir, const char *xx, const char *yyyy, struct cached_files *out)
{
	struct strbuf entry = STRBUF_INIT, path = STRBUF_INIT;
	struct cached_file f = { 0 };
	const char *slash;

	strbuf_addf(&path, "%s%s", xx, yyyy);
	if (parse_id(path.buf, &f.id) && cache_entry_of(dir, &f.id, &entry)) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%s", dir, entry.buf);
		measure(path.buf, &f);
		slash = strrchr(entry.buf, '/');
		f.path = xasprintf("%s%.*s", *entry.buf == '[' ? "" : "/", (int)(slash - entry.buf),
				   entry.buf);
		vec_push(out, f);
	}
	strbuf_release(&entry);
	strbuf_release(&path);
}

static int compare_ids(const void *pa, const void *pb)
{
	const struct cached_file *a = pa, *b = pb;
	int d = memcmp(a->id.id, b->id.id, MIN(a->id.len, b->id.len));

	return d ? d : a->id.len - b->id.len;
}

int cache_list(const char *dir, struct cached_files *out, struct err *err)
{
	char *ids = xasprintf("%s/.build-id", dir);
	struct dirent *de, *sub;
	DIR *top = opendir(ids);
	int ret = top || errno == ENOENT ? 0 : err_sys(err, errno, "cannot read the build-id cache %s", dir);

	while (top && (de = readdir(top))) {
		char *path;
		DIR *d;

		if (strlen(de->d_name) != 2 || de->d_name[0] == '.')
			continue;
		path = xasprintf("%s/%s", ids, de->d_name);
		d = opendir(path);
		while (d && (sub = readdir(d)) && out->nr < FILES_MAX)
			add_entry(dir, de->d_name, sub->d_name, out);
		if (d)
			closedir(d);
		free(path);
	}
	if (top)
		closedir(top);
	free(ids);
	if (out->nr)
		qsort(out->v, out->nr, sizeof(*out->v), compare_ids);
	return ret;
}

/* the copies of the kernel with that build-id */
static void add_kcores(const char *dir, const char *hex, struct cached_files *out)
{
	char *ids = xasprintf("%s/" CACHE_KCORES "/%s", dir, hex), *path;
	struct dirent *de;
	DIR *d = opendir(ids);

	while (d && (de = readdir(d)) && out->nr < FILES_MAX) {
		struct cached_file f = { .is_kcore = true };

		if (!strcmp(de->d_name, ".") || !strcmp(de->d_name, "..") || !parse_id(hex, &f.id))
			continue;
		path = xasprintf("%s/%s", ids, de->d_name);
		measure(path, &f);
		f.path = xasprintf(CACHE_KCORES "/%s/%s", hex, de->d_name);
		free(path);
		vec_push(out, f);
	}
	if (d)
		closedir(d);
	free(ids);
}

int cache_list_kcores(const char *dir, struct cached_files *out, struct err *err)
{
	char *top = xasprintf("%s/" CACHE_KCORES, dir);
	struct dirent *de;
	DIR *d = opendir(top);
	int ret = d || errno == ENOENT ? 0 : err_sys(err, errno, "cannot read %s", top);

	while (d && (de = readdir(d)))
		if (*de->d_name != '.')
			add_kcores(dir, de->d_name, out);
	if (d)
		closedir(d);
	free(top);
	return ret;
}
