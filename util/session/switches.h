/*
 * Switches: events that switch the processing of samples on and off (--switch-on, --switch-off). The spans
 * between them are found once, so they can be queried in any order.
 */
#ifndef PERF_SESSION_SWITCHES_H
#define PERF_SESSION_SWITCHES_H

#include "session.h"
#include "time-filter.h"

struct switch_opts {
	const char *on, *off;		/* names of events; NULL: not given */
	bool show;			/* the switching events are shown, too */
};

/*
 * the event of that name; ID_NONE if name is NULL; -ENOENT with err, which names the option, if there is none
 */
int switch_event(const struct session *s, const char *name, const char *option, u32 *ret, struct err *err);

struct switches;
/*
 * *ret is NULL if no switches are given; 0 or negative errno with err. Events outside of times (which may be
 * NULL: any time) switch nothing.
 */
int switches_new(struct switches **ret, const struct session *s, const struct switch_opts *o,
		 const struct time_filter *times, struct err *err);
/* continues with the samples that a live session has taken, in the state in which the last ones ended */
void switches_next(struct switches *w, const struct session *s);
void switches_free(struct switches *w);
/* true if a sample at that time is to be processed */
bool switches_ok(const struct switches *w, struct when when);

#endif
