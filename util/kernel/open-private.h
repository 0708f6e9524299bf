/* Parts of kernel/open, for open*.c and degrade.c. */
#ifndef PERF_KERNEL_OPEN_PRIVATE_H
#define PERF_KERNEL_OPEN_PRIVATE_H

#include "open.h"

/* one call of open_events() */
struct opening {
	struct open_fds *fds;
	struct evset *set;
	const struct open_opts *opts;
	const struct target *target;
	struct pe_attr *saved;		/* attributes before any step, by event */
	u64 rows_done;			/* degrade rows that were applied, by index */
	bool no_cloexec;
	bool noted_clock, noted_user;	/* noted once, not for each event */
};

/* adds a line for the user */
void open_note(const struct opening *o, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * EINVAL or E2BIG: removes from all events the newest kernel feature in use that a probe shows to be missing.
 * True if something was changed, so opening should start again.
 */
bool degrade_features(struct opening *o);
/*
 * One event that was refused with errnum: cycles becomes cpu-clock, :u, less precision, a group is split.
 * True if the event was changed and should be tried again.
 */
bool degrade_event(struct opening *o, struct event *ev, int errnum);
/* raises the limit of open files as far as possible; false if it cannot be raised further */
bool raise_file_limit(u64 *ret_limit);

/* sets the size of every event's attribute to what the set needs */
void open_set_attr_sizes(struct evset *set);

/* true if the CPUs have counters that the kernel knows */
bool have_core_pmu(void);

int open_ioctl(int fd, unsigned long request, unsigned long arg);
bool open_is_scripted(void);

#endif
