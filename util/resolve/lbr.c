/* LBR: see lbr.h. */
#include "lbr.h"

#include <string.h>
#include "../event/callchain.h"

void lbr_join(struct sample *s, struct arena *scratch)
{
	u64 kernel = callchain_user_marker(s), nr, *joined;

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
