/*
 * Wall events: what perf record --wall records beside the samples: a dummy event "wall", by which readers
 * know such a recording, and which reports context switches; and where they are permitted, sched:sched_switch
 * and sched:sched_waking.
 */
#ifndef PERF_RECORD_WALL_EVENTS_H
#define PERF_RECORD_WALL_EVENTS_H

#include "../event/event.h"

#define WALL_DUMMY_NAME "wall"

/* whether the events are those of perf record --wall */
bool wall_recorded(const struct evset *set);
/* whether tracepoints of the scheduler can be recorded by this user; *ret_why says what forbids it */
bool wall_tracepoints_permitted(const char **ret_why);
/*
 * an event of these tracepoints, before sample_attr_config(): each occurrence is a sample; wakers: with the
 * stacks of those that wake others
 */
void wall_set_tracepoint(struct event *ev, bool wakers);
/* the event major-faults, before sample_attr_config(): each is a sample with its address */
void wall_set_faults(struct event *ev);
/*
 * Adds the dummy event, the last one of the set; switches: it reports context switches, which whole CPUs do
 * not need beside tracepoints. To be called before sample_attr_config()
 */
void wall_add_dummy(struct evset *set, bool switches);
/*
 * After sample_attr_config(), where events are those of a control group: names, maps, beginnings and ends are
 * recorded of all tasks, as some enter the group later, and others are woken from outside
 */
void wall_watch_all_names(struct evset *set);

#endif
