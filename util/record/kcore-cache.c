/* Kcore-cache: copies of the kernel's code in the build-id cache. */
#include "kcore.h"
#include "../base/alloc.h"
#include "../base/fs.h"
#include "../base/kallsyms-lines.h"
#include "../base/module-lines.h"
#include "../base/strbuf.h"
#include "../cache/build-cache.h"
#include "../host/build-id.h"
#include "../obj/buildid.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* the kernel whose /proc that is */
static int find_id(const char *from, struct build_id *ret, struct err *err)
{
	char *path = xasprintf("%s/../sys/kernel/notes", from);
	struct strbuf notes = STRBUF_INIT;
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret_code = fd < 0 ? -errno : fd_read_all(fd, &notes);

	if (fd >= 0)
		close(fd);
	if (ret_code < 0)
		ret_code = err_sys(err, -ret_code, "cannot read the build-id of the kernel in %s", path);
	else
		ret_code = build_id_from_notes(strbuf_str(&notes), notes.len, ret) ? 0 :
			   err_set(err, -ENOENT, "%s has no build-id", path);
	strbuf_release(&notes);
	free(path);
	return ret_code;
}

static bool add_text_start(void *out, const struct kallsyms_entry *e)
{
	if (e->module_len || strcmp(e->name, "_stext"))
		return true;
	strbuf_addf(out, "_stext %llx\n", (unsigned long long)e->addr);
	return false;
}

/* other columns change all the time */
static void add_module(void *out, const struct loaded_module *m)
{
	strbuf_addf(out, "%s %llx\n", m->name, (unsigned long long)m->addr);
}

/* what two copies of one kernel have in common if their addresses are the same */
static int describe(const char *dir, struct strbuf *out, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = kcore_read_list(dir, "kallsyms", &text, err);

	if (!ret && text.len)
		kallsyms_lines_in(text.buf, text.len, add_text_start, out);
	strbuf_reset(&text);
	if (!ret)
		ret = kcore_read_list(dir, "modules", &text, err);
	if (!ret && text.len)
		module_lines_in(text.buf, add_module, out);
	strbuf_release(&text);
	return ret;
}

/* the copy in dir, which holds those of one kernel, with the same description; or NULL */
static char *find_same(const char *dir, const struct strbuf *want)
{
	struct strbuf have = STRBUF_INIT;
	struct err ignored = ERR_INIT;
	struct dirent *de;
	char *ret = NULL;
	DIR *d = opendir(dir);

	while (d && !ret && (de = readdir(d))) {
		if (*de->d_name == '.')
			continue;
		ret = xasprintf("%s/%s", dir, de->d_name);
		strbuf_reset(&have);
		if (describe(ret, &have, &ignored) || have.len != want->len ||
		    memcmp(strbuf_str(&have), want->buf, have.len)) {
			free(ret);
			ret = NULL;
		}
		err_clear(&ignored);
	}
	if (d)
		closedir(d);
	strbuf_release(&have);
	return ret;
}

/* "2026112509042563": local time, with hundredths of a second */
static void time_name(char *out, size_t size)
{
	struct timespec now;
	struct tm tm;
	size_t n;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	n = strftime(out, size, "%Y%m%d%H%M%S", &tm);
	snprintf(out + n, size - n, "%02ld", now.tv_nsec / 10000000);
}

static int make_copy(const char *from, const char *dir, char **ret_dir, struct err *err)
{
	char name[64], *tmp = xasprintf("%s/.tmp-%d", dir, getpid());
	int ret;

	time_name(name, sizeof(name));
	*ret_dir = xasprintf("%s/%s", dir, name);
	ret = cache_make_dir(dir);
	ret = ret ? err_sys(err, -ret, "cannot create the directory %s", dir) :
	      kcore_copy_from(from, tmp, err);
	if (!ret && rename(tmp, *ret_dir) < 0)
		ret = err_sys(err, errno, "cannot create %s", *ret_dir);
	if (ret)
		cache_remove_dir(tmp);
	free(tmp);
	return ret;
}

int kcore_cache_add(const char *cache, const char *file, char **ret_dir, struct err *err)
{
	const char *slash = strrchr(file, '/');
	char *from = slash ? xstrndup(file, slash - file) : xstrdup("."), *dir;
	struct strbuf want = STRBUF_INIT, hex = STRBUF_INIT;
	struct build_id id;
	int ret = 0;

	*ret_dir = NULL;
	if (strcmp(slash ? slash + 1 : file, "kcore"))
		ret = err_set(err, -EINVAL, "--kcore: '%s' is not named kcore, such as /proc/kcore", file);
	if (!ret)
		ret = find_id(from, &id, err);
	if (!ret)
		ret = describe(from, &want, err);
	if (!ret) {
		buildid_hex(&hex, id.id, id.len);
		dir = xasprintf("%s/" CACHE_KCORES "/%s", cache, hex.buf);
		*ret_dir = want.len ? find_same(dir, &want) : NULL;
		ret = *ret_dir ? 1 : make_copy(from, dir, ret_dir, err);
		free(dir);
	}
	strbuf_release(&want);
	strbuf_release(&hex);
	free(from);
	return ret;
}
