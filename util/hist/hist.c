/* Hist: see hist.h. */
#include "hist.h"

#include <stdlib.h>
#include "../session/session.h"

struct field_ctx hist_field_ctx(struct hist *h)
{
	return (struct field_ctx){ .machine = h->session->machine, .symbols = h->session->symbols,
				   .opts = &h->opts.fields, .names = &h->names, .verbose = h->opts.verbose };
}

struct stat_sums hist_entry_sums(const struct hist *h, const struct hist_entry *e)
{
	struct stat_sums s = { .nr_children = e->nr_children, .period_children = e->period_children };
	const struct hist_own *own;

	if (e->own == HIST_NONE)
		return s;
	own = &h->own.v[e->own];
	s.nr = own->nr;
	s.period = own->period;
	s.period_sys = own->period_sys;
	s.period_us = own->period_us;
	s.period_guest_sys = own->period_guest_sys;
	s.period_guest_us = own->period_guest_us;
	if (h->mem.nr)
		s.mem_part = h->mem.v[e->own].part;
	if (h->more.nr) {
		const struct hist_more *more = &h->more.v[e->own];

		s.latency = more->latency;
		s.latency_children = more->latency_children;
		memcpy(s.weight, more->weight, sizeof(s.weight));
		s.branches = more->branch[HIST_BRANCHES];
		s.predicted = more->branch[HIST_PREDICTED];
		s.aborts = more->branch[HIST_ABORTS];
		s.cycles = more->branch[HIST_CYCLES];
	}
	return s;
}

bool hist_has_column(const struct hist *h, const struct field *f)
{
	return !f->mem_part || h->mem_used >> (f->mem_part - 1) & 1;
}

u64 hist_entry_period(const struct hist *h, const struct hist_entry *e)
{
	return e->own == HIST_NONE ? 0 : h->own.v[e->own].period;
}

u64 hist_entry_key(const struct hist *h, const struct hist_entry *e, u32 i)
{
	if (h->opts.key[i]->kind == FIELD_SLOT)
		return key_table_at(&h->sample_keys, e->sample_key)[h->key_word[i]];
	return key_table_at(&h->frame_keys, e->frame_key)[h->key_word[i]];
}

u32 hist_part_bits(const struct hist *h)
{
	u32 bits = 0;

	while (bits < HIST_MAX_PART_BITS && 1u << bits < pool_nr_workers(h->session->pool))
		bits++;
	return bits;
}

void hist_free(struct hist *h)
{
	if (!h)
		return;
	free(h->event);
	blocks_release(&h->entry);
	names_release(&h->names);
	key_table_release(&h->sample_keys);
	key_table_release(&h->frame_keys);
	vec_release(&h->carried_key);
	vec_release(&h->label);
	free(h->label_of);
	free(h->keep_frame);
	free(h->dso_sampled);
	trie_release(&h->trie);
	vec_release(&h->item);
	vec_release(&h->item_weight);
	vec_release(&h->end);
	vec_release(&h->end_sum);
	vec_release(&h->marked_frame);
	vec_release(&h->own);
	vec_release(&h->more);
	vec_release(&h->mem);
	hist_slots_release(&h->slots);
	blocks_release(&h->timed);
	vec_release(&h->fp);
	stack_ends_release(&h->ends);
	free(h);
}
