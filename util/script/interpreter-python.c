/* Interpreter: which libpython is used. See interpreter.h. */
#include "interpreter.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/alloc.h"
#include "../base/fs.h"
#include "../base/log.h"

#define OLDEST 8
#define NEWEST 40

/* ---- a library ---- */

/* of "3.11.2 (main, ...) [GCC ...]": 0, or -ENOEXEC with err: the plug-in cannot use it */
static int check_version(const char *path, const char *version, struct err *err)
{
	int minor = 0, major = 0, len = (int)strcspn(version, " ");

	sscanf(version, "%d.%d", &major, &minor);
	if (major != 3 || minor < OLDEST)
		return err_set(err, -ENOEXEC, "%s is Python %.*s: scripts need 3.%d or newer", path, len,
			       version, OLDEST);
	if (strstr(version, "free-threading"))
		return err_set(err, -ENOEXEC, "%s is Python %.*s without a global lock (free-threading): "
			       "scripts need the usual build", path, len, version);
	return 0;
}

/* a path, or a name for the dynamic linker; 0, -ENOENT with err, or -ENOEXEC with err: it is not usable */
static int load(const char *name, struct interpreter *ret, struct err *err)
{
	void *so = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
	const char *(*version)(void);
	struct link_map *map;

	if (!so)
		return err_set(err, -ENOENT, "cannot load %s: %.300s", name, dlerror());
	*(void **)&version = dlsym(so, "Py_GetVersion");
	if (!version || dlinfo(so, RTLD_DI_LINKMAP, &map)) {
		dlclose(so);
		return err_set(err, -ENOEXEC, "%s is not a library of Python", name);
	}
	if (check_version(map->l_name, version(), err)) {
		dlclose(so);
		return err->code;
	}
	if (!dlopen(name, RTLD_NOW | RTLD_GLOBAL))
		return err_set(err, -ENOENT, "cannot load %s: %.300s", name, dlerror());
	ret->library = xstrdup(map->l_name);
	ret->version = xasprintf("%.*s", (int)strcspn(version(), " "), version());
	log_v("scripts in Python: %s (%s)", ret->library, ret->version);
	return 0;
}

/* ---- the library of a program ---- */

