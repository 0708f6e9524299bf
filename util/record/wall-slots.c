/* Wall-slots: see wall-slots.h. */
#include "wall-slots.h"
#include "bpf-event.h"
#include "wall-encode.h"
#include "../base/sequences.h"
#include "../base/sort.h"
#include "../data/features-write.h"
#include "../event/abi.h"
#include "../event/record-type.h"
#include "../wall/wall.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define MANY 65536u	/* distinct stacks or waits: most are of programs that have ended */

/* a switch that waits for older ones from other CPUs */
struct slot_switch {
	u64 time;
	s32 pid, tid;
	u32 cpu, stack, target;
	struct wall_switch_raw raw;
	struct wall_turns turns;	/* instead of a switch, if its flags are not 0 */
};

struct known_stack {
	u64 hash;
	u32 stack;
	bool used;
	bool has_file;
	struct wall_file_raw file;
};

/* slices that were added up */
struct slot_sum {
	u64 begin, ns, end;	/* end: of its slot, or of the slice */
	u32 nr, cpu;
	s32 pid, tid, waker;
	u32 state, stack, target;
};

struct wall_slots {
	u64 slot_ns;
	struct wall wall;
	struct { VEC(struct slot_switch); } pending;
	struct { VEC(struct sort_pair); } order, scratch;
	struct sequences stack;		/* number of kernel frames, and all frames */
	struct { VEC(struct known_stack); } known;	/* of turns */
	struct hidx by_hash;
	size_t many_known;
	/* letter and BY_END, argument, and the file if there is one; 0: not known */
	struct sequences target;
	struct { VEC(struct slot_sum); } sum;
	struct sequences key;		/* of sums: what has to be equal; ids are positions in sum */
	struct { VEC(u64); } words;
};

/* ---- sums ---- */

static struct slot_sum *sum_of(struct wall_slots *w, const struct wall_slice *s, u64 slot, bool alone)
{
	const u64 key[] = { (u64)(u32)s->tid << 32 | s->state, slot, (u64)s->stack << 32 | s->target,
			    (u32)s->waker, alone ? w->sum.nr + 1 : 0 };
	bool is_new;
	u32 id = sequences_add(&w->key, key, ARRAY_SIZE(key), &is_new);

	if (is_new)
		vec_push(&w->sum, (struct slot_sum){ .pid = s->pid, .tid = s->tid, .waker = s->waker,
			.state = s->state, .stack = s->stack, .target = s->target, .cpu = s->cpu });
	return &w->sum.v[id];
}

/* nr slices, the first of which begins and ends as that one does, and their time */
static void add_slices(struct wall_slots *w, const struct wall_slice *from, u32 nr, u64 ns)
{
	struct wall_slice s = *from;
	u64 slot = s.begin / w->slot_ns;
	bool alone = nr == 1 && ns >= w->slot_ns;
	struct slot_sum *sum;

	/* CPU time is told by samples */
	if (s.state == WALL_ON || s.state == WALL_UNKNOWN)
		s.stack = WALL_NO_STACK;
	sum = sum_of(w, &s, slot, alone);
	if (!sum->nr)
		sum->begin = s.begin;
	sum->end = alone ? s.end : (slot + 1) * w->slot_ns;
	sum->ns += ns;
	sum->nr += nr;
}

static void take_slice(void *ctx, const struct wall_slice *s)
{
	add_slices(ctx, s, 1, s->end - s->begin);
}

static const struct wall_ops ops = { .slice = take_slice };

/* ---- switches ---- */

/* the first number, which threads have that were not seen leaving */
static void target_none(struct wall_slots *w)
{
	bool is_new;

	sequences_add(&w->target, NULL, 0, &is_new);
}

struct wall_slots *wall_slots_new(u64 slot_ns, u64 start)
{
	struct wall_slots *w = xcalloc(1, sizeof(*w));

	w->slot_ns = slot_ns;
	w->many_known = MANY;
	wall_init(&w->wall, &(struct wall_source){ .has_arrivals = true, .has_turns = true }, &ops, w);
	w->wall.now = w->wall.totals.first = w->wall.totals.last = start;
	target_none(w);
	return w;
}

