/* Carry: see carry.h. */
#include "carry.h"
#include "../session/feed.h"

#include <errno.h>

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

void hist_carry_take(struct hist_carry *c, const struct hist *h)
{
	struct frame *frame = frames_of_keys(h);

	hist_carry_clear(c);
	c->nr_key = h->sample_keys.nr_key;
	for (size_t i = 0; i < h->entry.nr; i++) {
		const struct hist_entry *e = blocks_at(&h->entry, i);

		add_entry(c, h, e, &frame[e->frame_key]);
	}
	for (u32 i = 0; i < h->nr_events; i++)
		vec_push(&c->hidden, (struct carry_hidden){ h->event[i].total.nr - h->event[i].shown.nr,
							    h->event[i].total.period -
							    h->event[i].shown.period });
	free(frame);
}

struct hist *hist_carry_fold(struct hist_carry *c, struct session *s, const struct hist_opts *opts, bool all)
{
	struct hist *h;

	session_feed_take(s, all);
	h = hist_collect(s, opts);
	hist_carry_take(c, h);
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
	c->row.nr = c->key.nr = c->hidden.nr = 0;
}

void hist_carry_release(struct hist_carry *c)
{
	vec_release(&c->row);
	vec_release(&c->key);
	vec_release(&c->hidden);
}

static void give_row(struct count_worker *w, const struct hist_opts *o, const struct carry_row *r,
		     const u64 *key)
{
	struct bucket b = { .sample_key = key_table_get(&w->sample_keys, key),
			    .shape = BUCKET_SHAPE(0, r->cpumode) }, *t;

	if (o->frames)
		b.leaf = frames_add(&w->lookup.frames, r->frame.dso, r->frame.cpumode, r->frame.addr,
				    r->frame.ip);
	t = buckets_get(&w->buckets, bucket_hash(&b, NULL), &b, NULL);
	t->nr += r->nr;
	t->period += r->period;
	w->total[*key].nr += r->nr;
	w->total[*key].period += r->period;
}

void hist_carry_give(const struct hist_carry *c, struct count_worker *w, const struct hist_opts *o)
{
	for (size_t i = 0; i < c->row.nr; i++)
		give_row(w, o, &c->row.v[i], c->key.v + i * c->nr_key);
	for (size_t i = 0; i < c->hidden.nr; i++) {
		w->total[i].nr += c->hidden.v[i].nr;
		w->total[i].period += c->hidden.v[i].period;
	}
}
