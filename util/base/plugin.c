/* Plug-ins: where they are, whether they can be trusted, loading. */
#include "plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef PERF_PLUGIN_DIR
#define PERF_PLUGIN_DIR "/usr/local/lib/perf"
#endif
#ifndef PERF_BUILD_DIR
#define PERF_BUILD_DIR "build"
#endif

/* where to look, in order: below the directory of the binary, unless absolute */
static const char *const places[] = { "lib/perf", PERF_BUILD_DIR "/lib/perf", "../lib/perf", PERF_PLUGIN_DIR };

static bool binary_dir(char *dir, size_t size, uid_t *ret_owner)
{
	ssize_t n = readlink("/proc/self/exe", dir, size - 1);
	struct stat st;
	char *slash;

	if (n <= 0 || stat("/proc/self/exe", &st))
		return false;
	dir[n] = '\0';
	slash = strrchr(dir, '/');
	if (!slash)
		return false;
	*slash = '\0';
	*ret_owner = st.st_uid;
	return true;
}

/* ELF class, byte order and machine; a build for another machine may lie beside */
static bool same_machine(int fd)
{
	u8 own[20], head[20];
	int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	bool same = self >= 0 && pread(self, own, sizeof(own), 0) == sizeof(own) &&
		    pread(fd, head, sizeof(head), 0) == sizeof(head) && !memcmp(own, head, 6) && !memcmp(own + 18, head + 18, 2);

	if (self >= 0)
		close(self);
	return same;
}

static bool trusted(int fd, uid_t owner)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && !(st.st_mode & S_IWOTH) && (!st.st_uid || st.st_uid == owner);
}

/* a descriptor of the first that is there, its path in ret_path; -ENOENT, or -EACCES where one is there but not trusted */
static int find(const char *name, struct strbuf *ret_path, struct strbuf *looked)
{
	char dir[PATH_MAX];
	bool have_dir;
	uid_t owner = 0;

	/* a program that runs with more rights than its user has trusts only the place of the installation */
	have_dir = !getauxval(AT_SECURE) && binary_dir(dir, sizeof(dir), &owner);
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		bool absolute = *places[i] == '/';
		int fd;

		if (!absolute && !have_dir)
			continue;
		strbuf_reset(ret_path);
		strbuf_addf(ret_path, "%s%s%s/%s.so", absolute ? "" : dir, absolute ? "" : "/", places[i], name);
		fd = open(ret_path->buf, O_RDONLY | O_CLOEXEC);
		if (fd >= 0 && !same_machine(fd)) {
			close(fd);
			fd = -1;
		}
		if (fd < 0) {
			strbuf_addf(looked, "%s%s", looked->len ? ", " : "", ret_path->buf);
			continue;
		}
		if (trusted(fd, owner))
			return fd;
		close(fd);
		return -EACCES;
	}
	return -ENOENT;
}

bool plugin_find(const char *name, struct strbuf *ret_path)
{
	struct strbuf path = STRBUF_INIT, looked = STRBUF_INIT;
	int fd = find(name, &path, &looked);

	if (fd >= 0) {
		close(fd);
		if (ret_path)
			strbuf_addstr(ret_path, path.buf);
	}
	strbuf_release(&path);
	strbuf_release(&looked);
	return fd >= 0;
}

static const void *load_fd(const char *name, const char *path, int fd, size_t ops_size, struct err *err)
{
	const struct plugin *p;
	char self[64];
	void *so;

	/* the file that was looked at, whatever its name means by now */
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	so = dlopen(self, RTLD_NOW | RTLD_LOCAL);
	if (!so) {
		const char *why = dlerror();

		err_set(err, -ENOEXEC, "cannot load the plug-in %s: %.500s", path, why ? why : "unknown reason");
		return NULL;
	}
	p = dlsym(so, PLUGIN_SYMBOL_NAME);
	if (p && p->abi == PLUGIN_ABI && p->ops_size == ops_size && !strcmp(p->name, name))
		return p->ops;
	dlclose(so);
	err_set(err, -ENOEXEC, "the plug-in %s belongs to another version of perf: install both together", path);
	return NULL;
}

const void *plugin_load(const char *name, size_t ops_size, struct err *err)
{
	struct strbuf path = STRBUF_INIT, looked = STRBUF_INIT;
	int fd = find(name, &path, &looked);
	const void *ops = NULL;

	if (fd >= 0) {
		ops = load_fd(name, path.buf, fd, ops_size, err);
		close(fd);
	} else if (fd == -EACCES) {
		err_set(err, fd, "the plug-in %s is not used: it must belong to root or to the owner of the perf binary and "
			"not be writable by everybody", path.buf);
	} else {
		err_set(err, fd, "this needs the plug-in '%s', which this perf was built without or which is not installed", name);
		err_hint(err, "looked for: %s", strbuf_str(&looked));
	}
	strbuf_release(&path);
	strbuf_release(&looked);
	return ops;
}
