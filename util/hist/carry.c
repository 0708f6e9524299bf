/* Carry: see carry.h. */
#include "carry.h"
#include "address-frames.h"
#include "branch-history.h"

#include <errno.h>
#include <stdlib.h>

int hist_carry_check(const struct sort_order *order, struct err *err)
{
	const u32 refused = NEEDS_LATENCY | NEEDS_PARALLELISM;

	for (u32 i = 0; i < order->nr_keys; i++)
		if (order->key[i]->needs & refused)
			return err_set(err, -EINVAL, "the sort key '%s' is not available in live tables yet",
				       order->key[i]->name);
	for (u32 i = 0; i < order->nr_columns; i++)
		if (order->column[i]->needs & refused)
			return err_set(err, -EINVAL, "the column '%s' is not available in live tables yet",
				       order->column[i]->name);
	return 0;
}

/* a frame for each frame key, which filters keep; frames of one key are the same to the reader */
static struct frame *frames_of_keys(const struct hist *h)
{
	const struct frame nowhere = { .dso = ID_NONE };
	struct frame *ret = xreallocarray(NULL, h->frame_keys.nr + 1, sizeof(*ret));

	for (size_t i = 0; i < h->frame_keys.nr; i++)
		ret[i] = nowhere;
	for (u32 f = h->names.frame.nr; f--;)
		if (!h->keep_frame || h->keep_frame[f] == FILTER_KEEP)
			ret[hist_label_key(h, h->label_of[f])] = h->names.frame.v[f];
	return ret;
}

/* what hist_opts has as the i-th word of a key; NULL: the event */
static const struct field *key_field(const struct hist_opts *o, u32 word)
{
	for (u32 i = 0; i < o->nr_keys && word; i++)
		if (o->key[i]->kind == FIELD_SLOT && !--word)
			return o->key[i];
	return NULL;
}

/* sums: c->nr_sum numbers, or NULL */
static void add_row(struct hist_carry *c, const struct hist *h, u32 sample_key, const struct carry_row *row,
		    const u64 *sums)
{
	const u64 *key = h->carried_key.v + (size_t)sample_key * c->nr_key;

	if (!row->nr && !row->period)
		return;
	vec_push(&c->row, *row);
	for (u32 i = 0; i < c->nr_key; i++)
		vec_push(&c->key, c->is_text[i] ?
			 strtab_add(&c->texts, strtab_get(&h->names.texts, key[i])) : key[i]);
	for (u32 i = 0; i < c->nr_sum; i++)
		vec_push(&c->sum, sums ? sums[i] : 0);
}

/* the sums of an entry in the order of those of buckets */
static const u64 *sums_of(const struct hist_carry *c, const struct hist *h, const struct hist_entry *e,
			  u64 ret[HIST_MAX_SUMS])
{
	const struct hist_more *more;

	if (!c->nr_sum || e->own == HIST_NONE)
		return NULL;
	more = &h->more.v[e->own];
	ret[0] = more->latency;
	memcpy(ret + 1, more->weight, sizeof(more->weight));
	memcpy(ret + 1 + HIST_NR_WEIGHTS, more->branch, sizeof(more->branch));
	if (h->opts.mem_parts)
		memcpy(ret + HIST_FIRST_MEM_PART, h->mem.v[e->own].part, sizeof(h->mem.v->part));
	return ret;
}

/*
 * rows by mode of the CPU, because entries sum up periods by it; samples belong to the mode with
 * most of the period
 */
