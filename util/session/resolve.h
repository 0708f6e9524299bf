/*
 * Resolve: where the frames of a sample lie. Shared by everything that shows call chains. Conventions are upstream's:
 *
 * - Markers (CHAIN_KERNEL, CHAIN_USER, ...) say which side the following addresses are on and are no frames themselves.
 *   Addresses before the first marker are looked for on either side. A marker that is not known ends the trust in the chain:
 *   it has no frames at all then.
 * - Addresses of callers are return addresses and are looked up as they are, not one byte before.
 * - max_stack counts frames, not markers.
 */
#ifndef PERF_SESSION_RESOLVE_H
#define PERF_SESSION_RESOLVE_H

#include "session.h"

#define RESOLVE_MAX_STACK 127	/* where neither the user nor kernel.perf_event_max_stack says else */

struct frame_loc {
	u64 ip;
	struct loc loc;		/* loc.cpumode: the side it was found on or that its marker says */
};

/* the side that a marker (>= CHAIN_CONTEXT_MAX) announces; false for one that is not known */
bool chain_marker_mode(u64 marker, u8 *ret);

/* the sample's own address */
struct loc resolve_ip(struct locator *l, const struct sample *sample, const struct whence *w);
/*
 * Fills at most max frames, innermost first, as recorded. 0 where there is no chain or it is damaged, which is counted in
 * diag (may be NULL).
 */
size_t chain_resolve(struct locator *l, const struct sample *sample, const struct whence *w, struct frame_loc *out, size_t max,
		     struct diag *diag);

#endif