static void add_words(struct wall_slots *w, const void *p, size_t bytes)
{
	u64 word;

	for (size_t i = 0; i < bytes; i += sizeof(word)) {
		word = 0;
		memcpy(&word, (const u8 *)p + i, MIN(sizeof(word), bytes - i));
		vec_push(&w->words, word);
	}
}

static u32 number_of_words(struct wall_slots *w, struct sequences *s)
{
	bool is_new;
	u32 ret = sequences_add(s, w->words.v, w->words.nr, &is_new);

	w->words.nr = 0;
	return ret;
}

static u32 stack_of(struct wall_slots *w, const struct wall_switch *s, const u64 *ip)
{
	if (!(s->nr_kernel + s->nr_user))
		return WALL_NO_STACK;
	vec_push(&w->words, s->nr_kernel);
	add_words(w, ip, (s->nr_kernel + s->nr_user) * sizeof(u64));
	return number_of_words(w, &w->stack);
}

#define BY_END 256u		/* beside the letter of a wait: a thread that ended woke the waiting one */

static u32 target_of(struct wall_slots *w, const struct wall_switch_raw *raw, bool by_end,
		     const struct wall_file_raw *file)
{
	vec_push(&w->words, (raw->letter & 255) | (by_end ? BY_END : 0));
	add_words(w, raw->arg, sizeof(raw->arg));
	if (file)
		add_words(w, file, sizeof(*file));
	return number_of_words(w, &w->target);
}

void wall_slots_add(struct wall_slots *w, const struct wall_switch *s, const u64 *ip,
		    const struct wall_switch_raw *raw, const struct wall_file_raw *file)
{
	struct slot_switch k = { .time = s->time, .pid = s->pid, .tid = s->tid, .cpu = s->cpu, .raw = *raw,
				 .stack = WALL_NO_STACK };

	if (raw->flags & WALL_RAW_HAS_LEFT) {
		k.stack = stack_of(w, s, ip);
		k.target = target_of(w, raw, false, file);
	}
	vec_push(&w->pending, k);
}

static struct known_stack *find_known(struct wall_slots *w, u64 hash)
{
	u32 i;

	HIDX_FOREACH(&w->by_hash, hash, i)
		if (w->known.v[i].hash == hash)
			return &w->known.v[i];
	return NULL;
}

void wall_slots_add_stack(struct wall_slots *w, u64 hash, const struct wall_switch *s, const u64 *ip,
			  const struct wall_file_raw *file)
{
	struct known_stack *k = find_known(w, hash);

	if (!k) {
		hidx_insert(&w->by_hash, hash, w->known.nr);
		k = vec_add(&w->known);
	}
	*k = (struct known_stack){ .hash = hash, .stack = stack_of(w, s, ip), .used = true };
	k->has_file = file;
	if (file)
		k->file = *file;
}

void wall_slots_add_turns(struct wall_slots *w, const struct wall_turns *t, char letter)
{
	vec_push(&w->pending, (struct slot_switch){ .time = t->time, .pid = t->pid, .tid = t->tid,
		.cpu = t->cpu, .stack = WALL_NO_STACK, .turns = *t, .raw = {
			.letter = letter, .arg = { t->arg, t->arg >> 32 } } });
}

bool wall_slots_is_full(const struct wall_slots *w)
{
	return w->known.nr > w->many_known;
}

void wall_slots_forget(struct wall_slots *w, const u64 *keep, size_t nr)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++) {
		struct known_stack *k = find_known(w, keep[i]);

		if (k)
			k->used = true;
	}
	vec_foreach(&w->pending, p) {
		struct known_stack *k = p->turns.flags ? find_known(w, p->turns.hash) : NULL;

		if (k)
			k->used = true;
	}
	hidx_release(&w->by_hash);
	for (size_t i = 0; i < w->known.nr; i++) {
		if (!w->known.v[i].used)
			continue;
		w->known.v[kept] = w->known.v[i];
		w->known.v[kept].used = false;
		hidx_insert(&w->by_hash, w->known.v[kept].hash, kept);
		kept++;
	}
	w->known.nr = kept;
	w->many_known = MAX(MANY, 2 * kept);
}

