/* PMU state: tries which counters there are. */
#include "pmu-state.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include "count-read.h"
#include "../kernel/open.h"
#include "../../arch/arch.h"
#include "../base/fs.h"

#define WORK 20000	/* additions: about 10000 cycles */

static int open_own(u64 config)
{
	struct pe_attr a = {
		.type = PERF_TYPE_HARDWARE, .config = config, .size = PE_ATTR_SIZE_MIN,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.flags = ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV,
	};

	return open_raw(&a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool is_missing(int fd)
{
	return fd == -ENOENT || fd == -EOPNOTSUPP || fd == -ENXIO || fd == -ENODEV || fd == -EINVAL;
}

/* whether a counter of cycles advances while it runs; -1: it never ran */
static int moves(int fd)
{
	u64 v[3] = { 0 };

	/* work that no compiler can remove */
	for (u64 i = 0; i < WORK; i++)
		__asm__ volatile("" : : "r" (i));
	if (count_read_raw(fd, v, sizeof(v)) != sizeof(v) || !v[2])
		return -1;
	return v[0] != 0;
}

enum pmu_state pmu_state_find(void)
{
	int fd = open_own(PERF_COUNT_HW_CPU_CYCLES), moved;

	if (fd < 0)
		return is_missing(fd) ? PMU_STATE_NONE : PMU_STATE_UNKNOWN;
	moved = moves(fd);
	close_raw(fd);
	if (moved <= 0)
		return moved ? PMU_STATE_UNKNOWN : PMU_STATE_STANDS;
	return PMU_STATE_COUNTS;
}

bool event_is_core(const struct event *ev)
{
	char path[256];

	if (ev->attr.type == PERF_TYPE_HARDWARE || ev->attr.type == PERF_TYPE_HW_CACHE ||
	    ev->attr.type == PERF_TYPE_RAW)
		return true;
	if (!ev->pmu || ev->attr.type <= PERF_TYPE_BREAKPOINT || event_is_tool(ev))
		return false;
	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/cpus", ev->pmu);
	return !strcmp(ev->pmu, "cpu") || fs_exists(path);
}

u32 pmu_nr_counters(void)
{
	const struct arch *a = arch_native();

	return a && a->nr_counters ? a->nr_counters() : 0;
}

bool pmu_watchdog_on(void)
{
	s64 on = 0;

	return !fs_read_s64("/proc/sys/kernel/nmi_watchdog", &on) && on;
}
