/*
 * Decoding of samples and of sample_id trailers. Order of the fields: <linux/perf_event.h> at
 * PERF_RECORD_SAMPLE. Every count comes from the file and is checked against the bytes that the record has
 * left.
 */
#include "plan.h"
#include "../base/cursor.h"
#include "record-type.h"

#include <errno.h>
#include <string.h>

#define HOST_IS_BE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static inline u64 slot_u64(const u8 *p, bool swap)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return unlikely(swap) ? bswap_64(v) : v;
}

static inline u32 slot_u32(const u8 *p, bool swap)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return unlikely(swap) ? bswap_32(v) : v;
}

/* the number of the event with this id, plus 1; 0: no table has it */
static inline u32 ids_find(const struct sample_plan *plan, u64 id)
{
	const struct plan_ids *ids = plan->ids;

	if (likely(id - ids[0].min < ids[0].span))
		return ids[0].table[id - ids[0].min];
	return id - ids[1].min < ids[1].span ? ids[1].table[id - ids[1].min] : 0;
}

static inline const struct event_plan *plan_by_id(const struct sample_plan *plan, u64 id)
{
	const struct event *ev;

	if (likely(plan->ids[0].span)) {
		u32 k = ids_find(plan, id);

		return k ? &plan->ev[k - 1] : NULL;
	}
	ev = evset_by_id(plan->set, id);
	return ev ? &plan->ev[ev->idx] : NULL;
}

/*
 * Tries the id at each position where an event keeps it; a match counts only if that event does keep its id
 * there.
 */
static __attribute__((noinline)) const struct event_plan *
plan_of_sample_slow(const struct sample_plan *plan, const struct rec *rec)
{
	bool null_id = false;

	for (u32 i = 0; i < plan->nr_places; i++) {
		const struct event_plan *ep;
		u32 off = 8 + 8 * plan->place[i].slot;
		u64 id;

		if (off + 8 > rec->size)
			continue;
		id = slot_u64(rec->p + off, rec->swap);
		ep = plan_by_id(plan, id);
		if (ep && ep->id_slot == plan->place[i].slot)
			return ep;
		null_id |= !id;
	}
	/* pipe files without ids, and samples that a tool synthesized: the first event's */
	if (plan->nr && (null_id || !plan->nr_places || !plan->set->id_val.nr))
		return &plan->ev[0];
	return NULL;
}

static inline const struct event_plan *plan_of_sample(const struct sample_plan *plan, const struct rec *rec)
{
	u32 off = 8 + 8 * plan->place[0].slot;
	const struct event_plan *ep;
	u32 k;

	if (plan->nr == 1)
		return &plan->ev[0];
	if (likely(off + 8 <= rec->size)) {
		k = ids_find(plan, slot_u64(rec->p + off, rec->swap));
		if (likely(k)) {
			ep = &plan->ev[k - 1];
			if (likely(ep->id_slot == plan->place[0].slot))
				return ep;
		}
	}
	return plan_of_sample_slow(plan, rec);
}

static const struct event_plan *plan_of_trailer(const struct sample_plan *plan, const struct rec *rec)
{
	if (rec->type >= REC_USER_START || !plan->nr)
		return NULL;
	for (u32 i = 0; i < plan->nr_places && plan->nr > 1; i++) {
		const struct event_plan *ep;
		u32 back = 8 * plan->place[i].trailer;

		if (back + 8 > rec->size)
			continue;
		ep = plan_by_id(plan, slot_u64(rec->p + rec->size - back, rec->swap));
		if (ep && ep->id_trailer == plan->place[i].trailer)
			return ep;
	}
	return &plan->ev[0];	/* synthesized records have id 0 and the first event's layout */
}

const struct event *sample_event(const struct sample_plan *plan, const struct rec *rec)
{
	const struct event_plan *ep;

	ep = rec->type == REC_SAMPLE ? plan_of_sample(plan, rec) : plan_of_trailer(plan, rec);
	return ep ? ep->event : NULL;
}

/*
 * n u64 values: in place if possible, else a native and aligned copy; NULL and c->bad if the record is too
 * short
 */
static const u64 *array_u64(struct cursor *c, u64 n, struct arena *scratch)
{
	const u8 *p;
	u64 *copy;

	if (n > cursor_left(c) / 8)
		c->bad = true;
	p = c->bad ? NULL : cursor_bytes(c, n * 8);
	if (!p || (!c->swap && !((uintptr_t)p & 7)))
		return (const u64 *)p;
	copy = arena_alloc(scratch, n * 8);
	for (u64 i = 0; i < n; i++)
		copy[i] = slot_u64(p + 8 * i, c->swap);
	return copy;
}

