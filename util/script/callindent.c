/* Callindent: what a branch of a hardware trace called or returned from, indented by the depth of calls. */
#include "callindent.h"

#include <stdlib.h>
#include <string.h>
#include "../event/insn-flags.h"

#define INDENT 4u
#define WIDTH 32u	/* names end at a multiple, as upstream has them if they do not grow */
#define NAMES 1024u	/* a power of 2 */

/* the escaped name at an address of a dso; text NULL: free */
struct call_name {
	u64 addr;
	u32 dso, len;
	char *text;
};

/* texts that were made before: programs call the same functions again and again */
struct callindent {
	struct call_name name[NAMES];
	struct { VEC(char *); } dso;	/* "(PATH)" by dso; NULL: not made yet */
};

static struct callindent *callindent_of(struct line_worker *w)
{
	if (!w->callindent)
		w->callindent = xcalloc(1, sizeof(*w->callindent));
	return w->callindent;
}

void callindent_free(struct callindent *c)
{
	if (!c)
		return;
	for (u32 i = 0; i < NAMES; i++)
		free(c->name[i].text);
	vec_foreach(&c->dso, text)
		free(*text);
	vec_release(&c->dso);
	free(c);
}

static void keep_name(struct line_worker *w, struct call_name *n, const struct loc *loc, const char *name)
{
	strbuf_reset(&w->cell_text);
	strbuf_add_safe(&w->cell_text, name);
	free(n->text);
	*n = (struct call_name){ .addr = loc->dso_addr, .dso = loc->dso, .len = w->cell_text.len,
				 .text = xstrdup(strbuf_str(&w->cell_text)) };
}

/* the function that is entered, or left, by its name or else its address; nothing for other branches */
static void put_name(struct line_worker *w, const struct sample *sm, const struct sample_ctx *at,
		     struct strbuf *out)
{
	bool enters = sm->insn_flags & (INSN_CALL | INSN_TRACE_BEGIN);
	u64 ip = enters ? sm->addr : sm->ip;
	struct resolved_frame f = { .ip = ip, .sym_idx = ID_NONE };
	struct call_name *n;
	const char *name;

	if (!enters && !(sm->insn_flags & (INSN_RETURN | INSN_TRACE_END)))
		return;
	f.loc = frame_locate(&w->cache, at, sm->cpumode, ip, enters);
	n = &callindent_of(w)->name[(f.loc.dso_addr ^ f.loc.dso_addr >> 10 ^ f.loc.dso) % NAMES];
	if (likely(n->text && n->addr == f.loc.dso_addr && n->dso == f.loc.dso)) {
		strbuf_add(out, n->text, n->len);
		return;
	}
	name = frame_find_symbol(&w->cache, &f) ? frame_name(&w->cache, &f) : NULL;
	if (name) {
		keep_name(w, n, &f.loc, name);
		strbuf_add(out, n->text, n->len);
	} else if (ip) {
		strbuf_add_hex(out, ip, 0, ' ');
	}
}

/* "(PATH)" of the file where the branch is */
static void put_dso(struct line_worker *w, const struct sample *sm, const struct sample_ctx *at, bool offset,
		    struct strbuf *out)
{
	struct resolved_frame f = { .ip = sm->ip, .sym_idx = ID_NONE };
	struct callindent *c = callindent_of(w);
	const char *text;
	bool keep;

	f.loc = frame_locate(&w->cache, at, sm->cpumode, sm->ip, false);
	keep = !offset && f.loc.dso != ID_NONE;
	while (keep && c->dso.nr <= f.loc.dso)
		vec_push(&c->dso, NULL);
	if (likely(keep && c->dso.v[f.loc.dso])) {
		strbuf_addstr(out, c->dso.v[f.loc.dso]);
		return;
	}
	strbuf_reset(&w->cell_text);
	frame_put_dso(&w->cache, &f, offset, &w->cell_text);
	text = w->cell_text.buf + 1;	/* without its space */
	strbuf_addstr(out, text);
	if (keep)
		c->dso.v[f.loc.dso] = xstrdup(text);
}

void line_callindent(struct line_worker *w, u64 mask, const struct sample *sm, const struct sample_ctx *at,
		     struct strbuf *out)
{
	u32 depth = INSN_DEPTH(sm->insn_flags) + (sm->insn_flags & INSN_CALL ? 1 : 0);
	size_t start, used;

	if (mask & FIELD_BIT(DSO) && !(mask & FIELD_BIT(IP))) {
		put_dso(w, sm, at, mask & FIELD_BIT(DSOFF), out);
		strbuf_addch(out, '\t');
	}
	start = out->len;
	strbuf_pad(out, ' ', INDENT * depth);
	put_name(w, sm, at, out);
	used = (out->len - start) % WIDTH;
	if (used || out->len == start)
		strbuf_pad(out, ' ', WIDTH - used);
}
