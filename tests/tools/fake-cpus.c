/*
 * Fake-cpus: a machine with more CPUs than this one, by LD_PRELOAD: events of a CPU that is not there are
 * opened on one that is. The files below PERF_FS_ROOT say which CPUs there are.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

long syscall(long nr, ...)
{
	static long (*next)(long nr, ...);
	long a[6];
	va_list ap;

	va_start(ap, nr);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (!next)
		next = dlsym(RTLD_NEXT, "syscall");
	if (nr == SYS_perf_event_open && (int)a[2] >= 0)
		a[2] = (int)a[2] % (int)sysconf(_SC_NPROCESSORS_ONLN);
	return next(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}
