/*
 * Time filter: the meaning of --time. "START,STOP" in seconds, of which either may be omitted, several
 * separated by blanks, in order and without overlap; or parts of the recording: "10%" (the first tenth),
 * "10%/2" (the second tenth), "0%-10%", several separated by commas, all of one kind. Both ends of a span
 * belong to it.
 */
#ifndef PERF_SESSION_TIME_FILTER_H
#define PERF_SESSION_TIME_FILTER_H

#include "../base/err.h"
#include "../base/vec.h"

struct time_range {
	u64 from, to;
};
struct time_filter {
	struct { VEC(struct time_range); } ranges;	/* none: everything passes */
};

/* first, last: times of the recording's first and last sample */
int time_filter_parse(struct time_filter *f, const char *spec, u64 first, u64 last, struct err *err);
void time_filter_release(struct time_filter *f);

static inline bool time_filter_ok(const struct time_filter *f, u64 time)
{
	if (likely(!f->ranges.nr))
		return true;
	for (size_t i = 0; i < f->ranges.nr; i++)
		if (time >= f->ranges.v[i].from && time <= f->ranges.v[i].to)
			return true;
	return false;
}

#endif
