/* Call chains: markers, and runs of addresses between them. */
#include "callchain.h"

#include <string.h>

/* No user address of any architecture has one of the upper eight bits set. */
#define USER_END (1ull << 56)
/* Nor is anything mapped in the first page, unless root changes vm.mmap_min_addr */
#define USER_START 4096u

static const struct {
	u64 value;
	const char *name;
	u8 cpumode;
	bool known;		/* addresses of that side can be looked up; otherwise the chain ends */
} markers[] = {
	/* nearly all markers are of the first two kinds */
	{ CHAIN_USER, "PERF_CONTEXT_USER", CPUMODE_USER, true },
	{ CHAIN_KERNEL, "PERF_CONTEXT_KERNEL", CPUMODE_KERNEL, true },
	{ CHAIN_HV, "PERF_CONTEXT_HV", CPUMODE_HYPERVISOR, true },
	{ CHAIN_USER_DEFERRED, "PERF_CONTEXT_USER_DEFERRED", CPUMODE_USER, true },
	{ CHAIN_GUEST, "PERF_CONTEXT_GUEST", CPUMODE_UNKNOWN, false },
	{ CHAIN_GUEST_KERNEL, "PERF_CONTEXT_GUEST_KERNEL", CPUMODE_GUEST_KERNEL, false },
	{ CHAIN_GUEST_USER, "PERF_CONTEXT_GUEST_USER", CPUMODE_GUEST_USER, false },
};

const char *chain_marker_name(u64 value)
{
	for (size_t i = 0; i < ARRAY_SIZE(markers); i++)
		if (markers[i].value == value)
			return markers[i].name;
	return NULL;
}

static bool marker_mode(u64 value, u8 *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(markers); i++) {
		if (markers[i].value != value || !markers[i].known)
			continue;
		*ret = markers[i].cpumode;
		return true;
	}
	return false;
}

bool chain_take_marker(struct chain_walk *w)
{
	u64 value = *w->at++;

	if (value >= CHAIN_CONTEXT_MAX && value != CHAIN_USER_DEFERRED && marker_mode(value, &w->cpumode)) {
		w->first = w->cpumode == CPUMODE_USER ? USER_START : 0;
		w->limit = w->cpumode == CPUMODE_USER ? USER_END : CHAIN_CONTEXT_MAX;
		return true;
	}
	if (value == CHAIN_USER_DEFERRED)
		w->cookie = w->at < w->end ? w->at : NULL;
	else
		w->damaged = w->cpumode != CPUMODE_USER;
	w->end = w->at;
	return false;
}

u64 callchain_user_marker(const struct sample *s)
{
	u64 i = 0;

	while (i < s->nr_callchain && s->callchain[i] != CHAIN_USER)
		i++;
	return i;
}

void callchain_join(struct sample *s, const u64 *user, u64 nr, struct arena *scratch)
{
	u64 before = s->nr_callchain - 2, *joined = arena_alloc(scratch, (before + nr) * sizeof(*joined));

	memcpy(joined, s->callchain, before * sizeof(*joined));
	memcpy(joined + before, user, nr * sizeof(*joined));
	s->callchain = joined;
	s->nr_callchain = before + nr;
}
