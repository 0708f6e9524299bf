/*
 * LBR tails: the processor remembers the last 8, 16 or 32 calls, so longer call chains lose their outermost
 * part. If the oldest of these calls are also in the calls of the thread's sample before, then those outside
 * of them are the same, too, because nothing has returned from them (--stitch-lbr). One walk over all samples
 * in the order of time finds the lost parts, the tails; then they are const, so that any number of workers
 * may ask for them in any order.
 */
#ifndef PERF_SESSION_LBR_TAILS_H
#define PERF_SESSION_LBR_TAILS_H

#include <linux/perf_event.h>
#include "session.h"

struct lbr_tails;
struct lbr_tails *lbr_tails_new(const struct session *s);
/*
 * For a session without a file: lbr_tails_more() after each take finds the tails of its samples, which are
 * valid until the next take. The machine must know the tasks of the samples
 */
struct lbr_tails *lbr_tails_new_live(void);
void lbr_tails_more(struct lbr_tails *t, const struct session *s);
void lbr_tails_free(struct lbr_tails *t);

/* s->branches are the calls of a chain that have not returned, newest first */
static inline bool lbr_possible(const struct sample *s)
{
	return s->nr_branches && s->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;
}
/* all entries of the processor are in use, so older calls may be missing */
static inline bool lbr_is_full(const struct sample *s)
{
	return s->nr_branches == 8 || s->nr_branches == 16 || s->nr_branches == 32;
}

/*
 * Appends its tail to s->branches of a call stack; they are in scratch then. Where a sample and the one
 * before it are joined is the only place at which they fit: if the processor's number of the newest entry was
 * recorded, with a call in the same register; else with two calls or more. t may be NULL. Returns whether the
 * calls are complete.
 */
bool lbr_append_tail(const struct lbr_tails *t, struct when when, struct sample *s, struct arena *scratch);

#endif
