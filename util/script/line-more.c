/* Line-more: the sampled instruction, and its source line. */
#include "line-more.h"

#include "branch-code.h"
#include "insn-texts.h"
#include "line-state.h"

struct line_more *line_more_of(struct line_worker *w)
{
	if (!w->more)
		w->more = line_more_new(w->sc->s, w->cache.lines);
	return w->more;
}

void line_insn(struct line_worker *w, u64 fields, const struct sample *sm, const struct sample_ctx *at,
	       struct strbuf *out)
{
	struct loc loc = frame_locate(&w->cache, at, sm->cpumode, sm->ip, false);

	line_insn_at(w, fields, sm->ip, loc.dso, loc.dso_addr, out);
}

void line_insn_at(struct line_worker *w, u64 fields, u64 ip, u32 dso, u64 dso_addr, struct strbuf *out)
{
	struct insn_texts *texts = line_more_texts(line_more_of(w));
	u8 what = (fields & FIELD_BIT(INSN) ? INSN_TEXT_BYTES : 0) |
		  (fields & FIELD_BIT(INSNLEN) ? INSN_TEXT_LEN : 0) |
		  (fields & FIELD_BIT(DISASM) ? INSN_TEXT_DISASM : 0);
	struct resolved_frame f = { .ip = ip, .sym_idx = ID_NONE, .loc = { dso, dso_addr, NULL, 0 } };
	size_t start = out->len;

	if (likely(insn_texts_put(texts, dso, dso_addr, what, out)) || !frame_find_symbol(&w->cache, &f))
		return;
	if (fields & FIELD_BIT(DISASM))
		line_disasm(w, &f, out);
	else
		line_more_insn(w->more, &f, fields & FIELD_BIT(INSNLEN), fields & FIELD_BIT(INSN), out);
	insn_texts_keep(texts, dso, dso_addr, what, strbuf_str(out) + start, out->len - start);
}

void line_srccode(struct line_worker *w, const struct sample *sm, const struct sample_ctx *at,
		  struct strbuf *out)
{
	struct resolved_frame f;

	if (!frame_resolve(&w->cache, at, sm->cpumode, sm->ip, false, &f) ||
	    line_more_source(line_more_of(w), sm->tid, &f, w->dry || w->cache.blocked, out))
		return;
	vec_push(&w->lines, (struct line_query){ f.loc.dso, f.loc.dso_addr });
	w->cache.blocked = true;
}
