/* Wall-names: see wall-names.h. */
#include "wall-names.h"
#include "../base/fs.h"
#include "synthesize.h"

#include <stdio.h>

/* false: it was known before */
static bool add_tid(struct wall_names *n, s32 tid)
{
	u32 nr = n->tid.nr;

	if (tid <= 0)
		return false;
	vec_find_or_add(&n->tid, &n->idx, hash_u64((u32)tid), t, *t == tid, tid);
	return n->tid.nr > nr;
}

void wall_names_know(struct wall_names *n, s32 tid)
{
	add_tid(n, tid);
}

void wall_names_ask(struct wall_names *n, s32 pid, s32 tid, struct strbuf *out, u32 trailer)
{
	struct strbuf comm = STRBUF_INIT;
	char path[64];

	if (!add_tid(n, tid))
		return;
	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	if (!fs_read_line(path, &comm))
		synth_comm(out, pid, tid, strbuf_str(&comm), trailer);
	strbuf_release(&comm);
}

void wall_names_release(struct wall_names *n)
{
	hidx_release(&n->idx);
	vec_release(&n->tid);
}
