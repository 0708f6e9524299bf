/*
 * Deferred: the user halves of call chains that the kernel recorded later, on the way back to user space, as
 * CALLCHAIN_DEFERRED records. A sample's chain ends with a marker and a cookie; the next such record of its thread with that
 * cookie has the rest. Const once built.
 */
#ifndef PERF_SESSION_DEFERRED_H
#define PERF_SESSION_DEFERRED_H

#include "session.h"

struct deferred;
/* whether any event of the set leaves user chains for later */
bool evset_defers(const struct evset *set);
/* all of the session's; NULL where no event defers */
struct deferred *deferred_new(const struct session *s);
void deferred_free(struct deferred *d);
/* the chain, with its markers, that belongs to a sample of that time (or offset, where the file has no times); NULL: there is none */
const u64 *deferred_find(const struct deferred *d, u32 tid, u64 cookie, u64 time, u32 *ret_nr);

/* the chain of a CALLCHAIN_DEFERRED record in the byte order of this machine: *ret_nr entries, NULL where it is damaged */
const u64 *deferred_chain(const struct rec *rec, u64 *ret_cookie, u64 *ret_nr, struct arena *scratch);

#endif
