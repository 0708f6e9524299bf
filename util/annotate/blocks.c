/*
 * Annotate: cycles of basic blocks, from branch stacks. A branch has the number of cycles since the branch
 * before it; the code that ran in this time reaches from the earlier branch's target to the later one's
 * source.
 */
#include "annotate.h"
#include "../fields/field-family.h"
#include "../base/search.h"
#include "../hist/collect.h"

#include <stdlib.h>

/* the keys of the count: where the block begins and ends, and its cycles */
static const struct field field_start = {
	.name = "start", .title = "Start", .kind = FIELD_SLOT, .address = ADDRESS_BRANCH,
	.slot = slot_block_start, .of_frame = frame_itself, .needs = NEEDS_BRANCH | NEEDS_SYM,
};
static const struct field field_end = {
	.name = "end", .title = "End", .kind = FIELD_SLOT, .address = ADDRESS_BRANCH,
	.slot = slot_block_end, .of_frame = frame_itself, .needs = NEEDS_BRANCH | NEEDS_SYM,
};

static bool has_branches(const struct session *s)
{
	const struct evset *set = s->data->evset;

	for (u32 i = 0; i < set->ev.nr; i++)
		if (attr_has_branches(&evset_at(set, i)->attr))
			return true;
	return false;
}

static void take_block(struct annotate *a, const struct hist *h, const struct hist_entry *e)
{
	const struct frame *start = &h->names.frame.v[hist_entry_key(h, e, 0)];
	const struct frame *end = &h->names.frame.v[hist_entry_key(h, e, 1)];
	u64 cycles = hist_entry_key(h, e, 2);

	if (e->own == HIST_NONE || !cycles || start->dso == ID_NONE || start->dso != end->dso ||
	    start->addr > end->addr)
		return;
	vec_push(&a->block, (struct block_run){ .dso = start->dso, .start = start->addr, .end = end->addr,
						.cycles = cycles, .nr = h->own.v[e->own].nr });
}

static int cmp_blocks(const void *x, const void *y)
{
	const struct block_run *a = x, *b = y;

	if (a->dso != b->dso)
		return a->dso < b->dso ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

void annotate_count_blocks(struct annotate *a)
{
	struct hist_opts ho = { .mode = COUNT_BRANCHES, .nr_keys = 3, .symbols = true, .frames = true,
				.key = { &field_start, &field_end, &field_cycles } };
	struct hist *h;

	if (!has_branches(a->session))
		return;
	hist_use_filter(&ho, &a->opts->filter);
	h = hist_collect(a->session, &ho);
	for (u32 ev = 0; ev < h->nr_events; ev++)
		for (size_t i = 0; i < h->event[ev].nr_entries; i++)
			take_block(a, h, blocks_at(&h->entry, h->event[ev].first + i));
	if (a->block.nr)
		qsort(a->block.v, a->block.nr, sizeof(*a->block.v), cmp_blocks);
	hist_free(h);
}

/* the instructions of a listing, in its lines */
struct insn_lines {
	struct { VEC(u32); } line;
	bool *covered;
};

/* position of the instruction at an address; insns->line.nr: none begins there */
static u32 insn_at(const struct view_listing *l, const struct insn_lines *insns, u64 addr)
{
	u32 lo = LOWER_BOUND(insns->line.nr, i, l->line.v[insns->line.v[i]].addr < addr);

	return lo < insns->line.nr && l->line.v[insns->line.v[lo]].addr == addr ? lo : insns->line.nr;
}

/* bias: addresses as linked minus addresses of the dso */
static void add_block(struct view_listing *l, struct insn_lines *insns, const struct block_run *b, u64 bias)
{
	u32 first = insn_at(l, insns, b->start + bias), last = insn_at(l, insns, b->end + bias);
	struct listing_line *line;
	struct listing_block *sum;

	if (first == insns->line.nr || last == insns->line.nr)
		return;
	line = &l->line.v[insns->line.v[last]];
	if (!line->block) {
		vec_push(&l->block, (struct listing_block){ .min = b->cycles });
		line->block = l->block.nr;
	}
	sum = &l->block.v[line->block - 1];
	sum->nr += b->nr;
	sum->cycles += b->nr * b->cycles;
	sum->insns += b->nr * (last - first + 1);
	sum->min = MIN(sum->min, b->cycles);
	sum->max = MAX(sum->max, b->cycles);
	for (u32 i = first; i <= last; i++)
		insns->covered[i] = true;
}

/* the first block that ends at or after start in a dso, or later */
static size_t first_block(const struct annotate *a, u32 dso, u64 start)
{
	const struct block_run *b = a->block.v;

	return LOWER_BOUND(a->block.nr, i, b[i].dso < dso || (b[i].dso == dso && b[i].end < start));
}

static bool block_is_in(const struct annotate *a, size_t i, u32 dso, u64 end)
{
	return i < a->block.nr && a->block.v[i].dso == dso && a->block.v[i].end < end;
}

bool annotate_has_blocks(const struct annotate *a, u32 dso, u32 symbol)
{
	const struct symbol *sym = &symbols_table(a->session->symbols, dso)->sym[symbol];

	return block_is_in(a, first_block(a, dso, sym->start), dso, sym->end);
}

void annotate_add_blocks(const struct annotate *a, u32 dso, u64 start, u64 end, struct view_listing *l)
{
	struct insn_lines insns = { .covered = NULL };
	size_t lo = first_block(a, dso, start);

	if (!block_is_in(a, lo, dso, end))
		return;
	for (u32 i = 0; i < l->line.nr; i++)
		if (l->line.v[i].kind == LISTING_INSN)
			vec_push(&insns.line, i);
	insns.covered = xcalloc(insns.line.nr + 1, sizeof(*insns.covered));
	for (; block_is_in(a, lo, dso, end); lo++)
		add_block(l, &insns, &a->block.v[lo], l->start - start);
	for (u32 i = 0; i < insns.line.nr; i++)
		l->covered += insns.covered[i];
	l->insns = insns.line.nr;
	vec_release(&insns.line);
	free(insns.covered);
}
