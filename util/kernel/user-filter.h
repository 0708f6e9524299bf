/*
 * User-filter: keeps samples of one user only: a BPF program of five instructions at each event lets those
 * samples pass that interrupted a task with that real user. So tasks that start later are seen, too. Holds
 * nothing: the events keep the program.
 */
#ifndef PERF_KERNEL_USER_FILTER_H
#define PERF_KERNEL_USER_FILTER_H

#include "../base/err.h"
#include "../event/event.h"
#include "open.h"
#include "target.h"

/*
 * Sets o->user_is_filtered if -u was given, decides the target, and the samples of all events can be
 * filtered; else a line in notes says what is recorded instead and why.
 */
void user_filter_choose(struct target_opts *o, const struct evset *set, struct strbuf *notes);
/*
 * if t is limited to a user's samples: attaches the program to every sampling event; to be called before
 * anything is enabled
 */
int user_filter_set(const struct open_fds *f, const struct evset *set, const struct target *t,
		    struct err *err);

#endif
