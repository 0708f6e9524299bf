/* LBR: see lbr.h. */
#include "lbr.h"

#include "resolve.h"

void lbr_join(struct sample *s, struct arena *scratch)
{
	u64 kernel = 0, nr, *joined;

	while (kernel < s->nr_callchain && s->callchain[kernel] != CHAIN_USER)
		kernel++;
	if (kernel == s->nr_callchain)
		return;
	joined = arena_alloc(scratch, (kernel + 2 + s->nr_branches) * sizeof(*joined));
	memcpy(joined, s->callchain, kernel * sizeof(*joined));
	nr = kernel;
	joined[nr++] = CHAIN_USER;
	if (s->cpumode == CPUMODE_USER)
		joined[nr++] = s->ip;
	else if (kernel + 1 < s->nr_callchain && s->callchain[kernel + 1] < CHAIN_CONTEXT_MAX)
		joined[nr++] = s->callchain[kernel + 1];
	for (u64 i = 0; i < s->nr_branches; i++)
		joined[nr++] = s->branches[i].from;
	s->callchain = joined;
	s->nr_callchain = nr;
}