void wall_slots_lost(struct wall_slots *w)
{
	wall_lost(&w->wall, w->wall.now);
}

/* the target that says it, too */
static u32 by_end(struct wall_slots *w, u32 target)
{
	u32 nr;
	const u64 *words = sequences_get(&w->target, target, &nr);

	for (u32 i = 0; i < nr; i++)
		vec_push(&w->words, i ? words[i] : words[i] | BY_END);
	return number_of_words(w, &w->target);
}

static void note_end(struct wall_slots *w, s32 tid)
{
	const struct wall_thread *t = wall_asleep(&w->wall, tid);

	if (t)
		wall_wait_was(&w->wall, tid, t->wait, by_end(w, t->target));
}

static void take_switch(struct wall_slots *w, const struct slot_switch *s)
{
	const struct wall_switch_raw *raw = &s->raw;
	struct wall_event e = { .time = s->time, .pid = s->pid, .tid = s->tid, .cpu = s->cpu,
				.stack = s->stack, .target = s->target };
	u64 woken = raw->woken[0] | (u64)raw->woken[1] << 32;

	if (raw->flags & WALL_RAW_UNSEEN)
		wall_unseen(&w->wall, &e);
	if (raw->flags & WALL_RAW_HAS_LEFT && (raw->letter == 'X' || raw->letter == 'Z'))
		wall_end(&w->wall, &e);
	else if (raw->flags & WALL_RAW_HAS_LEFT)
		wall_leave(&w->wall, &e, raw->letter, WALL_WAIT_OTHER, false);
	if (!raw->next_tid)
		return;
	e = (struct wall_event){ .time = s->time, .pid = raw->next_pid, .tid = raw->next_tid, .cpu = s->cpu,
				 .stack = WALL_NO_STACK };
	if (raw->flags & WALL_RAW_BEGAN)
		wall_began(&w->wall, &e, woken);
	else if (woken && raw->flags & WALL_RAW_BY_END)
		note_end(w, raw->next_tid);
	if (woken && !(raw->flags & WALL_RAW_BEGAN))
		wall_woken(&w->wall, &e, woken, raw->flags & WALL_RAW_BY_INTERRUPT ? 0 : raw->waker_tid);
	if (raw->flags & WALL_RAW_NEXT_UNSEEN)
		wall_unseen(&w->wall, &e);
	if (!(raw->flags & WALL_RAW_MISSED))
		wall_arrive(&w->wall, &e);
}

/* times of the parts of the first turn, if there are more: as of an average one */
static void give_turns(struct wall_slots *w, const struct wall_event *e, const struct wall_turns *t)
{
	u64 left = t->begin + t->on / t->nr, waited = left + t->wait / t->nr;
	struct wall_slice s = { .pid = e->pid, .tid = e->tid, .cpu = e->cpu, .state = WALL_ON,
				.stack = e->stack, .waker = -1, .begin = t->begin, .end = left };

	if (t->on)
		add_slices(w, &s, t->nr, t->on);
	s.state = WALL_BLOCKED;
	s.begin = left;
	s.end = waited;
	s.target = e->target;
	s.waker = t->waker;
	if (t->wait)
		add_slices(w, &s, t->nr, t->wait);
	s.state = WALL_RUNNABLE;
	s.begin = waited;
	s.end = waited + t->run / t->nr;
	s.target = 0;
	s.waker = -1;
	if (t->run)
		add_slices(w, &s, t->nr, t->run);
}

