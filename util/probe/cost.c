/* Cost: see cost.h. */
#include "cost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "../base/map-lines.h"
#include "../base/strbuf.h"
#include "../base/units.h"
#include "../kernel/open.h"
#include "../kernel/probe-events.h"
#include "../kernel/ring.h"
#include "../kernel/tracefs.h"

#define CALLS 2000
#define RING_PAGES 8

static const char *const event_names[] = { "enter", "leave" };

__attribute__((noinline)) static void probed_function(void)
{
	__asm__ volatile("");
}

static bool add_place(void *ctx, const struct proc_map *m)
{
	u64 addr = (uintptr_t)probed_function;
	struct strbuf *out = ctx;

	if (addr < m->start || addr >= m->end || !*m->path)
		return true;
	strbuf_addf(out, "%s:%#llx", m->path, (unsigned long long)(addr - m->start + m->off));
	return false;
}

/* "PATH:0xOFFSET" of the function above; false: the kernel cannot take this path */
static bool own_place(struct strbuf *out)
{
	map_lines_each(0, add_place, out);
	return out->len && !strpbrk(out->buf, " \t#");
}

/* the function of the kernel for the system call getppid, by architecture */
static const char *const kernel_places[] = {
	"__x64_sys_getppid", "__arm64_sys_getppid", "__s390x_sys_getppid", "__riscv_sys_getppid",
	"__se_sys_getppid", "sys_getppid",
};

static bool add_probe(const char *group, u32 kind, const char *place, bool is_kernel)
{
	char *definition = xasprintf("%c:%s/%s %s", kind ? 'r' : 'p', group, event_names[kind], place);
	struct err err = ERR_INIT;
	bool ok = !probe_event_add(definition, !is_kernel, &err);

	free(definition);
	return ok;
}

static bool add_one(const char *group, u32 kind, bool is_kernel)
{
	struct strbuf place = STRBUF_INIT;
	bool ok = false;

	for (size_t i = 0; is_kernel && !ok && i < ARRAY_SIZE(kernel_places); i++)
		ok = add_probe(group, kind, kernel_places[i], true);
	if (!is_kernel && own_place(&place))
		ok = add_probe(group, kind, place.buf, false);
	strbuf_release(&place);
	return ok;
}

/* opens the event for this thread, with a ring that is written over: as a recording would */
static int open_one(const char *group, u32 kind, struct ring *ring)
{
	struct pe_attr attr = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .sample_period = 1,
				.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
					       PERF_SAMPLE_RAW };
	int fd;

	if (tracefs_event_id(group, event_names[kind], &attr.config, NULL))
		return -1;
	fd = open_raw(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0 && ring_map(ring, fd, RING_PAGES, true)) {
		close(fd);
		return -1;
	}
	return fd;
}

static u64 time_calls(bool is_kernel)
{
	u64 start = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	for (int i = 0; i < CALLS; i++)
		if (is_kernel)
			syscall(SYS_getppid);
		else
			probed_function();
	return clock_ns(CLOCK_THREAD_CPUTIME_ID) - start;
}

u64 probe_cost_measure(u32 kinds, bool is_kernel)
{
	struct ring ring[2] = { 0 };
	int fd[2] = { -1, -1 };
	bool added[2] = { false };
	u64 without, with = 0;
	char group[32];
	bool ok = true;

	snprintf(group, sizeof(group), PROBE_COST_GROUP "%d", (int)getpid());
	without = time_calls(is_kernel);
	for (u32 k = 0; k < 2; k++) {
		if (!(kinds & 1u << k) || !ok)
			continue;
		ok = added[k] = add_one(group, k, is_kernel);
		if (ok)
			ok = (fd[k] = open_one(group, k, &ring[k])) >= 0;
	}
	if (ok)
		with = time_calls(is_kernel);
	for (u32 k = 0; k < 2; k++) {
		struct err err = ERR_INIT;

		if (fd[k] >= 0) {
			ring_unmap(&ring[k]);
			close(fd[k]);
		}
		if (added[k])
			probe_event_delete(group, event_names[k], !is_kernel, &err);
	}
	return with > without ? (with - without) / CALLS : 0;
}
