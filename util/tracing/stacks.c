/* Stacks: see stacks.h. */
#include "stacks.h"

#include <string.h>

/* frames have the ids of their names */
static u32 frame_of(struct tracing_stacks *k, const struct frame_loc *at)
{
	u32 id = named_frames_add(&k->names, at);
	const struct named_frame *named = named_frame(&k->names, id);
	struct tracing_frame f = { .dso = named->dso, .addr = named->addr, .ip = named->ip,
				   .caller = named->caller };
	struct strbuf safe = STRBUF_INIT;

	if (id < k->frame.nr)
		return id;
	if (named->name && k->describe && named->cpumode == CPUMODE_KERNEL)
		k->describe(&f, named->name);
	strbuf_add_safe(&safe, named->name ? named->name : "[unknown]");
	f.name = arena_strdup(&k->names.names, strbuf_str(&safe));
	strbuf_release(&safe);
	vec_push(&k->frame, f);
	return id;
}

static u32 intern(struct tracing_stacks *k, const u64 *ids, u32 nr)
{
	bool is_new;
	u32 id = sequences_add(&k->stack, ids, nr, &is_new);
	u8 mark = 0;

	for (u32 i = 0; i < nr && !mark; i++)
		mark = k->frame.v[ids[i]].mark;
	if (is_new)
		vec_push(&k->mark, mark);
	return id;
}

void tracing_stacks_init(struct tracing_stacks *k, const struct session *s, u32 max,
			 tracing_describe describe)
{
	*k = (struct tracing_stacks){ .max = MIN(max, TRACING_MAX_STACK), .describe = describe,
				       .ready = true };
	resolver_init(&k->resolver, s, &k->scratch);
	named_frames_init(&k->names, s);
}

void tracing_stacks_release(struct tracing_stacks *k)
{
	if (!k->ready)
		return;
	resolver_release(&k->resolver);
	vec_release(&k->frame);
	vec_release(&k->mark);
	sequences_release(&k->stack);
	named_frames_release(&k->names);
	arena_release(&k->scratch);
}

/* ends: after a frame where an interrupt begins, which it tells */
static u32 stack_of(struct tracing_stacks *k, const struct tracing_sample *ts, bool *ends)
{
	struct frame_loc loc[TRACING_MAX_STACK];
	u64 ids[TRACING_MAX_STACK];
	u32 nr = 0;
	size_t found;

	if (!(ts->sample->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN))
		return ID_NONE;
	arena_reset(&k->scratch);
	found = chain_resolve(&k->resolver, ts->sample, tracing_ctx(ts), loc, k->max);
	for (size_t i = 0; i < found; i++) {
		u32 id;

		if (k->kernel_only && loc[i].loc.cpumode != CPUMODE_KERNEL)
			break;
		id = frame_of(k, &loc[i]);
		if (!k->frame.v[id].skip)
			ids[nr++] = id;
		if (ends && k->frame.v[id].is_entry) {
			*ends = true;
			break;
		}
	}
	return nr ? intern(k, ids, nr) : ID_NONE;
}

u32 tracing_stack_of(struct tracing_stacks *k, const struct tracing_sample *ts)
{
	return stack_of(k, ts, NULL);
}

u32 tracing_stack_of_interrupt(struct tracing_stacks *k, const struct tracing_sample *ts, bool *ret_cut)
{
	*ret_cut = false;
	return stack_of(k, ts, ret_cut);
}

const struct tracing_frame *tracing_stack_frame(const struct tracing_stacks *k, u32 stack, u32 n)
{
	u32 nr = 0;
	const u64 *ids = stack == ID_NONE ? NULL : sequences_get(&k->stack, stack, &nr);

	return n < nr ? &k->frame.v[ids[n]] : NULL;
}

void tracing_stack_text(const struct tracing_stacks *k, u32 stack, struct strbuf *out)
{
	const struct tracing_frame *f;

	for (u32 i = 0; (f = tracing_stack_frame(k, stack, i)); i++) {
		if (i)
			strbuf_addstr(out, " <- ");
		strbuf_addstr(out, f->name);
	}
}