static void decode_read_value(struct cursor *c, u64 read_format, struct read_value *v)
{
	if (read_format & ABI_READ_ID)
		v->id = cursor_u64(c);
	if (read_format & ABI_READ_LOST)
		v->lost = cursor_u64(c);
}

static void decode_read_times(struct cursor *c, u64 read_format, struct sample *out)
{
	if (read_format & ABI_READ_TIME_ENABLED)
		out->time_enabled = cursor_u64(c);
	if (read_format & ABI_READ_TIME_RUNNING)
		out->time_running = cursor_u64(c);
}

/*
 * Decoders of the fields of kind OWN: decode_MEMBER(). After a field that is damaged, all others read as 0.
 */
static void decode_read(struct cursor *c, const struct event_plan *ep, struct sample *out,
			struct arena *scratch)
{
	u64 read_format = ep->read_format;
	u32 value_size = 8 * (1 + !!(read_format & ABI_READ_ID) + !!(read_format & ABI_READ_LOST));
	struct read_value *v;
	u64 nr;

	if (!(read_format & ABI_READ_GROUP)) {
		v = ARENA_NEW(scratch, struct read_value);
		v->value = cursor_u64(c);
		decode_read_times(c, read_format, out);
		decode_read_value(c, read_format, v);
		out->reads = v;
		out->nr_reads = 1;
		return;
	}
	nr = cursor_u64(c);
	decode_read_times(c, read_format, out);
	if (nr > cursor_left(c) / value_size)
		c->bad = true;
	if (c->bad)
		return;
	v = arena_zalloc(scratch, nr * sizeof(*v));
	for (u64 i = 0; i < nr; i++) {
		v[i].value = cursor_u64(c);
		decode_read_value(c, read_format, &v[i]);
	}
	out->reads = v;
	out->nr_reads = nr;
}

/*
 * A big-endian kernel lays out the bit field from the highest bit down; within each value the highest bit is
 * first.
 */
static u64 branch_flags_from_be(u64 be)
{
	static const u8 width[] = { 1, 1, 1, 1, 16, 4, 2, 4, 3, 1 };
	unsigned int pos = 0;
	u64 flags = 0;

	for (size_t i = 0; i < ARRAY_SIZE(width); i++) {
		flags |= (be >> (64 - pos - width[i]) & ((1ull << width[i]) - 1)) << pos;
		pos += width[i];
	}
	return flags;
}

static void decode_branch(struct cursor *c, const struct event_plan *ep, struct sample *out,
			  struct arena *scratch)
{
	u64 nr = cursor_u64(c);
	const u64 *raw;

	out->branch_hw_idx = ep->hw_index ? cursor_u64(c) : (u64)-1;
	if (nr > cursor_left(c) / sizeof(struct branch_entry)) {
		c->bad = true;
		return;
	}
	raw = array_u64(c, nr * 3, scratch);
	if (raw && c->swap != HOST_IS_BE) {	/* the file is big-endian */
		struct branch_entry *b = arena_memdup(scratch, raw, nr * sizeof(*b));

		for (u64 i = 0; i < nr; i++)
			b[i].flags = branch_flags_from_be(b[i].flags);
		raw = (const u64 *)b;
	}
	out->branches = (const struct branch_entry *)raw;
	out->nr_branches = nr;
	if (ep->branch_counters)
		out->branch_counters = array_u64(c, nr, scratch);
}

static void decode_regs_user(struct cursor *c, const struct event_plan *ep, struct sample *out,
			     struct arena *scratch)
{
	out->user_abi = cursor_u64(c);
	if (out->user_abi)
		out->user_regs = array_u64(c, ep->user_regs, scratch);
}

static void decode_regs_intr(struct cursor *c, const struct event_plan *ep, struct sample *out,
			     struct arena *scratch)
{
	out->intr_abi = cursor_u64(c);
	if (out->intr_abi)
		out->intr_regs = array_u64(c, ep->intr_regs, scratch);
}

static void decode_raw(struct cursor *c, const struct event_plan *ep, struct sample *out,
		       struct arena *scratch)
{
	out->raw_size = cursor_u32(c);
	out->raw = cursor_bytes(c, out->raw_size);
}

