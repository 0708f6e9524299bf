/*
 * Deferred: the user parts of call chains that the kernel recorded later, on the way back to user space, as
 * CALLCHAIN_DEFERRED records. A sample's chain ends with a marker and a cookie; the next such record of its
 * thread with that cookie has the rest. Const once built.
 */
#ifndef PERF_RESOLVE_DEFERRED_H
#define PERF_RESOLVE_DEFERRED_H

#include "../session/session.h"

struct deferred;
/* true if an event of the set records user chains later */
bool evset_defers(const struct evset *set);
/* all deferred chains of the session; NULL if no event defers */
struct deferred *deferred_new(const struct session *s);
void deferred_free(struct deferred *d);
/*
 * replaces the cookie in a sample's chain by its user part; the chain is in scratch then. Does nothing if d
 * (which may be NULL) has no such part
 */
void deferred_join(const struct deferred *d, const struct session *s, const struct sample_ctx *ctx,
		   struct sample *sample, struct arena *scratch);

/*
 * the chain of a CALLCHAIN_DEFERRED record in the byte order of this machine: *ret_nr entries, or NULL if it
 * is damaged
 */
const u64 *deferred_chain(const struct rec *rec, u64 *ret_cookie, u64 *ret_nr, struct arena *scratch);

#endif
