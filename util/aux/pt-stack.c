/* Call stacks: see pt-stack.h. */
#include "pt-stack.h"
#include "../event/callchain.h"

#include <linux/perf_event.h>
#include <string.h>

#define SEARCH_MAX 128u		/* a longjmp leaves fewer frames */

void pt_stack_clear(struct pt_stack *s)
{
	s->nr = 0;
	s->cleared = true;
}

static void push(struct pt_stack *s, u64 ip, bool returns)
{
	if (s->nr == PT_FRAMES_MAX) {
		s->nr -= PT_FRAMES_MAX / 2;
		memmove(s->frame, s->frame + PT_FRAMES_MAX / 2, s->nr * sizeof(*s->frame));
	}
	s->frame[s->nr++] = (struct pt_frame){ ip, returns };
}

void pt_stack_call(struct pt_stack *s, u64 return_ip)
{
	push(s, return_ip, false);
}

void pt_stack_return(struct pt_stack *s, u64 ip, bool keep)
{
	u32 stop = s->nr > SEARCH_MAX ? s->nr - SEARCH_MAX : 0;

	for (u32 i = s->nr; i-- > stop;) {
		if (s->frame[i].ip != ip || s->frame[i].returns)
			continue;
		s->nr = i;
		return;
	}
	if (keep)
		push(s, ip, true);
}

void pt_stack_add(struct pt_stack *s, const struct pt_stack *next)
{
	if (next->cleared)
		pt_stack_clear(s);
	for (u32 i = 0; i < next->nr; i++) {
		if (next->frame[i].returns)
			pt_stack_return(s, next->frame[i].ip, false);
		else
			pt_stack_call(s, next->frame[i].ip);
	}
}

u32 pt_stack_chain(const struct pt_stack *s, u64 ip, u64 *chain, u32 max)
{
	bool kernel = ip >> 63;
	u32 nr = 0;

	if (max < 2)
		return 0;
	chain[nr++] = kernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER;
	chain[nr++] = ip;
	for (u32 i = s->nr; i-- > 0 && nr < max;) {
		bool was = kernel;

		kernel = s->frame[i].ip >> 63;
		if (kernel != was) {
			if (nr + 2 > max)
				break;
			chain[nr++] = kernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER;
		}
		chain[nr++] = s->frame[i].ip;
	}
	return nr;
}