static void decode_stack(struct cursor *c, const struct event_plan *ep, struct sample *out,
			 struct arena *scratch)
{
	u64 size = cursor_u64(c), valid;

	out->user_stack = cursor_bytes(c, size);
	if (!size)	/* then dyn_size is absent */
		return;
	valid = cursor_u64(c);
	out->user_stack_size = MIN(valid, size);
	out->user_stack_full = valid >= size;
}

/* the kernel records one of the two; if a file claims both, they are one u64 */
static void decode_weight(struct cursor *c, const struct event_plan *ep, struct sample *out,
			  struct arena *scratch)
{
	if (!(ep->type & ABI_SAMPLE_WEIGHT_STRUCT))
		out->weight = cursor_u64(c);
}

static void decode_weight_struct(struct cursor *c, const struct event_plan *ep, struct sample *out,
				 struct arena *scratch)
{
	u64 w = cursor_u64(c);

	out->weight = (u32)w;
	out->ins_lat = w >> 32;
	out->p_stage_cyc = w >> 48;
}

static void decode_chain(struct cursor *c, const struct event_plan *ep, struct sample *out,
			 struct arena *scratch)
{
	u64 nr = cursor_u64(c);

	out->callchain = array_u64(c, nr, scratch);
	if (!out->callchain)
		return;
	out->nr_callchain = nr;
	if (nr >= 2 && out->callchain[nr - 2] == CHAIN_USER_DEFERRED)
		out->deferred_cookie = out->callchain[nr - 1];
}

static void decode_aux(struct cursor *c, const struct event_plan *ep, struct sample *out,
		       struct arena *scratch)
{
	out->aux_size = cursor_u64(c);
	out->aux = cursor_bytes(c, out->aux_size);
}

/* the fields whose position varies */
static bool decode_tail(struct cursor *c, const struct event_plan *ep, struct sample *out,
			struct arena *scratch)
{
	u64 type = ep->type;

#define DECODE_SLOT(name, member)
#define DECODE_U64(name, member) if (type & ABI_SAMPLE_##name) out->member = cursor_u64(c);
#define DECODE_OWN(name, member) if (type & ABI_SAMPLE_##name) decode_##member(c, ep, out, scratch);
#define SAMPLE_FIELD(name, bit, place, kind, member, ...) DECODE_##kind(name, member)
#include "sample-fields.def"
#undef SAMPLE_FIELD
	return !c->bad;
}

#define BREAKPOINT_MAX 16u	/* bytes; breakpoints of all machines are shorter */

/*
 * Replaces the recorded address, which is after the probe's breakpoint, by the probe's address. A chain
 * begins with the recorded address, after the marker of its side
 */
static __attribute__((noinline)) void take_probe(const struct event_plan *ep, bool swap, struct sample *out,
						 struct arena *scratch)
{
	u64 recorded = out->ip, probe;
	u64 *chain;

	if (out->raw_size < 8 || ep->probe_off > out->raw_size - 8)
		return;
	probe = slot_u64((const u8 *)out->raw + ep->probe_off, swap);
	if (recorded - probe - 1 >= BREAKPOINT_MAX)
		return;
	out->ip = probe;
	for (u64 i = 0; i < MIN(out->nr_callchain, (u64)2); i++) {
		if (out->callchain[i] != recorded)
			continue;
		chain = arena_memdup(scratch, out->callchain, out->nr_callchain * sizeof(*chain));
		chain[i] = probe;
		out->callchain = chain;
		break;
	}
}

static __attribute__((noinline)) void take_history(const struct event_plan *ep, const struct rec *rec,
						   struct sample *out, struct arena *scratch)
{
	struct sample_history h = { 0 };
	u64 *chain;

	if (!ep->find(ep->find_ctx, rec->p, &h) || !h.nr_chain) {	/* the sample alone */
		chain = arena_alloc(scratch, 2 * sizeof(*chain));
		chain[0] = out->cpumode == CPUMODE_KERNEL ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER;
		chain[1] = out->ip;
		h.chain = chain;
		h.nr_chain = 2;
	}
	if (ep->found_fields & ABI_SAMPLE_CALLCHAIN) {
		out->callchain = h.chain;
		out->nr_callchain = h.nr_chain;
	}
	if (ep->found_fields & ABI_SAMPLE_BRANCH_STACK) {
		out->branches = h.branch;
		out->nr_branches = h.nr_branches;
	}
}

