/* Count-batch: which events are put together. */
#include "count-batch.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#define WORTH_IT 32	/* fewer events are opened as requested */
#define BATCH_MAX 200	/* members; the kernel reads groups of up to 16 KB, 16 bytes each */

static bool is_member(const struct evset *set, u32 i)
{
	const struct event *ev = evset_at(set, i);

	return ev->leader != i || (i + 1 < set->ev.nr && evset_at(set, i + 1)->leader == i);
}

/* true for an event that is on the CPU whatever other events there are */
static bool is_free(const struct evset *set, u32 i)
{
	const struct event *ev = evset_at(set, i);
	bool software = ev->attr.type == PERF_TYPE_SOFTWARE &&
			ev->attr.config <= PERF_COUNT_SW_EMULATION_FAULTS;

	return (software || ev->attr.type == PERF_TYPE_TRACEPOINT) && !is_member(set, i) && !ev->nr_cpus &&
	       !ev->dummy && !(ev->attr.flags & (ATTR_PINNED | ATTR_EXCLUSIVE));
}

void count_batch_begin(struct count_batch *b, struct evset *set)
{
	u32 nr = 0, leader = 0, members = BATCH_MAX;
	bool *takes = xcalloc(MAX(set->ev.nr, (size_t)1), sizeof(*takes));

	*b = (struct count_batch){ 0 };
	for (u32 i = 0; i < set->ev.nr; i++)
		nr += takes[i] = is_free(set, i);
	if (nr >= WORTH_IT) {
		b->nr = set->ev.nr;
		b->leader = xcalloc(b->nr, sizeof(*b->leader));
	}
	for (u32 i = 0; i < b->nr; i++) {
		b->leader[i] = evset_at(set, i)->leader;
		if (!takes[i]) {
			members = BATCH_MAX;	/* members follow their leader without a gap */
			continue;
		}
		if (members++ >= BATCH_MAX) {
			leader = i;
			members = 1;
		}
		evset_at(set, i)->leader = leader;
	}
	free(takes);
}

bool count_batch_leads(const struct count_batch *b, const struct evset *set, u32 idx)
{
	return b->leader && idx + 1 < b->nr && b->leader[idx + 1] != idx &&
	       evset_at(set, idx + 1)->leader == idx;
}

void count_batch_end(struct count_batch *b, struct evset *set)
{
	for (u32 i = 0; i < b->nr; i++)
		evset_at(set, i)->leader = b->leader[i];
	free(b->leader);
	*b = (struct count_batch){ 0 };
}
