/* Plug-ins: where they are, whether they can be trusted, loading. */
#include "plugin.h"
#include "self.h"
#include "trust.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef PERF_PLUGIN_DIR
#define PERF_PLUGIN_DIR "/usr/local/lib/perf"
#endif
#ifndef PERF_NAME
#define PERF_NAME "perf"
#endif
#ifndef PERF_BUILD_DIR
#define PERF_BUILD_DIR "build"
#endif

/* where to look, in this order; relative paths are relative to the directory of the binary */
static const char *const places[] = { "lib/perf", (PERF_BUILD_DIR "/lib/perf"), ("../lib/" PERF_NAME),
				      PERF_PLUGIN_DIR };

static bool binary_dir(char *dir, size_t size, uid_t *ret_owner)
{
	const char *self = self_path();
	struct stat st;

	if (!self || stat(self_file(), &st))
		return false;
	snprintf(dir, size, "%.*s", (int)(strrchr(self, '/') - self), self);
	*ret_owner = st.st_uid;
	return true;
}

static bool head_of(const char *path, u8 *head, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && pread(fd, head, size, 0) == (ssize_t)size;

	if (fd >= 0)
		close(fd);
	return ok;
}

/*
 * compares ELF class, byte order and machine, because a build for another machine may be in the same
 * directory
 */
static bool same_machine(const char *path)
{
	u8 own[20], head[20];

	return self_file() && head_of(self_file(), own, sizeof(own)) && head_of(path, head, sizeof(head)) &&
	       !memcmp(own, head, 6) && !memcmp(own + 18, head + 18, 2);
}

/* the path of the first file that exists; -ENOENT, or -EACCES if one exists but is not trusted */
static int find(const char *name, struct strbuf *ret_path, struct strbuf *looked)
{
	char dir[PATH_MAX];
	bool secure = getauxval(AT_SECURE);
	uid_t owner = 0;
	bool have_dir = binary_dir(dir, sizeof(dir), &owner);

	if (secure)
		owner = 0;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		bool absolute = *places[i] == '/';

		if (!absolute && !have_dir)
			continue;
		strbuf_reset(ret_path);
		strbuf_addf(ret_path, "%s%s%s/%s.so", absolute ? "" : dir, absolute ? "" : "/", places[i],
			    name);
		if (!access(ret_path->buf, R_OK) && same_machine(ret_path->buf))
			return (absolute || !secure ? trusted_file(ret_path->buf, owner) :
				trusted_by_all(ret_path)) ? 0 : -EACCES;
		strbuf_addf(looked, "%s%s", looked->len ? ", " : "", ret_path->buf);
	}
	return -ENOENT;
}

bool plugin_find(const char *name, struct strbuf *ret_path)
{
	struct strbuf path = STRBUF_INIT, looked = STRBUF_INIT;
	bool there = !find(name, &path, &looked);

	if (there && ret_path)
		strbuf_addstr(ret_path, path.buf);
	strbuf_release(&path);
	strbuf_release(&looked);
	return there;
}

static void *load(const char *path, struct err *err)
{
	void *so = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!so) {
		const char *why = dlerror();

		err_set(err, -ENOEXEC, "cannot load the plug-in %s: %.500s", path,
			why ? why : "unknown reason");
	}
	return so;
}

void *plugin_open(const char *name, struct err *err)
{
	struct strbuf path = STRBUF_INIT, looked = STRBUF_INIT;
	int ret = find(name, &path, &looked);
	void *so = NULL;

	if (!ret) {
		so = load(path.buf, err);
	} else if (ret == -EACCES) {
		err_set(err, ret, getauxval(AT_SECURE) ?
			"the plug-in %s is not used: a perf with capabilities loads plug-ins only from "
			"places that only root can write to ('make install' as root)" :
			"the plug-in %s is not used: it and its directory must belong to root or to the "
			"owner of the perf binary and not be writable by everybody", path.buf);
	} else {
		err_set(err, ret, "this needs the plug-in '%s', but it is not installed, "
			"or this perf was built without it", name);
		err_hint(err, "looked for: %s", strbuf_str(&looked));
		err_hint(err, "a perf that is copied needs its folder lib/perf beside it");
	}
	strbuf_release(&path);
	strbuf_release(&looked);
	return so;
}

const void *plugin_load(const char *name, size_t ops_size, struct err *err)
{
	void *so = plugin_open(name, err);
	const struct plugin *p = so ? dlsym(so, PLUGIN_SYMBOL_NAME) : NULL;

	if (!so)
		return NULL;
	if (p && p->abi == PLUGIN_ABI && p->ops_size == ops_size && !strcmp(p->name, name))
		return p->ops;
	dlclose(so);
	err_set(err, -ENOEXEC, "the plug-in '%s' belongs to another version of perf: install both together",
		name);
	return NULL;
}
