/* Parts of kernel/open; for open*.c and degrade.c. */
#ifndef PERF_KERNEL_OPEN_PRIVATE_H
#define PERF_KERNEL_OPEN_PRIVATE_H

#include "open.h"

/* one run of opening */
struct opening {
	struct open_fds *fds;
	struct evset *set;
	const struct open_opts *opts;
	const struct target *target;
	struct pe_attr *saved;		/* attributes before any step, by event */
	u64 rows_done;			/* degrade rows that were taken, by index */
	bool no_cloexec;
	bool noted_clock, noted_user;	/* said once, not for each event */
};

/* a line for the user */
void open_note(const struct opening *o, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * EINVAL or E2BIG: takes away, from all events, the newest kernel feature in use that a probe shows to be missing. True where
 * something was changed and opening is worth starting over.
 */
bool degrade_features(struct opening *o);
/*
 * One event that was refused with errnum: cycles to cpu-clock, :u, less precision, a group split. True where the event was
 * changed and is worth trying again.
 */
bool degrade_event(struct opening *o, struct event *ev, int errnum);
/* the limit of open files up as far as it goes; false where it cannot go further */
bool raise_file_limit(u64 *ret_limit);

/* sizes every event's attribute as the set needs it */
void open_set_attr_sizes(struct evset *set);

/* whether the CPUs have counters that the kernel knows */
bool have_core_pmu(void);

int open_ioctl(int fd, unsigned long request, unsigned long arg);
bool open_is_scripted(void);

#endif