static void take_turns(struct wall_slots *w, const struct slot_switch *p)
{
	const struct wall_turns *t = &p->turns;
	struct known_stack *k = find_known(w, t->hash);
	struct wall_event e = { .time = t->time, .pid = t->pid, .tid = t->tid, .cpu = t->cpu,
				.stack = WALL_NO_STACK };

	if (t->nr || t->on)
		e.target = target_of(w, &p->raw, t->flags & WALL_BY_END, k && k->has_file ? &k->file : NULL);
	if (k) {
		e.stack = k->stack;
		k->used = true;
	}
	if (t->nr) {
		give_turns(w, &e, t);
		wall_told(&w->wall, &e, t->on + t->wait + t->run);
		return;
	}
	wall_resume(&w->wall, &e, t->begin);
	if (t->flags & WALL_UNSEEN)
		wall_gone(&w->wall, &e);
	else if (t->on)
		wall_left(&w->wall, &e, t->begin + t->on, p->raw.letter, WALL_WAIT_OTHER);
}

static void take_pending(struct wall_slots *w, u64 until)
{
	size_t nr = w->pending.nr, kept = 0;

	w->order.nr = w->scratch.nr = 0;
	for (size_t i = 0; i < nr; i++) {
		vec_push(&w->order, (struct sort_pair){ w->pending.v[i].time, i });
		vec_add(&w->scratch);
	}
	if (nr)
		sort_pairs(w->order.v, w->scratch.v, nr);
	for (size_t i = 0; i < nr && w->order.v[i].key <= until; i++) {
		const struct slot_switch *s = &w->pending.v[w->order.v[i].val];

		if (s->turns.flags)
			take_turns(w, s);
		else
			take_switch(w, s);
	}
	for (size_t i = 0; i < nr; i++)
		if (w->pending.v[i].time > until)
			w->pending.v[kept++] = w->pending.v[i];
	w->pending.nr = kept;
}

/* ---- samples ---- */

static void put_chain(struct strbuf *out, const struct wall_slots *w, u32 stack)
{
	u32 nr = 0;
	const u64 *ip = stack == WALL_NO_STACK ? NULL : sequences_get(&w->stack, stack, &nr);
	u64 kernel = ip ? ip[0] : 0, user = ip ? nr - 1 - kernel : 0;

	put_u64(out, kernel + !!kernel + user + !!user);
	if (kernel)
		put_u64(out, PERF_CONTEXT_KERNEL);
	if (kernel)
		strbuf_add(out, ip + 1, kernel * sizeof(u64));
	if (user)
		put_u64(out, PERF_CONTEXT_USER);
	if (user)
		strbuf_add(out, ip + 1 + kernel, user * sizeof(u64));
}

/* with its size before it */
static void put_raw(struct strbuf *out, const struct wall_slots *w, const struct slot_sum *s)
{
	struct wall_slot_raw raw = {
		.slot_us = w->slot_ns / 1000, .state = s->state, .nr = s->nr, .waker_tid = MAX(s->waker, 0),
		.flags = s->waker > 0 ? WALL_SLOT_HAS_WAKER :
			 s->waker ? 0 : WALL_SLOT_HAS_WAKER | WALL_SLOT_BY_INTERRUPT,
		.begin = { s->begin, s->begin >> 32 }, .ns = { s->ns, s->ns >> 32 },
	};
	bool waits = s->state == WALL_BLOCKED;
	u32 nr = 0, bytes = 0;
	const u64 *target = waits ? sequences_get(&w->target, s->target, &nr) : NULL;

	if (nr > 2)
		bytes = wall_file_raw_bytes((const void *)(target + 2));
	if (nr > 1) {
		raw.letter = target[0] & 255;
		raw.flags |= target[0] & BY_END ? WALL_SLOT_BY_END : 0;
		memcpy(raw.arg, target + 1, sizeof(raw.arg));
	}
	put_u32(out, sizeof(raw) + bytes);
	strbuf_add(out, &raw, sizeof(raw));
	if (bytes)
		strbuf_add(out, target + 2, bytes);
}