static bool is_elf(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	char head[4];
	bool ok = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && read(fd, head, 4) == 4 &&
		  !memcmp(head, "\177ELF", 4);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* beside the program: PREFIX/bin/python3.11, PREFIX/lib/libpython3.11.so.1.0 */
static int load_beside(const char *prefix, int minor, struct interpreter *ret, struct err *err)
{
	static const char *const dirs[] = { "lib", "lib64" };
	int found = -ENOENT;

	for (size_t i = 0; found == -ENOENT && i < ARRAY_SIZE(dirs); i++) {
		char *path = xasprintf("%s/%s/libpython3.%d.so.1.0", prefix, dirs[i], minor);

		if (!access(path, F_OK))
			found = load(path, ret, err);
		free(path);
	}
	return found;
}

static int load_known(int minor, struct interpreter *ret, struct err *err)
{
	char name[64];

	snprintf(name, sizeof(name), "libpython3.%d.so.1.0", minor);
	return load(name, ret, err);
}

/* the version that a name has: python3.11; 0: none */
static int minor_of(const char *real)
{
	const char *base = strrchr(real, '/') + 1;
	int minor, end = 0;

	return sscanf(base, "python3.%d%n", &minor, &end) == 1 && !base[end] ? minor : 0;
}

/*
 * 0; -ENOENT without err: not a program in machine code, or its library is missing (then *ret_minor is its
 * version, if known); -ENOEXEC with err
 */
static int load_of_program(const char *program, struct interpreter *ret, int *ret_minor, struct err *err)
{
	struct err ignored = ERR_INIT;
	char real[PATH_MAX], *slash;
	int found = -ENOENT, minor;

	*ret_minor = 0;
	if (!realpath(program, real) || !is_elf(real))
		return -ENOENT;
	*ret_minor = minor = minor_of(real);
	for (int up = 0; up < 2; up++) {
		/* a program in the root folder has only one */
		slash = strrchr(real, '/');
		if (slash)
			*slash = '\0';
	}
	if (minor)
		found = load_beside(real, minor, ret, &ignored);
	for (int i = NEWEST; !minor && found == -ENOENT && i >= OLDEST; i--)
		found = load_beside(real, i, ret, &ignored);
	if (found == -ENOENT && minor)
		found = load_known(minor, ret, &ignored);
	if (found == -ENOEXEC)
		err_copy(err, &ignored);
	if (!found)
		ret->program = xstrdup(program);
	return found;
}

/* ---- which one ---- */

static int say_missing(const char *program, int minor, struct err *err)
{
	if (*program && minor >= OLDEST) {
		err_set(err, -ENOENT, "scripts in Python need the shared library of %s, "
			"libpython3.%d.so.1.0, which is not installed", program, minor);
		err_hint(err, "install libpython3.%d (Debian's name), or let PERF_PYTHON name another "
			 "python3", minor);
	} else {
		err_set(err, -ENOENT, "scripts in Python need Python 3.%d or newer with its shared library, "
			"which was not found", OLDEST);
		err_hint(err, "install libpython3-dev (Debian's name), or let PERF_PYTHON name a python3 or "
			 "its library");
	}
	return -ENOENT;
}

static int load_chosen(const char *name, struct interpreter *ret, struct err *err)
{
	struct strbuf program = STRBUF_INIT;
	int found = -ENOENT, minor;

	if (strstr(name, ".so")) {
		found = load(name, ret, err);
	} else if (strchr(name, '/') || program_find(name, &program)) {
		found = load_of_program(program.len ? strbuf_str(&program) : name, ret, &minor, err);
		if (found == -ENOENT && minor)
			say_missing(name, minor, err);
		else if (found == -ENOENT)
			err_set(err, found, "'%s' is not a program of Python in machine code with its "
				"library beside it", name);
	} else {
		err_set(err, found, "'%s' is not a program in PATH", name);
	}
	strbuf_release(&program);
	if (found) {
		err_prefix(err, "PERF_PYTHON: ");
		err_hint(err, "it names a python3 from 3.%d on, or its library, libpython3.N.so.1.0", OLDEST);
	}
	return found;
}

/* of each python3 in PATH; scripts that call one, as version managers have them, are passed over */
static int load_of_path(struct interpreter *ret, struct strbuf *without, int *ret_minor)
{
	const char *at = getenv("PATH");
	int found = -ENOENT;

	while (at && *at && found) {
		size_t len = strcspn(at, ":");
		char *program = xasprintf("%.*s/python3", (int)len, at);
		int minor;

		if (*at == '/' && !access(program, X_OK)) {
			found = load_of_program(program, ret, &minor, &(struct err)ERR_INIT);
			if (found && minor && !without->len) {
				strbuf_addstr(without, program);
				*ret_minor = minor;
			}
		}
		free(program);
		at += len + (at[len] == ':');
	}
	return found;
}

int interpreter_load_python(struct interpreter *ret, struct err *err)
{
	bool secure = getauxval(AT_SECURE);
	const char *chosen = secure ? NULL : getenv("PERF_PYTHON");
	struct strbuf without = STRBUF_INIT;
	int found, minor = 0;

	*ret = (struct interpreter){ 0 };
	if (chosen && *chosen)
		return load_chosen(chosen, ret, err);
	found = secure ? -ENOENT : load_of_path(ret, &without, &minor);
	for (int i = NEWEST; found && i >= OLDEST; i--)
		found = load_known(i, ret, &(struct err)ERR_INIT);
	if (found)
		found = say_missing(strbuf_str(&without), minor, err);
	strbuf_release(&without);
	return found;
}

void interpreter_release(struct interpreter *i)
{
	free(i->library);
	free(i->version);
	free(i->program);
	*i = (struct interpreter){ 0 };
}