static void sample_init(struct sample *out, const struct rec *rec, const struct event *ev)
{
	size_t size = sizeof(*out);

	/* hides the value from the compiler: libc's memset is twice as fast as its "rep stos" */
	__asm__("" : "+r"(size));
	memset(out, 0, size);
	out->event = ev;
	out->pid = out->tid = out->cpu = (u32)-1;
	out->misc = rec->misc;
	out->cpumode = rec->misc & MISC_CPUMODE_MASK;
	out->branch_hw_idx = (u64)-1;
}

/* RAW as the only field of a varying position: that of most tracepoints */
static inline bool decode_only_raw(const u8 *p, const u8 *end, bool swap, struct sample *out)
{
	u32 size;

	if (unlikely(end - p < 4))
		return false;
	size = slot_u32(p, swap);
	if (unlikely(size > (size_t)(end - p) - 4))
		return false;
	out->raw_size = size;
	out->raw = p + 4;
	return true;
}

/* pid and tid by one store: a load of both together would wait for two */
static inline void decode_task(const u8 *p, bool swap, struct sample *out)
{
	_Static_assert(offsetof(struct sample, tid) == offsetof(struct sample, pid) + 4, "adjacent");

	if (likely(!swap)) {
		memcpy((u8 *)out + offsetof(struct sample, pid), p, 8);
		return;
	}
	out->pid = slot_u32(p, swap);
	out->tid = slot_u32(p + 4, swap);
}

/* the fields of kind SLOT; returns what follows them */
static inline const u8 *decode_slots(u64 type, const u8 *p, bool swap, struct sample *out)
{
#define TAKE(bit, ...) if (type & ABI_SAMPLE_##bit) { __VA_ARGS__; p += 8; }
	TAKE(IDENTIFIER, out->id = slot_u64(p, swap))
	TAKE(IP, out->ip = slot_u64(p, swap))
	TAKE(TID, decode_task(p, swap, out))
	TAKE(TIME, out->time = slot_u64(p, swap))
	TAKE(ADDR, out->addr = slot_u64(p, swap))
	TAKE(ID, out->id = slot_u64(p, swap))
	TAKE(STREAM_ID, out->stream_id = slot_u64(p, swap))
	TAKE(CPU, out->cpu = slot_u32(p, swap))
	TAKE(PERIOD, out->period = slot_u64(p, swap))
#undef TAKE
	return p;
}

/* out: fields that the event does not have are as sample_init() sets them */
static inline int decode_fields(const struct event_plan *ep, const struct rec *rec, struct sample *out,
				struct arena *scratch)
{
	const u8 *p = rec->p + 8, *end = rec->p + rec->size;
	bool swap = rec->swap;
	u64 type = ep->type;

	if (unlikely(rec->size < 8 + 8u * ep->prefix_slots))
		return -EBADMSG;
	out->period = ep->event->attr.sample_period;
	p = decode_slots(type, p, swap, out);
	if (ep->only_raw)
		return decode_only_raw(p, end, swap, out) ? 0 : -EBADMSG;
	if (type & ~ABI_SAMPLE_SLOTS) {
		struct cursor c = cursor_of(p, end - p, swap);

		if (!decode_tail(&c, ep, out, scratch))
			return -EBADMSG;
		if (unlikely(ep->is_probe))
			take_probe(ep, swap, out, scratch);
		if (unlikely(type & EVENT_PLAN_FINDS))
			take_history(ep, rec, out, scratch);
	}
	return 0;
}

int sample_decode(const struct sample_plan *plan, const struct rec *rec, struct sample *out,
		  struct arena *scratch)
{
	const struct event_plan *ep = plan_of_sample(plan, rec);

	sample_init(out, rec, ep ? ep->event : NULL);
	return likely(ep) ? decode_fields(ep, rec, out, scratch) : -ENOENT;
}

bool sample_decode_numbers(const struct sample_plan *plan, const struct rec *rec, struct sample *out)
{
	const struct event_plan *ep = plan_of_sample(plan, rec);

	if (unlikely(!ep || rec->size != ep->numbers_size || rec->swap))
		return false;
	out->event = ep->event;
	out->pid = out->tid = out->cpu = (u32)-1;
	out->misc = rec->misc;
	out->cpumode = rec->misc & MISC_CPUMODE_MASK;
	out->time = out->addr = out->ip = out->nr_reads = 0;
	out->period = ep->event->attr.sample_period;
	decode_slots(ep->type, rec->p + 8, false, out);
	return true;
}

