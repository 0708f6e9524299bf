/* Stack summary: see stack-summary.h. */
#include "stack-summary.h"

/* fewer stacks, or a smaller part of them that is not complete, are not worth a sentence */
#define MIN_STACKS 32u
#define MIN_PERCENT 1u

/* the largest dump that an event asked for; 0: none */
static u32 dump_size(const struct evset *set)
{
	u32 size = 0;

	vec_foreach(&set->ev, ev)
		if ((*ev)->attr.sample_type & PERF_SAMPLE_STACK_USER)
			size = MAX(size, (*ev)->attr.sample_stack_user);
	return size;
}

void stack_summary_text(const struct hist *h, struct strbuf *out)
{
	u64 total = stack_ends_total(&h->ends);

	if (total < MIN_STACKS || (total - h->ends.nr[STACK_COMPLETE]) * 100 < total * MIN_PERCENT)
		return;
	strbuf_addstr(out, "stacks: ");
	stack_ends_text(&h->ends, machine_dsos(h->session->machine), dump_size(h->session->data->evset), out);
}

void stack_summary_fact(const struct hist *h, struct view_facts *facts, struct arena *arena)
{
	struct view_facts ends = { 0 };

	if (!stack_ends_total(&h->ends))
		return;
	for (u32 why = STACK_NONE + 1; why < STACK_NR; why++)
		view_fact_number(&ends, stack_why_word(why), h->ends.nr[why]);
	vec_push(facts, (struct view_fact){ "stacks", view_object_of(&ends, arena) });
	vec_release(&ends);
}
