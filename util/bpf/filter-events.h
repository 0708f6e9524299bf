/*
 * Filter-events: which samples are kept: a BPF program at each event lets those pass that --filter describes,
 * and with -u those that interrupted a task with that real user, so that tasks that start later are seen,
 * too. Holds nothing: the events keep the program.
 */
#ifndef PERF_BPF_FILTER_EVENTS_H
#define PERF_BPF_FILTER_EVENTS_H

#include "../base/err.h"
#include "../event/event.h"
#include "../kernel/open.h"
#include "../kernel/target.h"

/* a program at a tracepoint or probe filters for all of its users, not only for one recording */
bool filter_is_shared(const struct event *ev);
/*
 * Sets o->user_is_filtered if -u was given, decides the target, and the samples of all events can be
 * filtered; else a line in notes says what is recorded instead and why.
 */
void filter_choose_user(struct target_opts *o, const struct evset *set, struct strbuf *notes);
/*
 * attaches a program to every sampling event that has a filter, or to all if t is limited to a user's
 * samples; to be called before anything is enabled
 */
int filter_events(const struct open_fds *f, const struct evset *set, const struct target *t,
		  struct err *err);

#endif
