/*
 * Health: how much of a recording can be read. All records are looked at: whether they are whole, and samples
 * whether their event is known and their fields are there. Owns nothing.
 */
#ifndef PERF_SESSION_HEALTH_H
#define PERF_SESSION_HEALTH_H

#include "session.h"

enum health_state {
	HEALTH_WHOLE,
	HEALTH_USABLE,		/* something is damaged, and there are samples or counts */
	HEALTH_LOST,		/* something is damaged, and there are no samples or counts */
};

struct health {
	enum health_state state;
	u64 nr_samples;		/* that can be read */
	u64 nr_counts;		/* of perf stat record */
	struct diag damage;
};

/* "whole" */
const char *health_word(enum health_state state);
void session_health(const struct session *s, struct health *ret);
/* 0, or the negative errno of sample_decode() or record_decode(); records of unknown types are good */
int session_check_record(const struct session *s, const struct rec *rec, struct arena *scratch);

#endif