/* the first sample of an event, and events with other fields of varying positions */
static __attribute__((noinline)) int decode_all(const struct event_plan *ep, const struct rec *rec,
						struct sample *out, struct arena *scratch)
{
	int ret;

	sample_init(out, rec, ep->event);
	ret = decode_fields(ep, rec, out, scratch);
	if (unlikely(ret))
		out->event = NULL;	/* not all was written: the next one is a first one, too */
	return ret;
}

int sample_decode_again(const struct sample_plan *plan, const struct rec *rec, const struct event *event,
			struct sample *out, struct arena *scratch)
{
	const struct event_plan *ep = &plan->ev[event->idx];
	const u8 *p;

	if (unlikely(!ep->only_raw || !out->event || rec->swap))
		return decode_all(ep, rec, out, scratch);
	if (unlikely(rec->size < 8 + 8u * ep->prefix_slots))
		return -EBADMSG;
	out->misc = rec->misc;
	out->cpumode = rec->misc & MISC_CPUMODE_MASK;
	if (likely(ep->usual_slots))
		p = decode_slots(EVENT_PLAN_USUAL, rec->p + 8, false, out);
	else
		p = decode_slots(ep->type, rec->p + 8, false, out);
	return decode_only_raw(p, rec->p + rec->size, false, out) ? 0 : -EBADMSG;
}

int sample_decode_id(const struct sample_plan *plan, const struct rec *rec, struct sample *out)
{
	const struct event_plan *ep = plan_of_trailer(plan, rec);
	bool swap = rec->swap;
	const u8 *p;
	u64 type;

	sample_init(out, rec, ep ? ep->event : NULL);
	if (!ep || !ep->id_all)
		return 0;
	if (rec->size < 8 + 8u * ep->trailer_slots)
		return -EBADMSG;
	type = ep->type;
	p = rec->p + rec->size - 8 * ep->trailer_slots;
#define TAKE(bit, ...) if (type & ABI_SAMPLE_##bit) { __VA_ARGS__; p += 8; }
	TAKE(TID, out->pid = slot_u32(p, swap); out->tid = slot_u32(p + 4, swap))
	TAKE(TIME, out->time = slot_u64(p, swap))
	TAKE(ID, out->id = slot_u64(p, swap))
	TAKE(STREAM_ID, out->stream_id = slot_u64(p, swap))
	TAKE(CPU, out->cpu = slot_u32(p, swap))
	TAKE(IDENTIFIER, out->id = slot_u64(p, swap))
#undef TAKE
	return 0;
}

u32 sample_time_offset(const struct sample_plan *plan, bool swap)
{
	return !swap && plan->same_time && plan->ev->time_slot >= 0 ? 8 + 8 * plan->ev->time_slot : 0;
}

/* of the records that have no trailer, those of errors in a trace say when it was */
static bool error_time(const struct rec *rec, u64 *ret_time)
{
	enum { FORMAT_AT = 28, TIME_AT = 40 };

	if (rec->type != REC_AUXTRACE_ERROR || rec->size < TIME_AT + 8 ||
	    !slot_u32(rec->p + FORMAT_AT, rec->swap))
		return false;
	*ret_time = slot_u64(rec->p + TIME_AT, rec->swap);
	return true;
}

bool sample_time(const struct sample_plan *plan, const struct rec *rec, u64 *ret_time)
{
	const struct event_plan *ep;
	u32 off;

	if (rec->type == REC_SAMPLE) {
		ep = likely(plan->same_time) ? plan->ev : plan_of_sample(plan, rec);
		if (!ep || ep->time_slot < 0)
			return false;
		off = 8 + 8 * ep->time_slot;
		if (off + 8 > rec->size)
			return false;
	} else {
		if (rec->type >= REC_USER_START)
			return error_time(rec, ret_time);
		ep = likely(plan->same_time) ? plan->ev : plan_of_trailer(plan, rec);
		if (!ep || ep->time_trailer < 0 || !ep->id_all || rec->size < 8 + 8u * ep->trailer_slots)
			return false;
		off = rec->size - 8 * ep->time_trailer;
	}
	*ret_time = slot_u64(rec->p + off, rec->swap);
	return true;
}
