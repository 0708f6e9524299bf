/*
 * Fake-trace-pmu: a trace PMU for recorders, by LD_PRELOAD: an event of type FAKE_TRACE_TYPE (a number) is
 * opened as the kernel's dummy event, whose ring is real; the AUX area that is mapped beside it has the bytes
 * of the file FAKE_TRACE at its start, as if the PMU had written them. With FAKE_TRACE_STEP=N it has N bytes
 * more each time when the event is disabled, which snapshots do, and goes round. With FAKE_TRACE_GAPS=N the
 * ring is not the kernel's, but has N AUX records with the flags of gaps, and more was written than the area
 * can hold; with 0 it has one AUX record for the bytes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define AREAS 256

static struct area {
	int fd;
	struct perf_event_mmap_page *page;
	unsigned char *data;
	size_t size;
	unsigned long head, id;
	int pid, cpu;
} areas[AREAS];
static int nr_areas;
static unsigned char trace[1 << 22];
static size_t trace_size;

static long number(const char *name)
{
	const char *s = getenv(name);

	return s ? atol(s) : 0;
}

static struct area *area_of(int fd)
{
	for (int i = 0; i < nr_areas; i++)
		if (areas[i].fd == fd)
			return &areas[i];
	return NULL;
}

static void append(struct area *a, size_t len)
{
	for (size_t i = 0; i < len && trace_size; i++, a->head++)
		a->data[a->head % a->size] = trace[a->head % trace_size];
	/* in snapshots the drivers of x86 say where in the area they are */
	__atomic_store_n(&a->page->aux_head, number("FAKE_TRACE_STEP") ? a->head % a->size : a->head,
			 __ATOMIC_RELEASE);
}

static void load_trace(void)
{
	FILE *f = getenv("FAKE_TRACE") && !trace_size ? fopen(getenv("FAKE_TRACE"), "r") : NULL;

	if (f) {
		trace_size = fread(trace, 1, sizeof(trace), f);
		fclose(f);
	}
}

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
	if (nr == SYS_perf_event_open && a[0]) {
		struct perf_event_attr attr = { 0 };
		unsigned int size = ((struct perf_event_attr *)a[0])->size;

		memcpy(&attr, (void *)a[0], size < sizeof(attr) ? size : sizeof(attr));
		if (attr.type == number("FAKE_TRACE_TYPE")) {
			int fd;

			attr.type = PERF_TYPE_SOFTWARE;
			attr.config = PERF_COUNT_SW_DUMMY;
			attr.config1 = attr.config2 = 0;
			attr.aux_watermark = 0;
			attr.exclude_kernel = 1;
			a[0] = (long)&attr;
			fd = next(nr, a[0], a[1], a[2], a[3], a[4]);
			if (fd >= 0 && nr_areas < AREAS)
				areas[nr_areas++] = (struct area){ .fd = fd, .pid = a[1], .cpu = a[2] };
			return fd;
		}
		/* what needs a trace beside it */
		attr.aux_sample_size = 0;
		attr.aux_output = 0;
		attr.sample_type &= ~PERF_SAMPLE_AUX;
		a[0] = (long)&attr;
		return next(nr, a[0], a[1], a[2], a[3], a[4]);
	}
	return next(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* appends an AUX record with the fields of IP|TID|TIME|CPU|IDENTIFIER after it */
static void put_aux(struct area *a, unsigned long size, unsigned long flags)
{
	struct {
		struct perf_event_header h;
		unsigned long offset, size, flags;
		int pid, tid;
		unsigned long time, cpu, id;
	} rec = { { PERF_RECORD_AUX, 0, sizeof(rec) }, 0, size, flags, a->pid, a->pid, 1000, a->cpu, a->id };

	memcpy((char *)a->page + sysconf(_SC_PAGESIZE) + a->page->data_head, &rec, sizeof(rec));
	a->page->data_head += sizeof(rec);
}

/* counter values become times; beside the kernel's records they are later than all of these */
static void set_clock(struct perf_event_mmap_page *page, unsigned long zero)
{
	page->time_shift = 10;
	page->time_mult = 512;
	page->time_zero = zero;
	page->cap_user_time_zero = 1;
}

/* what the records of a ring that is not the kernel's say */
static void fill_ring(struct area *a)
{
	long nr = number("FAKE_TRACE_GAPS");

	if (!nr)
		put_aux(a, trace_size < a->size ? trace_size : a->size, 0);
	/* truncated, partial, collision, all of them: one record after the other */
	for (long i = 0; i < nr; i++)
		put_aux(a, 100, i % 4 == 3 ? 1 | 4 | 8 : i % 4 == 2 ? 8 : i % 4 == 1 ? 4 : 1);
}

static int own_ring(void)
{
	return getenv("FAKE_TRACE_GAPS") && *getenv("FAKE_TRACE_GAPS");
}

void *mmap(void *at, size_t len, int prot, int flags, int fd, off_t off)
{
	static void *(*next)(void *at, size_t len, int prot, int flags, int fd, off_t off);
	struct area *a = fd >= 0 ? area_of(fd) : NULL;
	void *p;

	if (!next)
		next = dlsym(RTLD_NEXT, "mmap");
	if (!a || !off) {
		p = a && own_ring() ? next(NULL, len, prot, MAP_SHARED | MAP_ANONYMOUS, -1, 0) :
				      next(at, len, prot, flags, fd, off);
		if (a && p != MAP_FAILED)
			a->page = p;
		return p;
	}
	load_trace();
	p = next(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return p;
	a->data = p;
	a->size = len;
	set_clock(a->page, own_ring() ? 5000 : 1ul << 50);
	if (own_ring())
		fill_ring(a);
	if (!number("FAKE_TRACE_STEP"))
		append(a, number("FAKE_TRACE_GAPS") > 0 ? len + 1000 : trace_size < len ? trace_size : len);
	return p;
}

void *mmap64(void *at, size_t len, int prot, int flags, int fd, off_t off)
{
	return mmap(at, len, prot, flags, fd, off);
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*next)(int fd, unsigned long request, ...);
	struct area *a = area_of(fd);
	va_list ap;
	long arg;
	int ret;

	va_start(ap, request);
	arg = va_arg(ap, long);
	va_end(ap);
	if (!next)
		next = dlsym(RTLD_NEXT, "ioctl");
	if (request == PERF_EVENT_IOC_DISABLE && a && a->data)
		append(a, number("FAKE_TRACE_STEP"));
	if ((request == PERF_EVENT_IOC_SET_FILTER && a) ||
	    (request == PERF_EVENT_IOC_SET_OUTPUT && own_ring()))
		return 0;
	ret = next(fd, request, arg);
	if (request == PERF_EVENT_IOC_ID && a && !ret)
		a->id = *(unsigned long *)arg;
	return ret;
}
