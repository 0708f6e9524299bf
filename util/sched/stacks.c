/* Stacks: see stacks.h. */
#include "stacks.h"

#include <string.h>

/* functions of the kernel by the beginning of their names, and what those that sleep in them wait for */
static const struct {
	const char *prefix;
	enum sched_reason reason;
} reasons[] = {
	{ "futex_", SCHED_REASON_LOCK }, { "__futex_", SCHED_REASON_LOCK }, { "do_futex", SCHED_REASON_LOCK },
	{ "mutex_lock", SCHED_REASON_LOCK }, { "__mutex_lock", SCHED_REASON_LOCK },
	{ "ww_mutex_lock", SCHED_REASON_LOCK }, { "__ww_mutex_lock", SCHED_REASON_LOCK },
	{ "rt_mutex_", SCHED_REASON_LOCK }, { "__rt_mutex_", SCHED_REASON_LOCK },
	{ "rwsem_down_", SCHED_REASON_LOCK }, { "down_read", SCHED_REASON_LOCK },
	{ "down_write", SCHED_REASON_LOCK }, { "__down", SCHED_REASON_LOCK },
	{ "percpu_rwsem_wait", SCHED_REASON_LOCK }, { "__percpu_down_read", SCHED_REASON_LOCK },
	{ "io_schedule", SCHED_REASON_DISK }, { "bit_wait_io", SCHED_REASON_DISK },
	{ "folio_wait_", SCHED_REASON_DISK }, { "wait_on_page_", SCHED_REASON_DISK },
	{ "blk_mq_get_tag", SCHED_REASON_DISK }, { "submit_bio_wait", SCHED_REASON_DISK },
	{ "jbd2_log_wait_commit", SCHED_REASON_DISK },
};
static const char *const scheduler[] = { "__schedule", "schedule", "preempt_schedule" };

static void describe(struct sched_frame *f, const char *symbol)
{
	for (u32 i = 0; i < ARRAY_SIZE(scheduler); i++)
		f->is_scheduler |= !strcmp(symbol, scheduler[i]);
	for (u32 i = 0; i < ARRAY_SIZE(reasons) && f->reason == SCHED_REASON_NONE; i++)
		if (!strncmp(symbol, reasons[i].prefix, strlen(reasons[i].prefix)))
			f->reason = reasons[i].reason;
}

static void name_frame(struct sched_stacks *k, struct sched_frame *f, u8 cpumode)
{
	const struct session *s = k->resolver.session;
	struct strbuf safe = STRBUF_INIT;
	const char *name = NULL;
	u32 idx;

	if (f->dso != ID_NONE) {
		symbols_load(s->symbols, s->pool, &f->dso, 1);
		idx = symbols_find_idx(s->symbols, f->dso, f->addr);
		if (idx != ID_NONE)
			name = symbols_name(s->symbols, f->dso, idx, &k->scratch);
	}
	if (name && cpumode == CPUMODE_KERNEL)
		describe(f, name);
	strbuf_add_safe(&safe, name ? name : "[unknown]");
	f->name = arena_strdup(&k->names, strbuf_str(&safe));
	strbuf_release(&safe);
}

static u32 frame_of(struct sched_stacks *k, const struct frame_loc *at)
{
	u64 addr = at->loc.dso == ID_NONE ? at->ip : at->loc.dso_addr;
	u64 hash = hash_mix(hash_u64(addr), at->loc.dso);
	struct sched_frame f = { .dso = at->loc.dso, .addr = addr };
	u32 id;

	HIDX_FOREACH(&k->by_frame, hash, id)
		if (k->frame.v[id].dso == f.dso && k->frame.v[id].addr == addr)
			return id;
	name_frame(k, &f, at->loc.cpumode);
	hidx_insert(&k->by_frame, hash, k->frame.nr);
	vec_push(&k->frame, f);
	return k->frame.nr - 1;
}

static u32 intern(struct sched_stacks *k, const u32 *ids, u32 nr)
{
	u64 hash = hash_bytes(ids, nr * sizeof(*ids));
	struct sched_stack st = { .first = k->ids.nr, .nr = nr };
	u32 id;

	HIDX_FOREACH(&k->by_stack, hash, id)
		if (k->stack.v[id].nr == nr &&
		    !memcmp(k->ids.v + k->stack.v[id].first, ids, nr * sizeof(*ids)))
			return id;
	for (u32 i = 0; i < nr; i++) {
		vec_push(&k->ids, ids[i]);
		if (st.reason == SCHED_REASON_NONE)
			st.reason = k->frame.v[ids[i]].reason;
	}
	hidx_insert(&k->by_stack, hash, k->stack.nr);
	vec_push(&k->stack, st);
	return k->stack.nr - 1;
}

void sched_stacks_init(struct sched_stacks *k, const struct session *s, u32 max)
{
	*k = (struct sched_stacks){ .max = MIN(max, SCHED_MAX_STACK), .ready = true };
	resolver_init(&k->resolver, s, &k->scratch);
}

void sched_stacks_release(struct sched_stacks *k)
{
	if (!k->ready)
		return;
	resolver_release(&k->resolver);
	vec_release(&k->frame);
	vec_release(&k->stack);
	vec_release(&k->ids);
	hidx_release(&k->by_frame);
	hidx_release(&k->by_stack);
	arena_release(&k->scratch);
	arena_release(&k->names);
}

u32 sched_stack_of(struct sched_stacks *k, const struct tracing_sample *ts)
{
	struct frame_loc loc[SCHED_MAX_STACK];
	u32 ids[SCHED_MAX_STACK], nr = 0;
	size_t found;

	if (!(ts->sample->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN))
		return ID_NONE;
	arena_reset(&k->scratch);
	found = chain_resolve(&k->resolver, ts->sample, tracing_ctx(ts), loc, k->max);
	for (size_t i = 0; i < found; i++) {
		u32 id = frame_of(k, &loc[i]);

		if (!k->frame.v[id].is_scheduler)
			ids[nr++] = id;
	}
	return nr ? intern(k, ids, nr) : ID_NONE;
}

const char *sched_stack_frame(const struct sched_stacks *k, u32 stack, u32 n)
{
	const struct sched_stack *st = stack == ID_NONE ? NULL : &k->stack.v[stack];

	return st && n < st->nr ? k->frame.v[k->ids.v[st->first + n]].name : NULL;
}

void sched_stack_text(const struct sched_stacks *k, u32 stack, struct strbuf *out)
{
	const char *name;

	for (u32 i = 0; (name = sched_stack_frame(k, stack, i)); i++) {
		if (i)
			strbuf_addstr(out, " <- ");
		strbuf_addstr(out, name);
	}
}