static void add_entry(struct hist_carry *c, const struct hist *h, const struct hist_entry *e,
		      const struct frame *frame)
{
	const struct stat_sums s = hist_entry_sums(h, e);
	struct { u8 mode; u64 period; } part[] = {
		{ CPUMODE_KERNEL, s.period_sys }, { CPUMODE_USER, s.period_us },
		{ CPUMODE_GUEST_KERNEL, s.period_guest_sys }, { CPUMODE_GUEST_USER, s.period_guest_us },
		{ CPUMODE_UNKNOWN, s.period },
	};
	u32 most = ARRAY_SIZE(part) - 1;
	u64 sums[HIST_MAX_SUMS];

	for (u32 i = 0; i + 1 < ARRAY_SIZE(part); i++)
		part[ARRAY_SIZE(part) - 1].period -= part[i].period;
	for (u32 i = 0; i < ARRAY_SIZE(part); i++)
		most = part[i].period > part[most].period ? i : most;
	for (u32 i = 0; i < ARRAY_SIZE(part); i++)
		add_row(c, h, e->sample_key, &(struct carry_row){ .frame = *frame, .cpumode = part[i].mode,
			.period = part[i].period, .nr = i == most ? s.nr : 0 },
			i == most ? sums_of(c, h, e, sums) : NULL);
}

#define MAX_CHAINS 20000u	/* of an event: chains with a smaller share are forgotten */

/* positions of the frames of a chain, innermost first; frame_of: by label */
static void add_chain(struct hist_carry *c, const struct hist *h, u32 node, const u32 *frame_of)
{
	u32 first = c->chain.nr;

	for (; h->trie.node.v[node].parent; node = h->trie.node.v[node].parent) {
		u32 label = h->trie.node.v[node].label;

		vec_push(&c->chain, ((struct carry_frame){ frame_of[label], h->opts.history ?
							   h->label.v[label].mark : 0 }));
	}
	if (!h->opts.chain.caller)
		return;
	for (u32 a = first, b = c->chain.nr; a + 1 < b; a++, b--) {
		struct carry_frame swap = c->chain.v[a];

		c->chain.v[a] = c->chain.v[b - 1];
		c->chain.v[b - 1] = swap;
	}
}

/* instead of entries, their call chains */
static void take_chains(struct hist_carry *c, const struct hist *h, const struct frame *frame)
{
	u32 *frame_of = xcalloc(h->names.frame.nr + h->label.nr + 1, sizeof(*frame_of));

	for (u32 f = h->names.frame.nr; f--;)
		frame_of[h->label_of[f]] = f;
	vec_foreach(&h->marked_frame, m)
		frame_of[m->label] = m->frame;
	for (u32 i = 0; i < h->end.nr; i++) {
		const struct hist_end *e = &h->end.v[i];
		u64 whole = h->event[*key_table_at(&h->sample_keys, e->sample_key)].total.period;
		u32 first = c->chain.nr;

		if (e->period < whole / MAX_CHAINS)
			continue;
		add_chain(c, h, e->node, frame_of);
		add_row(c, h, e->sample_key, &(struct carry_row){ .frame = frame[e->frame_key],
			.cpumode = frame[e->frame_key].cpumode, .nr = e->nr, .period = e->period,
			.chain = first, .nr_chain = c->chain.nr - first },
			c->nr_sum ? &h->end_sum.v[(size_t)i * c->nr_sum] : NULL);
	}
	free(frame_of);
}

/* whether words of keys, and call chains, are positions in frames */
static bool has_frames(const struct hist *h)
{
	for (u32 i = 0; i < h->opts.nr_keys; i++)
		if (h->opts.key[i]->kind == FIELD_SLOT && h->opts.key[i]->address != ADDRESS_NONE)
			return true;
	return h->opts.chains;
}

static void begin_take(struct hist_carry *c, const struct hist *h)
{
	hist_carry_clear(c);
	c->nr_key = h->sample_keys.nr_key;
	c->nr_sum = hist_nr_sums(&h->opts);
	for (u32 i = 0; i < c->nr_key; i++) {
		const struct field *f = key_field(&h->opts, i);

		c->is_text[i] = f && f->slot_is_text;
		c->is_frame[i] = f && f->address != ADDRESS_NONE;
	}
	if (!has_frames(h))
		return;
	vec_reserve(&c->frame, h->names.frame.nr);
	memcpy(c->frame.v, h->names.frame.v, h->names.frame.nr * sizeof(*h->names.frame.v));
	c->frame.nr = h->names.frame.nr;
}

/*
 * If branches are counted, rows have more branches than samples. Only the number of samples of an event is
 * shown, so it does not matter which row a sample belongs to
 */
