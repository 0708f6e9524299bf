/*
 * Reads: samples of events with the modifier S carry the counters of their whole group. Each stands for one sample of every
 * member that counted since the one before, with what it counted as the period. The differences are taken once, in file
 * order (one counter's samples come through one ring), so that workers may look at samples in any order.
 */
#ifndef PERF_SESSION_READS_H
#define PERF_SESSION_READS_H

#include "session.h"

/* NULL where no event of the file reads counters with its samples */
struct session_reads *session_reads_new(const struct session *s);
void session_reads_free(struct session_reads *r);

/*
 * Turns *sample, as decoded from rec, into its i-th member's: event, id and period. 1, or 0 where that member did not count, or
 * -1 behind the last. Only where s->reads is not NULL.
 */
int session_read(const struct session *s, const struct rec *rec, u32 i, struct sample *sample);
/* whether the file knows which event the i-th member of the sample as decoded is; else session_read() does not change the event */
bool session_read_known(const struct session *s, const struct sample *sample, u32 i);
/* how many samples it stands for; *sample is not what it was afterwards */
u32 session_nr_reads(const struct session *s, const struct rec *rec, struct sample *sample);
/* whether a sample is to be taken apart with session_read() */
static inline bool session_has_reads(const struct session *s, const struct sample *sample)
{
	return unlikely(s->reads != NULL) && sample->nr_reads;
}

#endif