/* fields in the order of perf_event_open(2) */
static void put_sample(struct strbuf *out, const struct wall_slots *w, const struct slot_sum *s, u64 time,
		       u64 id)
{
	size_t begin = out->len;
	struct rec_header h = { .type = REC_SAMPLE, .misc = PERF_RECORD_MISC_USER };
	u32 nr = 0;
	const u64 *ip = s->stack == WALL_NO_STACK ? NULL : sequences_get(&w->stack, s->stack, &nr);

	if (ip && ip[0])
		h.misc = PERF_RECORD_MISC_KERNEL;
	strbuf_add(out, &h, sizeof(h));
	put_u64(out, id);
	put_u64(out, ip ? ip[1] : 0);
	put_u32(out, s->pid);
	put_u32(out, s->tid);
	put_u64(out, time);
	put_u64(out, s->cpu);
	put_u64(out, s->ns);
	put_chain(out, w, s->stack);
	put_raw(out, w, s);
	h.size = out->len - begin;
	memcpy(out->buf + begin, &h, sizeof(h));
}

static int by_begin(const void *a, const void *b)
{
	const struct slot_sum *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->tid != y->tid ? (x->tid < y->tid ? -1 : 1) : (x->state > y->state) - (x->state < y->state);
}

static u32 copy_number(struct sequences *to, const struct sequences *from, u32 number)
{
	bool is_new;
	u32 nr;
	const u64 *v;

	if (number >= from->seq.nr)
		return number;
	v = sequences_get(from, number, &nr);
	return sequences_add(to, v, nr, &is_new);
}

/* all stacks and targets but those of what threads do now, of sums and of switches that wait */
static void forget(struct wall_slots *w)
{
	struct sequences stack = w->stack, target = w->target;

	w->stack = w->target = (struct sequences){ 0 };
	target_none(w);
#define COPY(x) \
	(x)->stack = copy_number(&w->stack, &stack, (x)->stack); \
	(x)->target = copy_number(&w->target, &target, (x)->target);
	vec_foreach(&w->wall.thread, t) {
		COPY(t)
	}
	vec_foreach(&w->pending, p) {
		COPY(p)
	}
	vec_foreach(&w->sum, s) {
		COPY(s)
	}
	vec_foreach(&w->known, k)
		k->stack = copy_number(&w->stack, &stack, k->stack);
#undef COPY
	sequences_release(&stack);
	sequences_release(&target);
}

/* the keys of the sums that are there */
static void renew_keys(struct wall_slots *w)
{
	struct { VEC(struct slot_sum); } rest = { .v = w->sum.v, .nr = w->sum.nr };

	sequences_release(&w->key);
	memset(&w->sum, 0, sizeof(w->sum));
	vec_foreach(&rest, s) {
		struct wall_slice key = { .tid = s->tid, .state = s->state, .stack = s->stack,
					  .target = s->target, .waker = s->waker };

		*sum_of(w, &key, s->begin / w->slot_ns, false) = *s;
	}
	vec_release(&rest);
}

/* of slots that end by then; what was added to one that goes on is told when it is over */
static void put_sums(struct wall_slots *w, u64 over, u64 time, u64 id, struct strbuf *out)
{
	size_t nr = 0;

	if (w->sum.nr)
		qsort(w->sum.v, w->sum.nr, sizeof(*w->sum.v), by_begin);
	vec_foreach(&w->sum, s) {
		if (s->end <= over)
			put_sample(out, w, s, time, id);
		else
			w->sum.v[nr++] = *s;
	}
	w->sum.nr = nr;
	if (w->stack.seq.nr > MANY + w->known.nr || w->target.seq.nr > MANY)
		forget(w);
	renew_keys(w);
}

void wall_slots_put(struct wall_slots *w, u64 until, bool last, u64 id, struct strbuf *out)
{
	take_pending(w, last ? UINT64_MAX : until);
	if (last) {
		w->wall.now = MAX(w->wall.now, until);
		wall_finish(&w->wall);
	}
	put_sums(w, last ? UINT64_MAX : until, until, id, out);
}

void wall_slots_free(struct wall_slots *w)
{
	if (!w)
		return;
	wall_release(&w->wall);
	vec_release(&w->pending);
	vec_release(&w->known);
	hidx_release(&w->by_hash);
	vec_release(&w->order);
	vec_release(&w->scratch);
	sequences_release(&w->stack);
	sequences_release(&w->target);
	sequences_release(&w->key);
	vec_release(&w->sum);
	vec_release(&w->words);
	free(w);
}