static void deal_samples(struct hist_carry *c, const struct hist *h)
{
	u64 *left = xcalloc(h->nr_events, sizeof(*left));

	for (u32 i = 0; i < h->nr_events; i++)
		left[i] = h->event[i].shown.nr;
	for (size_t i = 0; i < c->row.nr; i++) {
		u64 event = c->key.v[i * c->nr_key];

		c->row.v[i].samples = MIN(left[event], c->row.v[i].nr);
		left[event] -= c->row.v[i].samples;
	}
	free(left);
}

void hist_carry_take(struct hist_carry *c, const struct hist *h)
{
	struct frame *frame = frames_of_keys(h);

	begin_take(c, h);
	if (h->opts.chains)
		take_chains(c, h, frame);
	for (size_t i = 0; i < h->entry.nr && !h->opts.chains; i++) {
		const struct hist_entry *e = blocks_at(&h->entry, i);

		add_entry(c, h, e, &frame[e->frame_key]);
	}
	if (h->opts.mode == COUNT_BRANCHES)
		deal_samples(c, h);
	for (u32 i = 0; i < h->nr_events; i++) {
		const struct stat_sums *all = &h->event[i].total, *shown = &h->event[i].shown;

		vec_push(&c->hidden, ((struct carry_hidden){ all->nr - shown->nr, all->period - shown->period,
							     all->cycles - shown->cycles }));
	}
	free(frame);
}

static u64 decayed(u64 n)
{
	return n / 8 * 7 + n % 8 * 7 / 8;
}

#define MAX_ROWS 1000000u	/* of an event: rows with a smaller share are forgotten */

/* by event: the period below which a row is forgotten */
static u64 *least_periods(const struct hist_carry *c)
{
	u64 *least = xcalloc(c->hidden.nr + 1, sizeof(*least));

	for (size_t i = 0; i < c->row.nr; i++)
		least[c->key.v[i * c->nr_key]] += c->row.v[i].period;
	for (size_t i = 0; i < c->hidden.nr; i++)
		least[i] = MAX(least[i] / MAX_ROWS, 1ul);
	return least;
}

void hist_carry_decay(struct hist_carry *c)
{
	u64 *least = least_periods(c);
	size_t nr = 0;

	for (size_t i = 0; i < c->row.nr; i++) {
		struct carry_row r = c->row.v[i];

		r.nr = decayed(r.nr);
		r.samples = decayed(r.samples);
		r.period = decayed(r.period);
		if (r.period < least[c->key.v[i * c->nr_key]])
			continue;
		memmove(c->key.v + nr * c->nr_key, c->key.v + i * c->nr_key, c->nr_key * sizeof(u64));
		for (u32 k = 0; k < c->nr_sum; k++)
			c->sum.v[nr * c->nr_sum + k] = decayed(c->sum.v[i * c->nr_sum + k]);
		c->row.v[nr++] = r;
	}
	free(least);
	c->row.nr = nr;
	c->key.nr = nr * c->nr_key;
	c->sum.nr = nr * c->nr_sum;
	vec_foreach(&c->hidden, hidden) {
		hidden->nr = decayed(hidden->nr);
		hidden->period = decayed(hidden->period);
		hidden->cycles = decayed(hidden->cycles);
	}
}

void hist_carry_clear(struct hist_carry *c)
{
	c->row.nr = c->key.nr = c->sum.nr = c->hidden.nr = c->chain.nr = c->frame.nr = 0;
	strtab_release(&c->texts);
}

void hist_carry_release(struct hist_carry *c)
{
	vec_release(&c->row);
	vec_release(&c->key);
	vec_release(&c->sum);
	vec_release(&c->hidden);
	vec_release(&c->chain);
	vec_release(&c->frame);
	strtab_release(&c->texts);
}

/* what a worker knows of a count that begins with what is carried */
struct giver {
	const struct hist_carry *c;
	const struct hist_opts *o;
	struct count_worker *w;
	u32 *frame;		/* carried position -> frame of the worker, once it was asked for */
	u32 *chain;
};

