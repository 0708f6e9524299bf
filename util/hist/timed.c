/* Timed samples: see timed.h. */
#include "timed.h"

void timed_add(struct timed_samples *v, u64 *head, u64 time, u64 period, u32 cpu)
{
	*blocks_add(v) = (struct stacks_sample){ .time = time, .period = period, .stack = *head, .cpu = cpu };
	*head = v->nr;
}

void timed_end(struct timed_samples *v, u64 head, u32 end)
{
	for (u32 i = head; i;) {
		struct stacks_sample *s = blocks_at(v, i - 1);

		i = s->stack;
		s->stack = end;
		s->cpu |= TIMED_ENDED;
	}
}

void timed_join(struct timed_samples *into, struct timed_samples *from, const u32 *end)
{
	for (size_t i = 0; i < from->nr; i++) {
		struct stacks_sample *s = blocks_at(from, i);

		if (s->cpu & TIMED_ENDED)
			s->stack = end[s->stack];
	}
	blocks_join(into, from);
}
