/* Call chains: markers, and runs of addresses between them. */
#include "callchain.h"

#include <string.h>

/* No user address of any architecture has one of the upper eight bits set. */
#define USER_END	(1ull << 56)
/* except this one: the page in which x86 had its first system calls without a trap */
#define VSYSCALL	((u64)-10 << 20)
#define VSYSCALL_SIZE	4096u

static const struct {
	u64 value;
	const char *name;
	u8 cpumode;
	bool known;		/* addresses of that side can be looked up; otherwise the chain ends */
} markers[] = {
	{ CHAIN_HV, "PERF_CONTEXT_HV", CPUMODE_HYPERVISOR, true },
	{ CHAIN_KERNEL, "PERF_CONTEXT_KERNEL", CPUMODE_KERNEL, true },
	{ CHAIN_USER, "PERF_CONTEXT_USER", CPUMODE_USER, true },
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

struct chain_walk chain_walk_of(const struct sample *s, u64 max)
{
	return (struct chain_walk){ .at = s->callchain, .end = s->callchain + s->nr_callchain, .room = max };
}

/* the first value from ip on that is not an address of that side; end if there is none */
static const u64 *skip_addresses(const u64 *ip, const u64 *end, u8 cpumode)
{
	u64 limit = cpumode == CPUMODE_USER ? USER_END : CHAIN_CONTEXT_MAX;

	while (ip < end && (likely(*ip < limit) || *ip - VSYSCALL < VSYSCALL_SIZE))
		ip++;
	return ip;
}

/* true: the following addresses are of another side; false: the chain ends here */
static bool take_marker(struct chain_walk *w)
{
	u64 value = *w->at++;

	if (value == CHAIN_USER_DEFERRED) {
		w->cookie = w->at < w->end ? w->at : NULL;
		return false;
	}
	if (marker_mode(value, &w->cpumode))
		return true;
	w->damaged = w->cpumode != CPUMODE_USER;
	return false;
}

bool chain_next_run(struct chain_walk *w, struct chain_run *ret)
{
	while (w->at < w->end && w->room) {
		const u64 *start = w->at;

		w->at = skip_addresses(start, start + MIN((u64)(w->end - start), w->room), w->cpumode);
		if (w->at > start) {
			*ret = (struct chain_run){ start, w->at - start, w->cpumode };
			w->room -= ret->nr;
			return true;
		}
		if (!take_marker(w))
			w->end = w->at;
	}
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
