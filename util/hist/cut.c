/* Cut: see cut.h. */
#include "cut.h"

#include <stdlib.h>

#define CUT_BITS 22u
#define MORE_PARTS 1u		/* bits: with more tasks than workers, fewer sums are in memory */

struct cut_ctx {
	struct path_cut *cut;
	const struct hist *h;
	const struct worker_results *results;
};

u64 path_cut_min(const struct hist *h, u32 event)
{
	const struct hist_event *ev = &h->event[event];

	return MIN(ev->total.period, ev->shown.period) / h->opts.cut;
}

/*
 * the hash of what a picture shows as one frame: a name, or all addresses of a file without names. It depends
 * on texts and addresses, not on numbers that differ between runs of the workers
 */
static u64 shown_frame_hash(const struct hist *h, u32 t)
{
	bool by_name = h->opts.chain.key == CHAIN_KEY_FUNCTION;
	const struct named *nm = &h->names.named.v[by_name ? t : h->names.named_of[t]];
	const struct frame *f = &h->names.frame.v[by_name ? nm->frame : t];
	u64 hash = hash_mix(hash_u64(nm->dso), nm->name ? hash_bytes(nm->name, strlen(nm->name)) : 0);

	return nm->dso == ID_NONE || (nm->name && !by_name) ? hash_mix(hash, f->addr) : hash;
}

static u64 next_hash(const struct path_cut *c, const struct hist *h, u64 hash, u32 label)
{
	return hash_mix(hash, c->frame[hist_label_text(h, label)]);
}

static u32 slot_of(u64 hash)
{
	return hash_u64(hash) >> (64 - CUT_BITS);
}

static u64 sum_of(const struct path_cut *c, u64 hash)
{
	u32 slot = slot_of(hash);

	return cut_table_sum(&c->sum[slot & ((1u << c->bits) - 1)], slot >> c->bits);
}

static u64 least_min(const struct hist *h)
{
	u64 min = UINT64_MAX;

	for (u32 event = 0; event < h->nr_events; event++)
		if (h->event[event].shown.nr)
			min = MIN(min, path_cut_min(h, event));
	return min;
}

/* each task has the sums of other hashes */
static void add_sums(void *arg, unsigned int worker UNUSED, size_t part)
{
	const struct cut_ctx *c = arg;
	u32 bits = c->cut->bits, mask = (1u << bits) - 1;
	struct cut_table sum;
	struct path p = { 0 };
	const struct bucket *t;

	cut_table_init(&sum, 1u << (CUT_BITS - bits));
	for (u32 b = 0; b < c->h->sample_keys.nr; b++) {
		u32 event = *key_table_at(&c->h->sample_keys, b);

		for (u32 i = 0; i < c->results->nr; i++) {
			SAMPLE_KEY_FOREACH_BUCKET(&c->results->v[i], b, t) {
				u64 hash = event;

				bucket_path(c->h, &c->results->v[i], t, &p);
				for (u32 k = 0; k < p.nr; k++) {
					hash = next_hash(c->cut, c->h, hash, p.v[k]);
					if ((slot_of(hash) & mask) == part)
						cut_table_add(&sum, slot_of(hash) >> bits, t->period);
				}
			}
		}
	}
	vec_release(&p);
	/* what no event keeps; most sums are of a single sample */
	cut_table_drop(&sum, least_min(c->h));
	c->cut->sum[part] = sum;	/* not before: tasks write to their own cache lines */
}

/* a stack with more than the smallest period has no frame with less */
static bool has_small(const struct cut_ctx *c)
{
	const struct bucket *t;

	for (u32 b = 0; b < c->h->sample_keys.nr; b++) {
		u64 min = path_cut_min(c->h, *key_table_at(&c->h->sample_keys, b));

		for (u32 i = 0; i < c->results->nr; i++)
			SAMPLE_KEY_FOREACH_BUCKET(&c->results->v[i], b, t)
				if (t->period < min)
					return true;
	}
	return false;
}

void path_cut_make(struct path_cut *cut, const struct hist *h, const struct worker_results *s)
{
	struct cut_ctx c = { cut, h, s };
	size_t nr;

	*cut = (struct path_cut){ .bits = hist_part_bits(h) + MORE_PARTS };
	if (!h->opts.cut || !h->opts.chain.caller || !has_small(&c))
		return;
	nr = h->opts.chain.key == CHAIN_KEY_FUNCTION ? h->names.named.nr : h->names.frame.nr;
	cut->frame = xreallocarray(NULL, nr + 1, sizeof(*cut->frame));
	for (size_t t = 0; t < nr; t++)
		cut->frame[t] = shown_frame_hash(h, t);
	cut->sum = xcalloc(1u << cut->bits, sizeof(*cut->sum));
	pool_run(h->session->pool, 1u << cut->bits, add_sums, &c);
}

void path_cut_release(struct path_cut *c)
{
	for (u32 i = 0; c->sum && i < 1u << c->bits; i++)
		cut_table_release(&c->sum[i]);
	free(c->sum);
	free(c->frame);
}

u32 path_cut_keep(const struct path_cut *c, const struct hist *h, u32 event, const struct path *p)
{
	u64 hash = event, min = path_cut_min(h, event);

	for (u32 i = 0; c->sum && i < p->nr; i++) {
		hash = next_hash(c, h, hash, p->v[i]);
		if (sum_of(c, hash) < min)
			return i;
	}
	return p->nr;
}
