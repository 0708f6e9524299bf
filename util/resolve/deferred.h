/*
 * Deferred: the user halves of call chains that the kernel recorded later, on the way back to user space, as
 * CALLCHAIN_DEFERRED records. A sample's chain ends with a marker and a cookie; the next such record of its thread with that
 * cookie has the rest. Const once built.
 */
#ifndef PERF_RESOLVE_DEFERRED_H
#define PERF_RESOLVE_DEFERRED_H

#include "../session/session.h"

struct deferred;
/* whether any event of the set leaves user chains for later */
bool evset_defers(const struct evset *set);
/* all of the session's; NULL where no event defers */
struct deferred *deferred_new(const struct session *s);
void deferred_free(struct deferred *d);
/* puts the user half in place of the cookie of a sample's chain, which lies in scratch then; leaves it alone where d has none (or is NULL) */
void deferred_join(const struct deferred *d, const struct session *s, const struct sample_ctx *ctx, struct sample *sample,
		   struct arena *scratch);

/* the chain of a CALLCHAIN_DEFERRED record in the byte order of this machine: *ret_nr entries, NULL where it is damaged */
const u64 *deferred_chain(const struct rec *rec, u64 *ret_cookie, u64 *ret_nr, struct arena *scratch);

#endif
