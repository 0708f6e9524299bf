/* Futex: waits added up: rows, holders, chains. */
#include "futex-private.h"

#include <stdlib.h>
#include <string.h>

static bool is_same_place(const struct futex_place *a, const struct futex_place *b)
{
	return a->dso == b->dso && a->addr == b->addr;
}

static u64 row_hash(const struct futex_row *r)
{
	u64 h = hash_mix(hash_u64(r->futex), (u32)r->pid);

	h = hash_mix(hash_mix(h, (u32)r->waiter), (u32)r->waker);
	h = hash_mix(hash_mix(h, r->wait_at.dso), r->wait_at.addr);
	return hash_u64(hash_mix(hash_mix(h, r->wake_at.dso), r->wake_at.addr));
}

static bool is_same_row(const struct futex_row *a, const struct futex_row *b, enum futex_by by)
{
	switch (by) {
	case FUTEX_BY_THREAD:
		return a->waiter == b->waiter && a->waker == b->waker;
	case FUTEX_BY_LOCK:
		return a->pid == b->pid && a->futex == b->futex;
	case FUTEX_BY_CALLER:
		break;
	}
	return is_same_place(&a->wait_at, &b->wait_at) && is_same_place(&a->wake_at, &b->wake_at);
}

static struct futex_row *row_of(struct futex *f, const struct futex_row *wanted)
{
	struct futex_row key = { .wait_at.dso = ID_NONE, .wake_at.dso = ID_NONE };
	enum futex_by by = f->opts->by;
	u64 hash;

	if (by == FUTEX_BY_THREAD) {
		key.waiter = wanted->waiter;
		key.waker = wanted->waker;
	} else if (by == FUTEX_BY_LOCK) {
		key.pid = wanted->pid;
		key.futex = wanted->futex;
	} else {
		key.wait_at = wanted->wait_at;
		key.wake_at = wanted->wake_at;
	}
	hash = row_hash(&key);
	return vec_find_or_add(&f->row, &f->row.idx, hash, e, is_same_row(e, wanted, by), *wanted);
}

static void add_row(struct futex *f, const struct futex_task *t, const struct futex_task *by, u64 ns)
{
	struct futex_row wanted = {
		.pid = t->pid, .futex = t->futex, .waiter = t->tid, .waker = by ? by->tid : -1,
		.wait_at = t->place, .wake_at = { .dso = ID_NONE }, .waiter_comm = t->comm,
		.waker_comm = by ? by->comm : ID_NONE,
	};
	struct futex_row *row;

	if (by)
		wanted.wake_at = t->wake_at;
	row = row_of(f, &wanted);
	row->waiters |= row->waiter != wanted.waiter;
	row->wakers |= row->waker != wanted.waker;
	row->waits_at |= !is_same_place(&row->wait_at, &wanted.wait_at);
	row->wakes_at |= !is_same_place(&row->wake_at, &wanted.wake_at);
	lock_times_add(&row->times, ns);
}

static bool is_new_pair(struct futex *f, u64 pair)
{
	size_t nr = f->pair.nr;

	vec_find_or_add_id(&f->pair, &f->pair.idx, hash_u64(pair), p, *p == pair, pair);
	return f->pair.nr > nr;
}

static void add_holder(struct futex *f, s32 tid, s32 waiter, u64 ns)
{
	struct futex_holder *h = vec_find_or_add(&f->holder, &f->holder.idx, hash_u64((u32)tid), o,
						 o->tid == tid, (struct futex_holder){ .tid = tid });

	lock_times_add(&h->times, ns);
	h->nr_waiters += is_new_pair(f, (u64)(u32)tid << 32 | (u32)waiter);
}

/* the wait of a task that covers most of a span; NULL: it did not wait then */
static const struct futex_span *overlap(const struct futex_task *t, const struct futex_span *in, u64 *ret_ns)
{
	const struct futex_span *best = NULL;

	*ret_ns = 0;
	for (u32 i = 0; i < MIN(t->nr_recent, FUTEX_MAX_RECENT); i++) {
		const struct futex_span *s = &t->recent[i];
		u64 from = MAX(s->from, in->from), to = MIN(s->to, in->to);

		if (to > from && to - from > *ret_ns && s->waker >= 0) {
			*ret_ns = to - from;
			best = s;
		}
	}
	return best;
}

static bool has_tid(const struct futex_chain *c, s32 tid)
{
	for (u32 i = 0; i < c->nr; i++)
		if (c->tid[i] == tid)
			return true;
	return false;
}

static void count_chain(struct futex *f, const struct futex_chain *found, u64 ns)
{
	u64 hash = hash_bytes(found->tid, found->nr * sizeof(*found->tid));
	struct futex_chain new = *found, *c;

	new.root = 0;
	c = vec_find_or_add(&f->chain, &f->chain.idx, hash, o, o->nr == found->nr &&
			    !memcmp(o->tid, found->tid, o->nr * sizeof(*o->tid)), new);
	c->root += found->root;
	lock_times_add(&c->times, ns);
}

/* who the task waited for, who that one waited for during this time, and so on */
static void add_chain(struct futex *f, const struct futex_task *t, u64 ns)
{
	struct futex_span in = { .from = t->begin, .to = t->woken };
	struct futex_chain c = { .nr = 1, .tid = { t->tid } };
	s32 next = t->waker;

	while (next >= 0 && c.nr < FUTEX_MAX_CHAIN && !has_tid(&c, next)) {
		const struct futex_span *s;
		u64 common;

		c.tid[c.nr++] = next;
		s = overlap(futex_task(f, next), &in, &common);
		if (!s || has_tid(&c, s->waker))
			break;
		in.from = MAX(in.from, s->from);
		in.to = MIN(in.to, s->to);
		c.root = common;
		next = s->waker;
	}
	if (c.nr >= 3)
		count_chain(f, &c, ns);
}

void futex_add_wait(struct futex *f, struct futex_task *t, u64 end)
{
	u64 ns = end - t->begin;

	if (t->waker < 0 || t->woken > end || t->woken < t->begin) {
		t->waker = -1;
		t->woken = end;
	}
	add_row(f, t, t->waker < 0 ? NULL : futex_task(f, t->waker), ns);
	if (t->waker >= 0) {
		add_holder(f, t->waker, t->tid, ns);
		add_chain(f, t, ns);
	}
	t->recent[t->nr_recent++ % FUTEX_MAX_RECENT] =
		(struct futex_span){ .from = t->begin, .to = t->woken, .waker = t->waker };
}

void futex_init(struct futex *f, const struct session *s, const struct futex_opts *opts)
{
	*f = (struct futex){ .session = s, .opts = opts, .futex_nr = futex_number(session_elf_machine(s)) };
	resolver_init(&f->resolver, s, &f->scratch);
}

void futex_release(struct futex *f)
{
	resolver_release(&f->resolver);
	vec_foreach(&f->task, t)
		free(*t);
	vec_release(&f->task);
	vec_release(&f->wake);
	vec_release(&f->row);
	vec_release(&f->chain);
	vec_release(&f->holder);
	vec_release(&f->pair);
	hidx_release(&f->task.idx);
	hidx_release(&f->wake.idx);
	hidx_release(&f->row.idx);
	hidx_release(&f->chain.idx);
	hidx_release(&f->holder.idx);
	hidx_release(&f->pair.idx);
	arena_release(&f->scratch);
	arena_release(&f->arena);
}
