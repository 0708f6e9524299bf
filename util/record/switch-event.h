/*
 * Switch-event: record --switch-output-event: events of the whole system that say when the next output begins. They have small
 * rings of their own, watched by the recorder's loop; what they record is thrown away. Owns descriptors and rings, not the events.
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
 * Opens the events of set on all CPUs, not enabled yet; their rings report to the loop with this id. Each occurrence counts
 * where no period was given: clocks and hardware events, which occur all the time, need one (-EINVAL).
 */
int switch_event_open(struct switch_event *s, struct evset *set, struct loop *loop, u32 id, struct err *err);
int switch_event_enable(const struct switch_event *s, struct err *err);
/* empties the rings; true where an event had occurred since the last time */
bool switch_event_take(struct switch_event *s);
void switch_event_release(struct switch_event *s);

#endif
