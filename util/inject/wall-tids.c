/* Wall-tids: see wall-tids.h. */
#include "wall-tids.h"

bool wall_tids_has(const struct wall_tids *t, u32 tid)
{
	u32 i;

	HIDX_FOREACH(&t->by_tid, hash_u64(tid), i)
		if (t->tid.v[i] == tid)
			return true;
	return false;
}

void wall_tids_add(struct wall_tids *t, u32 tid)
{
	if (wall_tids_has(t, tid))
		return;
	hidx_insert(&t->by_tid, hash_u64(tid), t->tid.nr);
	vec_push(&t->tid, tid);
}

void wall_tids_release(struct wall_tids *t)
{
	vec_release(&t->tid);
	hidx_release(&t->by_tid);
}
