/* Resolve: walks a chain's addresses and markers. */
#include "resolve.h"

struct loc resolve_ip(struct locator *l, const struct sample *sample, const struct whence *w)
{
	return *locator_find(l, w->space, sample->cpumode, sample->ip, w->time, w->off);
}

bool chain_marker_mode(u64 marker, u8 *ret)
{
	switch (marker) {
	case CHAIN_HV:
		*ret = CPUMODE_HYPERVISOR;
		return true;
	case CHAIN_KERNEL:
		*ret = CPUMODE_KERNEL;
		return true;
	case CHAIN_USER:
	case CHAIN_USER_DEFERRED:
		*ret = CPUMODE_USER;
		return true;
	default:
		return false;
	}
}

static struct loc locate_any(struct locator *l, const struct whence *w, u64 ip)
{
	const struct loc *loc = locator_find(l, w->space, CPUMODE_USER, ip, w->time, w->off);

	if (loc->dso == WORLD_NONE)
		loc = locator_find(l, w->space, CPUMODE_KERNEL, ip, w->time, w->off);
	return *loc;
}

size_t chain_resolve(struct locator *l, const struct sample *sample, const struct whence *w, struct frame_loc *out, size_t max,
		     struct diag *diag)
{
	u8 mode = CPUMODE_UNKNOWN;
	size_t nr = 0;

	for (u64 i = 0; i < sample->nr_callchain && nr < max; i++) {
		u64 ip = sample->callchain[i];

		if (ip >= CHAIN_CONTEXT_MAX) {
			if (chain_marker_mode(ip, &mode))
				continue;
			if (diag)
				diag_count(diag, DIAG_BAD_CALLCHAIN, w->off);
			return 0;
		}
		out[nr].ip = ip;
		if (likely(mode != CPUMODE_UNKNOWN))
			out[nr].loc = *locator_find(l, w->space, mode, ip, w->time, w->off);
		else
			out[nr].loc = locate_any(l, w, ip);
		nr++;
	}
	return nr;
}
