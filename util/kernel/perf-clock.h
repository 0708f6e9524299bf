/*
 * Perf-clock: the time that the kernel stamps on samples, now. No system call tells it: one record of our own
 * says where it begins, and the time for which an event has been enabled, how it goes on.
 */
#ifndef PERF_KERNEL_PERF_CLOCK_H
#define PERF_KERNEL_PERF_CLOCK_H

#include "../base/err.h"
#include "../event/abi.h"

struct perf_clock {
	int fd;			/* -1: samples have the time of clockid */
	s32 clockid;
	u64 base;		/* added to the time of the event */
};
#define PERF_CLOCK_NONE { .fd = -1 }

/* the clock of samples of an attribute. 0 or a negative errno with err */
int perf_clock_open(struct perf_clock *c, const struct pe_attr *of, struct err *err);
/* the same once, in ns, also without privileges: events of this task are enough */
int perf_clock_once(const struct pe_attr *of, u64 *ret_time, struct err *err);
/* ns */
u64 perf_clock_now(const struct perf_clock *c);
void perf_clock_close(struct perf_clock *c);

#endif
