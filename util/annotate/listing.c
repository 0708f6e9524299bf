/* Listing: the instructions and source lines of one function, with what was counted at each. */
#include "annotate.h"
#include "objdump.h"
#include "../obj/short-name.h"
#include "../resolve/code.h"
#include "../resolve/data-types.h"
#include "../sym/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct listing_work {
	struct annotate *a;
	const struct annotated *f;
	const struct symbol *sym;
	struct arena *arena;
	struct view_listing *l;
	struct code code;
	u32 max_line;		/* the last line of `file` that is shown */
	const char *file;	/* of the source lines shown last */
	u32 at_line;
	const struct line_info *before;	/* of the instruction before */
};

static void add_members(struct listing_work *w)
{
	const struct evset *set = w->a->session->data->evset;

	for (u32 ev = w->f->event; ev < set->ev.nr; ev++) {
		const struct event *e = evset_at(set, ev);
		const struct hist_event *all = &w->a->hist->event[ev];

		if (ev != w->f->event && (!w->a->opts->group || e->leader != w->f->event))
			break;
		vec_push(&w->l->member, (struct listing_member){
			.event = e->name, .all_nr = all->shown.nr, .all_period = all->shown.period,
			.frequency = e->attr.flags & ATTR_FREQ ? e->attr.sample_period : 0 });
	}
}

/* the hits of instruction [addr, addr + size), which are those of the dso's addresses */
static u32 take_hits(struct listing_work *w, u32 *at, u64 addr, u32 size)
{
	const struct address_hit *hit = w->a->hit.v + w->f->first;
	u32 first = LISTING_NO_HITS;

	for (; *at < w->f->nr && hit[*at].addr < addr + size; (*at)++) {
		u32 member = hit[*at].event - w->f->event;

		if (member >= w->l->member.nr || hit[*at].addr < addr)
			continue;
		if (first == LISTING_NO_HITS) {
			first = w->l->hits.nr;
			for (u32 i = 0; i < w->l->member.nr; i++)
				vec_push(&w->l->hits, (struct listing_hits){ 0 });
		}
		w->l->hits.v[first + member].nr += hit[*at].nr;
		w->l->hits.v[first + member].period += hit[*at].period;
	}
	return first;
}

static void sum_members(struct listing_work *w)
{
	for (u32 i = 0; i < w->f->nr; i++) {
		const struct address_hit *h = &w->a->hit.v[w->f->first + i];
		u32 member = h->event - w->f->event;

		if (member >= w->l->member.nr)
			continue;
		w->l->member.v[member].nr += h->nr;
		w->l->member.v[member].period += h->period;
	}
}

