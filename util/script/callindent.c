/* Callindent: what a branch of a hardware trace called or returned from, indented by the depth of calls. */
#include "line-private.h"
#include "../event/insn-flags.h"

#define INDENT 4u
#define WIDTH 32u	/* names end at a multiple, as upstream has them if they do not grow */

/* the function that is entered, or left, by its name or else its address; nothing for other branches */
static void put_name(struct line_worker *w, const struct sample *sm, const struct sample_ctx *at,
		     struct strbuf *out)
{
	bool enters = sm->insn_flags & (INSN_CALL | INSN_TRACE_BEGIN);
	u64 ip = enters ? sm->addr : sm->ip;
	const char *name = NULL;
	struct resolved_frame f;

	if (!enters && !(sm->insn_flags & (INSN_RETURN | INSN_TRACE_END)))
		return;
	if (frame_resolve(&w->cache, at, sm->cpumode, ip, enters, &f))
		name = frame_name(&w->cache, &f);
	if (name)
		strbuf_add_safe(out, name);
	else if (ip)
		strbuf_add_hex(out, ip, 0, ' ');
}

void line_callindent(struct line_worker *w, u64 mask, const struct sample *sm, const struct sample_ctx *at,
		     struct strbuf *out)
{
	u32 depth = INSN_DEPTH(sm->insn_flags) + (sm->insn_flags & INSN_CALL ? 1 : 0);
	struct resolved_frame f;
	size_t start, used;

	if (mask & FIELD_BIT(DSO) && !(mask & FIELD_BIT(IP)) &&
	    frame_resolve(&w->cache, at, sm->cpumode, sm->ip, false, &f)) {
		strbuf_reset(&w->cell_text);
		frame_put_dso(&w->cache, &f, mask & FIELD_BIT(DSOFF), &w->cell_text);
		strbuf_add(out, w->cell_text.buf + 1, w->cell_text.len - 1);	/* without its space */
		strbuf_addch(out, '\t');
	}
	start = out->len;
	strbuf_pad(out, ' ', INDENT * depth);
	put_name(w, sm, at, out);
	used = (out->len - start) % WIDTH;
	if (used || out->len == start)
		strbuf_pad(out, ' ', WIDTH - used);
}
