/*
 * Loaded before libc (LD_PRELOAD): counters that say what $COUNT_DOUBLE scripts, so that two programs
 * can be compared to the byte. Rows "TYPE:CONFIG=VALUE[/ENABLED/RUNNING]" or "TYPE:CONFIG=-ERRNO", separated
 * by blanks; CONFIG in hex. On CPU n the value is (n + 1) times that. Events without a row count 0 in a
 * second. All other files and calls are the real ones.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FDS 4096

static struct counter {
	int used, leader;
	uint64_t format, val, ena, run;
} counters[FDS];

static int find_row(const struct perf_event_attr *a, struct counter *c)
{
	const char *p = getenv("COUNT_DOUBLE");

	c->ena = c->run = 1000000000;
	while (p && *p) {
		char *end;
		unsigned long type = strtoul(p, &end, 10), long_config;

		if (*end != ':')
			break;
		long_config = strtoul(end + 1, &end, 16);
		if (*end != '=')
			break;
		if (type == a->type && long_config == a->config) {
			if (end[1] == '-')
				return -atoi(end + 2);
			c->val = strtoull(end + 1, &end, 10);
			if (*end == '/')
				c->ena = strtoull(end + 1, &end, 10);
			if (*end == '/')
				c->run = strtoull(end + 1, &end, 10);
			return 0;
		}
		p = strchr(end, ' ');
		p = p ? p + 1 : NULL;
	}
	return 0;
}

static long event_open(const struct perf_event_attr *a, int cpu, int group)
{
	struct counter c = { .used = 1, .leader = group, .format = a->read_format };
	int ret = find_row(a, &c), fd;

	if (ret) {
		errno = -ret;
		return -1;
	}
	if (cpu > 0) {
		c.val *= cpu + 1;
	}
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && fd < FDS)
		counters[fd] = c;
	return fd;
}

long syscall(long nr, ...)
{
	static long (*real)(long nr, ...);
	long a[6];
	va_list ap;

	va_start(ap, nr);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (nr == SYS_perf_event_open)
		return event_open((const struct perf_event_attr *)a[0], a[2], a[3]);
	if (!real)
		real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	return real(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static uint64_t *put(uint64_t *p, const struct counter *c, int fd)
{
	*p++ = c->val;
	if (c->format & PERF_FORMAT_ID)
		*p++ = fd + 1000;
	if (c->format & (1 << 4))	/* lost */
		*p++ = 0;
	return p;
}

ssize_t read(int fd, void *buf, size_t size)
{
	static ssize_t (*real)(int fd, void *buf, size_t size);
	uint64_t words[3 * FDS + 3], *p = words;
	const struct counter *c = fd >= 0 && fd < FDS ? &counters[fd] : NULL;
	int group = c && c->format & PERF_FORMAT_GROUP;

	if (!c || !c->used) {
		if (!real)
			real = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
		return real(fd, buf, size);
	}
	*p++ = 1;
	if (!group)
		words[0] = c->val;
	if (c->format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		*p++ = c->ena;
	if (c->format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		*p++ = c->run;
	if (group) {
		p = put(p, c, fd);
		for (int i = 0; i < FDS; i++)
			if (counters[i].used && counters[i].leader == fd) {
				p = put(p, &counters[i], i);
				words[0]++;
			}
	} else if (c->format & PERF_FORMAT_ID) {
		*p++ = fd + 1000;
	}
	size = size < (size_t)((char *)p - (char *)words) ? size : (size_t)((char *)p - (char *)words);
	memcpy(buf, words, size);
	return size;
}

int close(int fd)
{
	static int (*real)(int fd);

	if (!real)
		real = (int (*)(int))dlsym(RTLD_NEXT, "close");
	if (fd >= 0 && fd < FDS)
		counters[fd].used = 0;
	return real(fd);
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*real)(int fd, unsigned long request, ...);
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (fd >= 0 && fd < FDS && counters[fd].used) {
		if (request == PERF_EVENT_IOC_ID)
			*(uint64_t *)arg = fd + 1000;
		return 0;
	}
	if (!real)
		real = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
	return real(fd, request, arg);
}
