/*
 * Topdown: the events by which Intel's cores (since Ice Lake) count what became of the slots of their
 * pipeline: "slots" and parts of it, which need no general counter but must stand in one group that "slots"
 * leads. Part of the default events where sysfs has them.
 */
#ifndef PERF_STAT_TOPDOWN_H
#define PERF_STAT_TOPDOWN_H

#include "../base/err.h"
#include "../event/event.h"

/*
 * event 0 with these unit masks: retiring, bad speculation, frontend bound, backend bound; +4: the named one
 * of each one's two parts
 */
#define TOPDOWN_FIRST	0x80
#define TOPDOWN_NR	4
#define TOPDOWN_CONFIG(nr) ((TOPDOWN_FIRST + (nr)) << 8)

/* appends a group for each kind of core that has them; nothing where none has */
int stat_topdown_events(struct evset *set, struct err *err);

#endif
