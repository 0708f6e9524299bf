/* Named frames: see named-frames.h. */
#include "named-frames.h"

static void find_name(struct named_frames *n, struct named_frame *f)
{
	struct symbols *symbols = n->session->symbols;
	u64 code = f->addr;
	u32 sym;

	if (f->dso == ID_NONE)
		return;
	symbols_load(symbols, n->session->pool, &f->dso, 1);
	sym = f->caller ? symbols_find_call(symbols, f->dso, f->addr, &code) :
		symbols_find_idx(symbols, f->dso, code);
	if (sym == ID_NONE)
		return;
	f->start = symbols_start(symbols, f->dso, sym);
	f->name = symbols_name(symbols, f->dso, sym, &n->names);
}

void named_frames_init(struct named_frames *n, const struct session *s)
{
	*n = (struct named_frames){ .session = s };
}

void named_frames_release(struct named_frames *n)
{
	vec_release(&n->frame);
	hidx_release(&n->idx);
	arena_release(&n->names);
}

u32 named_frames_add(struct named_frames *n, const struct frame_loc *at)
{
	struct named_frame f = { .dso = at->loc.dso, .cpumode = at->loc.cpumode, .caller = at->caller,
				 .addr = at->loc.dso == ID_NONE ? at->ip : at->loc.dso_addr, .ip = at->ip };
	u64 hash = hash_mix(hash_u64(f.addr), f.dso);
	u32 id;

	HIDX_FOREACH(&n->idx, hash, id) {
		const struct named_frame *o = &n->frame.v[id];

		if (o->dso == f.dso && o->addr == f.addr && o->caller == f.caller)
			return id;
	}
	find_name(n, &f);
	hidx_insert(&n->idx, hash, n->frame.nr);
	vec_push(&n->frame, f);
	return n->frame.nr - 1;
}

void named_frame_put_offset(const struct named_frame *f, u64 ip, struct strbuf *out)
{
	if (!f->name) {
		strbuf_addf(out, "%#lx", ip);
		return;
	}
	strbuf_add_safe(out, f->name);
	strbuf_addf(out, "+%#lx", f->addr - f->start);
}
