/* Branch-code: see branch-code.h. */
#include "branch-code.h"

#include <string.h>
#include "line-state.h"

#define BLOCK_MAX 16384u	/* bytes of code between two branches; more is damage */
#define BYTES_WIDTH 24		/* of a branch's bytes, before its remarks */
#define BRANCH_FIELDS (FIELD_BIT(BRSTACKINSN) | FIELD_BIT(BRSTACKINSNLEN) | FIELD_BIT(BRSTACKDISASM))

struct branch_walk {
	struct line_worker *w;
	u64 mask;
	const struct sample_ctx *at;
	struct strbuf *out;
	const struct stream_format *f;	/* NULL: text */
	u32 nr_rows;
	const struct symbol *shown;	/* whose name was printed last */
	u32 nr_insns;			/* of the block */
	u64 cycles;			/* of all branches so far */
};

struct branch_code *line_branch_code_of(struct line_worker *w)
{
	if (!w->branch_code)
		w->branch_code = branch_code_new(w->sc->s);
	return w->branch_code;
}

static bool resolve(struct branch_walk *k, u64 ip, struct resolved_frame *f)
{
	u8 cpumode = (s64)ip < 0 ? CPUMODE_KERNEL : CPUMODE_USER;

	return frame_resolve(&k->w->cache, k->at, cpumode, ip, false, f);
}

/* "file:line" of an address; false where lines must be loaded first */
static bool add_place(struct branch_walk *k, const struct resolved_frame *f, const char *before)
{
	const struct line_info *info = f->loc.dso == ID_NONE ? NULL :
				       lines_find(k->w->cache.lines, f->loc.dso, f->loc.dso_addr);
	const char *slash;

	if (!(k->mask & FIELD_BIT(SRCLINE)) || f->loc.dso == ID_NONE)
		return true;
	if (!info) {
		vec_push(&k->w->lines, (struct line_query){ f->loc.dso, f->loc.dso_addr });
		k->w->cache.blocked = true;
		return false;
	}
	if (!info->file || !info->line)
		return true;
	slash = k->w->sc->o->frame.full_source_path ? NULL : strrchr(info->file, '/');
	strbuf_addstr(k->out, before);
	strbuf_add_safe(k->out, slash ? slash + 1 : info->file);
	strbuf_addf(k->out, ":%u", info->line);
	return true;
}

/* the function's name, where it is another than that of the instruction before */
static void add_function(struct branch_walk *k, const struct resolved_frame *f)
{
	u64 off = f->sym ? f->loc.dso_addr - f->sym->start : 0;

	if (f->sym == k->shown)
		return;
	k->shown = f->sym;
	if (!f->sym || k->f)
		return;
	strbuf_addch(k->out, '\t');
	strbuf_add_safe(k->out, frame_name(&k->w->cache, f));
	if (off)
		strbuf_addf(k->out, "+%llu", (unsigned long long)off);
	strbuf_addch(k->out, ':');
	add_place(k, f, "\t");
	strbuf_addch(k->out, '\n');
}

static double insns_per_cycle(const struct branch_walk *k, const struct branch_entry *b)
{
	return k->nr_insns && BRANCH_CYCLES(b->flags) ? (double)k->nr_insns / BRANCH_CYCLES(b->flags) : 0;
}

static void add_remarks(struct branch_walk *k, const struct branch_entry *b)
{
	double ipc = insns_per_cycle(k, b);

	strbuf_addf(k->out, "\t#%s%s%s%s", b->flags & BRANCH_PREDICTED ? " PRED" : "",
		    b->flags & BRANCH_MISPRED ? " MISPRED" : "", b->flags & BRANCH_IN_TX ? " INTX" : "",
		    b->flags & BRANCH_ABORT ? " ABORT" : "");
	if (!BRANCH_CYCLES(b->flags))
		return;
	strbuf_addf(k->out, " %u cycles [%llu]", (u32)BRANCH_CYCLES(b->flags), (unsigned long long)k->cycles);
	if (ipc > 0)
		strbuf_addf(k->out, " %.2f IPC", ipc);
}

static void add_bytes(const struct code_insn *in, struct strbuf *out)
{
	for (u32 i = 0; i < in->nr_bytes; i++) {
		strbuf_add_hex(out, in->byte[i], 2, '0');
		if (i + 1 < in->nr_bytes)
			strbuf_addch(out, ' ');
	}
}

static void text_insn(struct branch_walk *k, const struct resolved_frame *f, const struct code_insn *in,
		      const struct branch_entry *b)
{
	size_t start;

	strbuf_addch(k->out, '\t');
	strbuf_add_hex(k->out, in->ip, 16, '0');
	strbuf_addch(k->out, '\t');
	if (!(k->mask & FIELD_BIT(BRSTACKDISASM)) || !in->text)
		strbuf_addstr(k->out, "insn: ");
	start = k->out->len;
	if (k->mask & FIELD_BIT(BRSTACKDISASM) && in->text)
		strbuf_addstr(k->out, in->text);
	else
		add_bytes(in, k->out);
	strbuf_addch(k->out, ' ');
	if (b && k->out->len - start < BYTES_WIDTH)
		strbuf_pad(k->out, ' ', BYTES_WIDTH - (k->out->len - start));
	if (k->mask & FIELD_BIT(BRSTACKINSNLEN))
		strbuf_addf(k->out, "\tilen: %u", in->nr_bytes);
	if (b) {
		add_place(k, f, "\t srcline: ");
		add_remarks(k, b);
	}
	strbuf_addch(k->out, '\n');
}

