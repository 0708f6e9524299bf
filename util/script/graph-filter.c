/* Graph filter: see graph-filter.h. */
#include "graph-filter.h"
#include "batch.h"
#include "host.h"
#include "line-sample.h"
#include "../base/hash.h"
#include "../event/insn-flags.h"
#include "../event/record-type.h"
#include "../session/filter-list.h"

#include <stdlib.h>

/* a thread that was inside one of the functions */
struct graph_thread {
	s32 tid;
	bool inside;
	bool called;		/* the call was seen: else only samples inside of the function */
	u32 depth;		/* of calls, before the call or at the first sample */
};

struct graph_filter {
	struct name_filter names;
	struct { VEC(struct graph_thread); } thread;
	struct hidx by_tid;
};

int graph_filter_new(struct graph_filter **ret, const char *functions, struct err *err)
{
	struct graph_filter *g;

	*ret = NULL;
	if (!functions)
		return 0;
	g = xcalloc(1, sizeof(*g));
	if (name_filter_parse(&g->names, functions, err)) {
		graph_filter_free(g);
		return err->code;
	}
	*ret = g;
	return 0;
}

void graph_filter_free(struct graph_filter *g)
{
	if (!g)
		return;
	name_filter_release(&g->names);
	vec_release(&g->thread);
	hidx_release(&g->by_tid);
	free(g);
}

static struct graph_thread *thread_of(struct graph_filter *g, s32 tid)
{
	return vec_find_or_add(&g->thread, &g->by_tid, hash_u64(tid), t, t->tid == tid,
			       (struct graph_thread){ .tid = tid });
}

static bool is_in(struct graph_filter *g, const struct script_host *host, const struct line_sample *ls,
		  u64 ip)
{
	struct frame_cache *c = &host->worker->cache;
	struct resolved_frame f;
	const char *name;

	if (!ip)
		return false;
	if (!frame_resolve(c, &ls->at, ls->sm.cpumode, ip, false, &f)) {
		host->load(host->ctx);
		c->blocked = false;
		frame_resolve(c, &ls->at, ls->sm.cpumode, ip, false, &f);
		c->blocked = false;
	}
	name = frame_name(c, &f);
	return name && name_filter_has(&g->names, name);
}

/* a sample of a thread that is in none of the functions: whether it enters one, or lies in it */
static bool enters(struct graph_filter *g, const struct script_host *host, const struct line_sample *ls,
		   struct graph_thread *t)
{
	u64 flags = ls->sm.insn_flags;
	bool calls = flags & INSN_CALL && is_in(g, host, ls, ls->sm.addr);
	bool lies = !calls && (is_in(g, host, ls, ls->sm.ip) ||
			       (flags & INSN_TRACE_BEGIN && is_in(g, host, ls, ls->sm.addr)));

	t->inside = calls || (lies && !(flags & INSN_RETURN));
	t->called = calls;
	t->depth = INSN_DEPTH(flags);
	return calls || lies;
}

static bool keeps(struct graph_filter *g, const struct script_host *host, const struct line_sample *ls)
{
	struct graph_thread *t = thread_of(g, ls->sm.tid);
	u32 depth = INSN_DEPTH(ls->sm.insn_flags);

	if (t->inside && depth > t->depth)
		return true;
	/* of a function whose call is not known, the depth does not say where it ends */
	if (t->inside && !t->called && depth == t->depth && is_in(g, host, ls, ls->sm.ip)) {
		t->inside = !(ls->sm.insn_flags & INSN_RETURN);
		return true;
	}
	return enters(g, host, ls, t);
}

void graph_filter_batch(struct graph_filter *g, const struct script_host *host, struct batch *b)
{
	size_t kept = 0;

	for (size_t i = 0; i < b->nr; i++) {
		struct line_sample ls = { 0 };

		if (b->rec[i].type == REC_SAMPLE &&
		    script_sample(host->worker, &b->rec[i], b->chain ? &b->chain[i] : NULL, &ls) &&
		    !keeps(g, host, &ls))
			continue;
		batch_keep(b, kept++, i);
	}
	b->nr = kept;
}
