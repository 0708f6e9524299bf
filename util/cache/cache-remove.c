/* Cache-remove: removes entries from the build-id cache. */
#include "cache-private.h"
#include "../obj/buildid.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* removes the files of an entry; if it contains folders, they and the entry are kept */
static int empty_entry(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), ret = 0;
	struct dirent *de;
	DIR *d;

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	d = fdopendir(fd);
	while (d && (de = readdir(d)))
		if (strcmp(de->d_name, ".") && strcmp(de->d_name, "..") && unlinkat(fd, de->d_name, 0) < 0 &&
		    !ret)
			ret = -errno;
	if (d)
		closedir(d);
	else
		close(fd);
	return ret;
}

/* removes dir/path and the folders above it that have become empty, up to dir */
static void remove_empty(const char *dir, char *path)
{
	char *full = xasprintf("%s/%s", dir, path), *slash;

	while (strlen(full) > strlen(dir) && !rmdir(full)) {
		slash = strrchr(full, '/');
		*slash = '\0';
	}
	free(full);
}

int cache_remove(const char *dir, const struct build_id *id, struct err *err)
{
	struct strbuf entry = STRBUF_INIT, link = STRBUF_INIT;
	char *path;
	int ret;

	if (!cache_entry_of(dir, id, &entry)) {
		strbuf_release(&entry);
		return 1;
	}
	path = xasprintf("%s/%s", dir, entry.buf);
	buildid_path(&link, dir, id->id, id->len, "");
	ret = unlink(link.buf) < 0 ? -errno : empty_entry(path);
	if (ret)
		ret = err_sys(err, -ret, "cannot remove %s", path);
	remove_empty(dir, entry.buf);
	*strrchr(link.buf, '/') = '\0';
	remove_empty(dir, link.buf + strlen(dir) + 1);
	free(path);
	strbuf_release(&link);
	strbuf_release(&entry);
	return ret;
}

int cache_remove_dir(const char *path)
{
	int ret = empty_entry(path);

	return ret ? ret : rmdir(path) < 0 && errno != ENOENT ? -errno : 0;
}

int cache_remove_kcore(const char *dir, const char *path, struct err *err)
{
	char *full = xasprintf("%s/%s", dir, path), *rest = xstrdup(path);
	int ret = empty_entry(full);

	if (ret)
		err_sys(err, -ret, "cannot remove %s", full);
	remove_empty(dir, rest);
	free(rest);
	free(full);
	return ret;
}

static int compare_use(const void *pa, const void *pb)
{
	const struct cached_file *a = pa, *b = pb;

	return a->used != b->used ? (a->used < b->used ? -1 : 1) : strcmp(a->path, b->path);
}

int cache_collect(const char *dir, u64 max, struct err *err)
{
	struct cached_files l = { 0 };
	u64 total = 0;
	int ret = cache_list(dir, &l, err), nr = 0;

	if (!ret)
		ret = cache_list_kcores(dir, &l, err);
	vec_foreach(&l, f)
		total += f->size;
	if (l.nr)
		qsort(l.v, l.nr, sizeof(*l.v), compare_use);
	for (size_t i = 0; !ret && i < l.nr && total > max; i++) {
		ret = l.v[i].is_kcore ? cache_remove_kcore(dir, l.v[i].path, err) :
		      cache_remove(dir, &l.v[i].id, err);
		total -= l.v[i].size;
		nr++;
	}
	cached_files_release(&l);
	return ret < 0 ? ret : nr;
}