static void cell_insn(struct branch_walk *k, const struct resolved_frame *f, const struct code_insn *in,
		      const struct branch_entry *b)
{
	struct strbuf bytes = STRBUF_INIT;

	if (k->nr_rows++)
		k->f->next_row(k->out);
	k->f->begin_row(k->out);
	stream_address(k->f, k->out, "addr", in->ip);
	if (f->sym)
		stream_text(k->f, k->out, "sym", frame_name(&k->w->cache, f));
	add_bytes(in, &bytes);
	stream_text(k->f, k->out, "insn", strbuf_str(&bytes));
	stream_number(k->f, k->out, "insnlen", in->nr_bytes);
	if (k->mask & FIELD_BIT(BRSTACKDISASM) && in->text)
		stream_text(k->f, k->out, "disasm", in->text);
	stream_bool(k->f, k->out, "branch", b);
	if (b && BRANCH_CYCLES(b->flags)) {
		stream_number(k->f, k->out, "cycles", BRANCH_CYCLES(b->flags));
		stream_number(k->f, k->out, "insns", k->nr_insns);
	}
	k->f->end_row(k->out);
	strbuf_release(&bytes);
}

/* one instruction; b: the branch that leaves it. False: there is no code */
static bool add_insn(struct branch_walk *k, u64 ip, const struct branch_entry *b, struct code_insn *in)
{
	struct resolved_frame f;

	if (!resolve(k, ip, &f))
		return false;
	branch_code_insn(line_branch_code_of(k->w), &f, k->mask & FIELD_BIT(BRSTACKDISASM), in);
	if (!in->nr_bytes)
		return false;
	add_function(k, &f);
	(k->f ? cell_insn : text_insn)(k, &f, in, b);
	return true;
}

/* the instructions from an address on to that of a branch */
static void add_block(struct branch_walk *k, u64 from, const struct branch_entry *b)
{
	struct code_insn in;

	k->nr_insns = 0;
	if (b->from - from > BLOCK_MAX)
		return;		/* addresses in the wrong order, too */
	for (u64 ip = from; ip <= b->from; ip += in.nr_bytes) {
		k->nr_insns++;
		if (!add_insn(k, ip, ip == b->from ? b : NULL, &in))
			return;
	}
}

/* from the newest branch to the sample, as far as the code runs straight */
static void add_rest(struct branch_walk *k, u64 from, u64 ip)
{
	struct code_insn in;

	if (ip > from && ip - from > BLOCK_MAX)
		return;
	for (u32 bytes = 0; bytes <= BLOCK_MAX; bytes += in.nr_bytes, from += in.nr_bytes) {
		if (!add_insn(k, from, NULL, &in) || ip - from < in.nr_bytes)
			return;
		if (in.stops)
			break;
	}
	if (!k->f)
		strbuf_addstr(k->out, "\t... not reaching sample ...\n");
}

static void walk_branches(struct branch_walk *k, const struct sample *sm, u64 nr)
{
	const struct branch_entry *b = sm->branches;
	struct code_insn in;

	for (u64 i = nr; i--;) {
		k->cycles += BRANCH_CYCLES(b[i].flags);
		if (i + 1 == nr)
			add_insn(k, b[i].from, &b[i], &in);
		else
			add_block(k, b[i + 1].to, &b[i]);
	}
	if (!(b[0].flags & BRANCH_ABORT))
		add_rest(k, b[0].to, sm->ip);
}

void line_branch_code(struct line_worker *w, u64 mask, const struct sample *sm, const struct sample_ctx *at,
		      struct strbuf *out)
{
	u32 max = w->sc->o->max_blocks;
	struct branch_walk k = { .w = w, .mask = mask, .at = at, .out = out, .f = w->sc->o->format };

	if (!(mask & BRANCH_FIELDS) || !sm->nr_branches)
		return;
	if (k.f)
		k.f->begin_rows(out, "brstackinsn");
	else
		strbuf_addch(out, '\n');
	walk_branches(&k, sm, max && sm->nr_branches > max ? (u64)max + 1 : sm->nr_branches);
	if (k.f)
		k.f->end_rows(out);
}

void line_disasm(struct line_worker *w, const struct resolved_frame *f, struct strbuf *out)
{
	struct code_insn in;

	branch_code_insn(line_branch_code_of(w), f, true, &in);
	if (!in.text)
		return;
	strbuf_addstr(out, "\t\t");
	strbuf_addstr(out, in.text);
}
