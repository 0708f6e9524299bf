/* Slots: see slots.h. */
#include "slots.h"

void hist_slots_release(struct hist_slots *s)
{
	vec_release(&s->range);
	vec_release(&s->slot);
	vec_release(&s->cell);
	vec_release(&s->lane);
	hidx_release(&s->lane_idx);
}

const struct view_slot *hist_slots_find(const struct hist_slots *s, u64 row, u32 node, u32 *ret_nr)
{
	size_t low = 0, high = s->range.nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct slot_range *r = &s->range.v[middle];

		if (r->row < row || (r->row == row && r->node < node))
			low = middle + 1;
		else
			high = middle;
	}
	*ret_nr = 0;
	if (low == s->range.nr || s->range.v[low].row != row || s->range.v[low].node != node)
		return NULL;
	*ret_nr = s->range.v[low].nr;
	return s->slot.v + s->range.v[low].first;
}
