/* Self: see self.h. */
#include "self.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

static char path[PATH_MAX];
static const char *file;
static bool is_set;

static void find(void)
{
	/* the kernel has loaded no dynamic linker: it was started as a program, and has loaded this one */
	bool by_linker = !getauxval(AT_BASE);
	const char *started = (const char *)getauxval(AT_EXECFN);
	ssize_t n = is_set || by_linker ? -1 : readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n > 0) {
		path[n] = '\0';
		file = "/proc/self/exe";
		return;
	}
	if (is_set)
		return;
	/* who starts a program with more rights than their own chooses that path */
	if (getauxval(AT_SECURE) || !started || !realpath(started, path))
		path[0] = '\0';
	else
		file = path;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

void self_set(const char *p)
{
	is_set = true;
	snprintf(path, sizeof(path), "%s", p);
	file = path;
}

const char *self_path(void)
{
	pthread_once(&once, find);
	return path[0] ? path : NULL;
}

const char *self_file(void)
{
	pthread_once(&once, find);
	return file;
}