static u32 give_frame(struct giver *g, const struct frame *f)
{
	return frames_add(&g->w->lookup.frames, f);
}

static u32 frame_at(struct giver *g, u64 pos)
{
	if (g->frame[pos] == ID_NONE)
		g->frame[pos] = give_frame(g, &g->c->frame.v[pos]);
	return g->frame[pos];
}

/* the sample key of a row; last: of branches that end a sample */
static u32 give_key(struct giver *g, size_t row, bool last)
{
	const struct hist_carry *c = g->c;
	u64 key[1 + HIST_MAX_KEYS + BRANCH_WORDS];

	for (u32 i = 0; i < c->nr_key; i++) {
		u64 word = c->key.v[row * c->nr_key + i];

		key[i] = c->is_text[i] ? strtab_add(&g->w->fields.texts, strtab_get(&c->texts, word)) :
			 c->is_frame[i] ? frame_at(g, word) : word;
	}
	if (g->o->mode == COUNT_BRANCHES)
		branch_words_kept(last, key + c->nr_key);
	return key_table_get(&g->w->sample_keys, key);
}

static void give_chain(struct giver *g, const struct carry_row *r)
{
	for (u32 i = 0; i < r->nr_chain; i++) {
		const struct carry_frame *f = &g->c->chain.v[r->chain + i];

		g->chain[i] = frame_at(g, f->frame);
		if (g->o->history)
			g->chain[i] = history_marked(g->w, g->chain[i], f->mark);
	}
}

/* nr, of which these are the samples, and all sums if there are any */
static void give_bucket(struct giver *g, size_t row, bool last, u64 nr, u64 period, const u64 *sums)
{
	const struct carry_row *r = &g->c->row.v[row];
	struct bucket b = { .sample_key = give_key(g, row, last),
			    .shape = BUCKET_SHAPE(r->nr_chain, r->cpumode) }, *t;

	if (g->o->frames)
		b.leaf = give_frame(g, &r->frame);
	t = buckets_get(&g->w->buckets, bucket_hash(&b, g->chain), &b, g->chain);
	t->nr += nr;
	t->period += period;
	for (u32 i = 0; sums && i < g->c->nr_sum; i++)
		bucket_weights(t)[i] += sums[i];
}

static void give_row(struct giver *g, size_t row)
{
	const struct carry_row *r = &g->c->row.v[row];
	const u64 *sums = g->c->nr_sum ? &g->c->sum.v[row * g->c->nr_sum] : NULL;
	struct stat_sums *total = &g->w->total[g->c->key.v[row * g->c->nr_key]];
	bool branches = g->o->mode == COUNT_BRANCHES;
	u64 first = branches ? r->samples : r->nr, period = first < r->nr ? MIN(first, r->period) : r->period;

	give_chain(g, r);
	if (first || !r->nr)
		give_bucket(g, row, true, first, period, sums);
	if (first < r->nr)
		give_bucket(g, row, false, r->nr - first, r->period - period, first ? NULL : sums);
	total->nr += first;
	total->period += r->period;
	total->cycles += g->o->branch_sums ? sums[HIST_FIRST_BRANCH_SUM + HIST_CYCLES] : 0;
}

void hist_carry_give(const struct hist_carry *c, struct count_worker *w, const struct hist_opts *o)
{
	struct giver g = { .c = c, .o = o, .w = w,
		.frame = xreallocarray(NULL, c->frame.nr + 1, sizeof(u32)),
		.chain = xreallocarray(NULL, c->chain.nr + 1, sizeof(u32)) };

	for (size_t i = 0; i < c->frame.nr; i++)
		g.frame[i] = ID_NONE;
	for (size_t i = 0; i < c->row.nr; i++)
		give_row(&g, i);
	free(g.frame);
	free(g.chain);
	for (size_t i = 0; i < c->hidden.nr; i++) {
		w->total[i].nr += c->hidden.v[i].nr;
		w->total[i].period += c->hidden.v[i].period;
		w->total[i].cycles += c->hidden.v[i].cycles;
	}
}
