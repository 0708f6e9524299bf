/*
 * Reads: samples of events with the modifier S contain the counters of their whole group. Each is treated as
 * one sample of every member that counted since the previous one, and the difference is its period. The
 * differences are computed once, in file order (the samples of a counter come through one ring), so that
 * workers may process samples in any order.
 */
#ifndef PERF_SESSION_READS_H
#define PERF_SESSION_READS_H

#include "session.h"

/* NULL if no event of the file reads counters with its samples */
struct session_reads *session_reads_new(const struct session *s);
void session_reads_free(struct session_reads *r);

/*
 * Turns *sample, as decoded from rec, into the sample of its i-th member: event, id and period. Returns 1, or
 * 0 if that member did not count, or -1 after the last one. Only if s->reads is not NULL.
 */
int session_read(const struct session *s, const struct rec *rec, u32 i, struct sample *sample);
/*
 * true if the file knows the event of the i-th member of the sample as decoded; else session_read() does not
 * change the event
 */
bool session_read_known(const struct session *s, const struct sample *sample, u32 i);
/* the number of samples that it represents; *sample is changed */
u32 session_nr_reads(const struct session *s, const struct rec *rec, struct sample *sample);
/* true if a sample is to be split with session_read() */
static inline bool session_has_reads(const struct session *s, const struct sample *sample)
{
	return unlikely(s->reads != NULL) && sample->nr_reads;
}

#endif
