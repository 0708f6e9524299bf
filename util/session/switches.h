/*
 * Switches: events that turn looking at samples on and off (--switch-on, --switch-off). The spans between them are found once,
 * so samples may be asked about in any order.
 */
#ifndef PERF_SESSION_SWITCHES_H
#define PERF_SESSION_SWITCHES_H

#include "session.h"
#include "time-filter.h"

struct switch_opts {
	const char *on, *off;		/* names of events; NULL: not asked for */
	bool show;			/* the events that switch are shown too */
};

/* the event of that name; ID_NONE for no name; -ENOENT with err, which names the option, where there is none */
int switch_event(const struct session *s, const char *name, const char *option, u32 *ret, struct err *err);

struct switches;
/*
 * *ret is NULL where nothing is asked for; 0 or negative errno with err. Events outside of times (which may be NULL: any time)
 * switch nothing.
 */
int switches_new(struct switches **ret, const struct session *s, const struct switch_opts *o, const struct time_filter *times,
		 struct err *err);
void switches_free(struct switches *w);
/* whether a sample at that time and offset is looked at */
bool switches_ok(const struct switches *w, u64 time, u64 off);

#endif
