/*
 * Filter-events: which samples are kept: a BPF program at each event lets those pass that --filter describes,
 * and with -u those that interrupted a task with that real user, so that tasks that start later are seen,
 * too. The events keep the program; the counts of samples are in a map, which its caller owns.
 */
#ifndef PERF_BPF_FILTER_EVENTS_H
#define PERF_BPF_FILTER_EVENTS_H

#include "../base/err.h"
#include "../event/event.h"
#include "../kernel/open.h"
#include "../kernel/target.h"
#include "map.h"

/* the number of samples that a --filter kept and left out, by event, on each CPU; { 0 } at first */
struct filter_counts {
	bool any;		/* some event has a filter; else the map is not created */
	struct bpf_map map;
};

struct filtered {
	u64 kept, left_out;
};

/* a program at a tracepoint or probe filters for all of its users, not only for one recording */
bool filter_is_shared(const struct event *ev);
/*
 * Sets o->user_is_filtered if -u was given, decides the target, and the samples of all events can be
 * filtered; else a line in notes says what is recorded instead and why.
 */
void filter_choose_user(struct target_opts *o, const struct evset *set, struct strbuf *notes);
/*
 * attaches a program to every sampling event that has a filter, or to all if t is limited to a user's
 * samples; to be called before anything is enabled. Samples of other users are not counted
 */
int filter_events(struct filter_counts *counts, const struct open_fds *f, const struct evset *set,
		  const struct target *t, struct err *err);
/* of the event with that idx, since filter_events(); zeros without a filter */
struct filtered filter_counts_of(const struct filter_counts *c, u32 event);
void filter_counts_release(struct filter_counts *c);

#endif