/* "119d <work+0x64>" of an address as linked */
static const char *target_text(const struct listing_work *w, u64 svma)
{
	const struct symbols *s = w->a->session->symbols;
	/* in the dso's address space, whose distance to linked addresses is the same in the whole segment */
	u64 addr = svma - w->code.svma + w->sym->start;
	const struct symbol *to = symbols_find(s, w->f->dso, addr);
	struct strbuf text = STRBUF_INIT;
	const char *ret;

	strbuf_addf(&text, "%lx", svma);
	if (to) {
		strbuf_addstr(&text, " <");
		strbuf_add_safe(&text, symbols_show(s, w->f->dso, to, w->arena));
		if (addr != to->start)
			strbuf_addf(&text, "+0x%lx", addr - to->start);
		strbuf_addch(&text, '>');
	}
	ret = arena_strdup(w->arena, strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

static const char *safe_text(struct listing_work *w, const char *s)
{
	struct strbuf text = STRBUF_INIT;
	const char *ret;

	source_line_add(&text, s);
	ret = arena_strdup(w->arena, strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

static void add_source(struct listing_work *w, u32 number)
{
	const char *text = source_line(&w->a->sources, w->file, number);

	if (text)
		vec_push(&w->l->line, (struct listing_line){ .kind = LISTING_SOURCE, .number = number,
							     .text = safe_text(w, text) });
}

/* going on from a line of the same file shows the lines between, too, unless they are far apart */
#define GAP_MAX 10u

/* the source lines before an instruction: those that were not shown yet, or else that line again */
static void add_sources(struct listing_work *w, const char *file, u32 line)
{
	u32 from = line;

	if (w->file && !strcmp(w->file, file)) {
		if (line == w->at_line)
			return;
		if (line > w->max_line && line - w->max_line <= GAP_MAX)
			from = w->max_line + 1;
	} else {
		w->max_line = 0;
	}
	w->file = file;
	w->at_line = line;
	for (u32 i = from; i <= line; i++)
		add_source(w, i);
	w->max_line = MAX(w->max_line, line);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool same_inlined(const struct line_info *a, const struct line_info *b)
{
	u32 nr_a = a ? a->nr_inlined : 0, nr_b = b ? b->nr_inlined : 0;

	for (u32 i = 0; nr_a == nr_b && i < nr_a; i++)
		if (a->inlined[i].name != b->inlined[i].name &&
		    strcmp(a->inlined[i].name, b->inlined[i].name))
			return false;
	return nr_a == nr_b;
}

static void add_short_name(const char *name, struct strbuf *out)
{
	struct strbuf sb = STRBUF_INIT;

	short_name(*name ? name : "[unknown]", &sb);
	strbuf_add_safe(out, strbuf_str(&sb));
	strbuf_release(&sb);
}

/* a note where inlined code begins, or ends: the innermost function, and the one that is called here */
static void add_inlined(struct listing_work *w, const struct line_info *info)
{
	struct strbuf text = STRBUF_INIT;
	u32 nr = info->nr_inlined;

	if (same_inlined(info, w->before))
		return;
	strbuf_addstr(&text, nr ? "inlined " : "not inlined");
	if (nr)
		add_short_name(info->inlined[0].name, &text);
	if (nr > 2)
		strbuf_addf(&text, " in %u more", nr - 2);
	if (nr > 1) {
		strbuf_addstr(&text, " in ");
		add_short_name(info->inlined[nr - 1].name, &text);
	}
	vec_push(&w->l->line, (struct listing_line){ .kind = LISTING_NOTE,
						     .text = arena_strdup(w->arena, strbuf_str(&text)) });
	strbuf_release(&text);
}

/* source lines and the place of an instruction */
static const char *place_of(struct listing_work *w, u64 addr)
{
	const struct line_info *info = lines_find(w->a->lines, w->f->dso, addr);
	const char *file = NULL;
	struct strbuf text = STRBUF_INIT;
	const char *ret;
	u32 line = 0;

	if (info) {
		file = info->nr_inlined ? info->inlined[0].file : info->file;
		line = info->nr_inlined ? info->inlined[0].line : info->line;
	}
	if (!file || !line)
		return NULL;
	if (w->a->opts->source) {
		add_inlined(w, info);
		add_sources(w, file, line);
	}
	w->before = info;
	strbuf_add_safe(&text, w->a->opts->full_paths ? file : base_name(file));
	strbuf_addf(&text, ":%u", line);
	ret = arena_strdup(w->arena, strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

static u8 arrow_of(const struct disasm_insn *in, bool inside)
{
	if (in->kind == DISASM_CALL)
		return LISTING_CALL;
	if (in->kind == DISASM_RETURN)
		return LISTING_RETURN;
	/* a jump out of the function is a call in its last place */
	if (in->kind != DISASM_JUMP || !in->has_target)
		return LISTING_NO_ARROW;
	return !inside ? LISTING_CALL : in->target > in->addr ? LISTING_DOWN : LISTING_UP;
}

/* the type of data that an instruction accesses, NULL if it is not known */
static const char *type_of(struct listing_work *w, u64 addr)
{
	struct strbuf text = STRBUF_INIT;
	const struct access *access;
	const char *ret = NULL;

	if (!w->a->types)
		return NULL;
	access = data_types_find(w->a->types, w->f->dso, w->f->symbol, addr);
	if (access->why == ACCESS_TYPED && !access->fused) {
		data_type_add_member(w->a->types, w->f->dso, access, false, &text);
		ret = arena_strdup(w->arena, strbuf_str(&text));
	}
	strbuf_release(&text);
	return ret;
}

static void add_insn(struct listing_work *w, const struct disasm_insn *in, size_t off, u32 hits)
{
	bool inside = in->has_target && in->target >= w->code.svma && in->target < w->code.svma + w->code.nr;
	const char *where = w->a->lines ? place_of(w, w->sym->start + off) : NULL;

	vec_push(&w->l->line, (struct listing_line){
		.kind = LISTING_INSN, .arrow = arrow_of(in, inside), .nr_bytes = in->size, .hits = hits,
		.addr = in->addr, .bytes = arena_memdup(w->arena, w->code.byte + off, in->size),
		.text = arena_strdup(w->arena, in->mnemonic),
		.operands = arena_strdup(w->arena, in->operands),
		.target = in->has_target ? target_text(w, in->target) : NULL, .target_addr = in->target,
		.inside = inside, .where = where, .data_type = type_of(w, w->sym->start + off) });
}

/* asks for the lines of all instructions at once */
static void load_lines(struct listing_work *w)
{
	struct line_query *q = xcalloc(w->code.nr + 1, sizeof(*q));

	for (size_t i = 0; i < w->code.nr; i++)
		q[i] = (struct line_query){ w->f->dso, w->sym->start + i };
	lines_load_dso(w->a->lines, w->f->dso, q, w->code.nr);
	free(q);
}

static int cmp_lines(const void *x, const void *y)
{
	const struct listing_line *a = x, *b = y;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

/* marks instructions to which jumps of this function go */
static void mark_targets(struct view_listing *l)
{
	struct listing_line *insn = xcalloc(l->line.nr + 1, sizeof(*insn));
	size_t nr = 0;

	vec_foreach(&l->line, line)
		if (line->kind == LISTING_INSN) {
			insn[nr] = *line;
			insn[nr++].number = line - l->line.v;
		}
	vec_foreach(&l->line, line) {
		struct listing_line key = { .addr = line->target_addr };
		const struct listing_line *to = line->inside && line->arrow != LISTING_CALL ?
			bsearch(&key, insn, nr, sizeof(*insn), cmp_lines) : NULL;

		if (to)
			l->line.v[to->number].is_target = true;
	}
	free(insn);
}

static int add_insns(struct listing_work *w, struct err *err)
{
	struct disasm *d = disasm_open(&w->code.target, err);
	struct disasm_insn in;
	u32 at = 0;

	if (!d)
		return err->code;
	if (w->a->lines)
		load_lines(w);
	for (size_t off = 0; off < w->code.nr; off += in.size) {
		disasm_next(d, w->code.byte + off, w->code.nr - off, w->code.svma + off, &in);
		add_insn(w, &in, off, take_hits(w, &at, w->sym->start + off, in.size));
	}
	disasm_close(d);
	return 0;
}

static int add_objdump_insns(struct listing_work *w, struct err *err)
{
	struct objdump_text o;
	int ret = objdump_run(&o, w->a->opts->objdump, &w->code, err);
	u32 at = 0;

	if (ret)
		return ret;
	if (w->a->lines)
		load_lines(w);
	vec_foreach(&o.insn, in) {
		size_t off = in->addr - w->code.svma;

		add_insn(w, in, off, take_hits(w, &at, w->sym->start + off, in->size));
	}
	objdump_release(&o);
	return 0;
}

static int add_code(struct listing_work *w, struct err *err)
{
	int ret = code_read(&w->code, w->a->session, w->f->dso, w->sym, err);

	if (ret)
		return ret;
	w->code.target.intel = w->a->opts->intel;
	ret = w->a->opts->objdump ? add_objdump_insns(w, err) : add_insns(w, err);
	w->l->start = w->code.svma;
	code_release(&w->code);
	if (ret)
		return ret;
	mark_targets(w->l);
	annotate_add_blocks(w->a, w->f->dso, w->sym->start, w->sym->end, w->l);
	return 0;
}

void annotate_listing(struct annotate *a, size_t i, struct arena *arena, struct view_listing *ret)
{
	annotate_function(a, &a->function.v[i], arena, ret);
}

void annotate_function(struct annotate *a, const struct annotated *f, struct arena *arena,
		       struct view_listing *ret)
{
	const struct dso *dso = dsos_at(machine_dsos(a->session->machine), f->dso);
	struct listing_work w = { .a = a, .f = f, .arena = arena, .l = ret,
				  .sym = &symbols_table(a->session->symbols, f->dso)->sym[f->symbol] };
	struct strbuf why = STRBUF_INIT;
	struct err err = ERR_INIT;

	*ret = (struct view_listing){ .symbol = symbols_show(a->session->symbols, f->dso, w.sym, arena),
				      .dso = dso->long_name, .module = dso->short_name,
				      .start = w.sym->start };
	add_members(&w);
	sum_members(&w);
	if (add_code(&w, &err)) {
		err_describe(&err, &why);
		ret->why = arena_strdup(arena, strbuf_str(&why));
		strbuf_release(&why);
	}
}

void annotate_listing_release(struct view_listing *l)
{
	vec_release(&l->member);
	vec_release(&l->line);
	vec_release(&l->hits);
	vec_release(&l->block);
}
