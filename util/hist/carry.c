/* Carry: see carry.h. */
#include "carry.h"
#include "../session/feed.h"

#include <errno.h>
#include <stdlib.h>

int hist_carry_check(const struct sort_order *order, struct err *err)
{
	const u32 refused = NEEDS_WEIGHTS | NEEDS_TRACE | NEEDS_LATENCY | NEEDS_PARALLELISM;

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

static void add_row(struct hist_carry *c, const struct hist *h, u32 sample_key, const struct carry_row *row)
{
	if (!row->nr && !row->period)
		return;
	vec_push(&c->row, *row);
	vec_reserve(&c->key, c->key.nr + c->nr_key);
	memcpy(c->key.v + c->key.nr, h->carried_key.v + (size_t)sample_key * c->nr_key,
	       c->nr_key * sizeof(u64));
	c->key.nr += c->nr_key;
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

	for (u32 i = 0; i + 1 < ARRAY_SIZE(part); i++)
		part[ARRAY_SIZE(part) - 1].period -= part[i].period;
	for (u32 i = 0; i < ARRAY_SIZE(part); i++)
		most = part[i].period > part[most].period ? i : most;
	for (u32 i = 0; i < ARRAY_SIZE(part); i++)
		add_row(c, h, e->sample_key, &(struct carry_row){ .frame = *frame, .cpumode = part[i].mode,
			.period = part[i].period, .nr = i == most ? s.nr : 0 });
}

#define MAX_CHAINS 20000u	/* of an event: chains with a smaller share are forgotten */

/* positions of the frames of a chain, innermost first; frame_of: by label */
static void add_chain(struct hist_carry *c, const struct hist *h, u32 node, const u32 *frame_of)
{
	u32 first = c->chain.nr;

	for (; h->trie.node.v[node].parent; node = h->trie.node.v[node].parent)
		vec_push(&c->chain, frame_of[h->trie.node.v[node].label]);
	if (!h->opts.chain.caller)
		return;
	for (u32 a = first, b = c->chain.nr; a + 1 < b; a++, b--) {
		u32 swap = c->chain.v[a];

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
	vec_reserve(&c->chain_frame, h->names.frame.nr);
	memcpy(c->chain_frame.v, h->names.frame.v, h->names.frame.nr * sizeof(*h->names.frame.v));
	c->chain_frame.nr = h->names.frame.nr;
	for (u32 i = 0; i < h->end.nr; i++) {
		const struct hist_end *e = &h->end.v[i];
		u64 whole = h->event[*key_table_at(&h->sample_keys, e->sample_key)].total.period;
		u32 first = c->chain.nr;

		if (e->period < whole / MAX_CHAINS)
			continue;
		add_chain(c, h, e->node, frame_of);
		add_row(c, h, e->sample_key, &(struct carry_row){ .frame = frame[e->frame_key],
			.cpumode = frame[e->frame_key].cpumode, .nr = e->nr, .period = e->period,
			.chain = first, .nr_chain = c->chain.nr - first });
	}
	free(frame_of);
}

void hist_carry_take(struct hist_carry *c, const struct hist *h)
{
	struct frame *frame = frames_of_keys(h);

	hist_carry_clear(c);
	c->nr_key = h->sample_keys.nr_key;
	if (h->opts.chains)
		take_chains(c, h, frame);
	for (size_t i = 0; i < h->entry.nr && !h->opts.chains; i++) {
		const struct hist_entry *e = blocks_at(&h->entry, i);

		add_entry(c, h, e, &frame[e->frame_key]);
	}
	for (u32 i = 0; i < h->nr_events; i++)
		vec_push(&c->hidden, (struct carry_hidden){ h->event[i].total.nr - h->event[i].shown.nr,
							    h->event[i].total.period -
							    h->event[i].shown.period });
	free(frame);
}

struct hist *hist_carry_count(struct hist_carry *c, struct session *s, const struct hist_opts *opts)
{
	struct hist *h = hist_collect(s, opts);

	hist_carry_take(c, h);
	return h;
}

struct hist *hist_carry_fold(struct hist_carry *c, struct session *s, const struct hist_opts *opts, bool all)
{
	struct hist *h;

	session_feed_take(s, all);
	h = hist_carry_count(c, s, opts);
	session_feed_drop(s);
	return h;
}

static u64 decayed(u64 n)
{
	return n / 8 * 7 + n % 8 * 7 / 8;
}

void hist_carry_decay(struct hist_carry *c)
{
	size_t nr = 0;

	for (size_t i = 0; i < c->row.nr; i++) {
		struct carry_row r = c->row.v[i];

		r.nr = decayed(r.nr);
		r.period = decayed(r.period);
		if (!r.period)
			continue;
		memmove(c->key.v + nr * c->nr_key, c->key.v + i * c->nr_key, c->nr_key * sizeof(u64));
		c->row.v[nr++] = r;
	}
	c->row.nr = nr;
	c->key.nr = nr * c->nr_key;
	vec_foreach(&c->hidden, hidden) {
		hidden->nr = decayed(hidden->nr);
		hidden->period = decayed(hidden->period);
	}
}

void hist_carry_clear(struct hist_carry *c)
{
	c->row.nr = c->key.nr = c->hidden.nr = c->chain.nr = c->chain_frame.nr = 0;
}

void hist_carry_release(struct hist_carry *c)
{
	vec_release(&c->row);
	vec_release(&c->key);
	vec_release(&c->hidden);
	vec_release(&c->chain);
	vec_release(&c->chain_frame);
}

static void give_row(struct count_worker *w, const struct hist_opts *o, const struct hist_carry *c,
		     const struct carry_row *r, const u64 *key, u32 *chain)
{
	struct bucket b = { .sample_key = key_table_get(&w->sample_keys, key),
			    .shape = BUCKET_SHAPE(r->nr_chain, r->cpumode) }, *t;

	if (o->frames)
		b.leaf = frames_add(&w->lookup.frames, r->frame.dso, r->frame.cpumode, r->frame.addr,
				    r->frame.ip);
	for (u32 i = 0; i < r->nr_chain; i++) {
		const struct frame *f = &c->chain_frame.v[c->chain.v[r->chain + i]];

		chain[i] = frames_add(&w->lookup.frames, f->dso, f->cpumode, f->addr, f->ip);
	}
	t = buckets_get(&w->buckets, bucket_hash(&b, chain), &b, chain);
	t->nr += r->nr;
	t->period += r->period;
	w->total[*key].nr += r->nr;
	w->total[*key].period += r->period;
}

void hist_carry_give(const struct hist_carry *c, struct count_worker *w, const struct hist_opts *o)
{
	u32 *chain = xreallocarray(NULL, c->chain.nr + 1, sizeof(*chain));

	for (size_t i = 0; i < c->row.nr; i++)
		give_row(w, o, c, &c->row.v[i], c->key.v + i * c->nr_key, chain);
	free(chain);
	for (size_t i = 0; i < c->hidden.nr; i++) {
		w->total[i].nr += c->hidden.v[i].nr;
		w->total[i].period += c->hidden.v[i].period;
	}
}
