/*
 * Switch-event: record --switch-output-event: events of the whole system at which the next output begins.
 * They have small rings of their own, which the recorder's loop watches; their records are discarded. Owns
 * descriptors and rings, not the events.
 */
#ifndef PERF_RECORD_SWITCH_EVENT_H
#define PERF_RECORD_SWITCH_EVENT_H

#include "../observe/loop.h"
#include "../kernel/open.h"
#include "../kernel/rings.h"
#include "../kernel/target.h"

struct switch_event {
	struct evset *set;	/* NULL: not opened */
	struct target target;
	struct open_fds fds;
	struct rings rings;
};

/*
 * Opens the events of set on all CPUs, without enabling them; their rings report to the loop with this id.
 * Without a period every occurrence counts: clocks and hardware events, which occur all the time, need one
 * (-EINVAL).
 */
int switch_event_open(struct switch_event *s, struct evset *set, struct loop *loop, u32 id, struct err *err);
int switch_event_enable(const struct switch_event *s, struct err *err);
/* empties the rings; true if an event has occurred since the last call */
bool switch_event_take(struct switch_event *s);
void switch_event_release(struct switch_event *s);

#endif
