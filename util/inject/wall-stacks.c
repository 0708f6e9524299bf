/* Wall-stacks: see wall-stacks.h. */
#include "wall-stacks.h"
#include "../resolve/kernel-names.h"
#include "../resolve/plain-chain.h"

#include <linux/perf_event.h>
#include <string.h>

void wall_stacks_init(struct wall_stacks *w, struct resolver *r, struct arena *scratch)
{
	*w = (struct wall_stacks){ .r = r, .scratch = scratch };
	for (u32 letter = 0; letter < ARRAY_SIZE(w->state_rule); letter++)
		w->state_rule[letter] = wall_rule_of_state(letter);
}

static void look_at_function(struct wall_place_known *p, const char *name)
{
	enum wall_arg arg = wall_function_arg(name);

	p->rule = MIN(p->rule, wall_rule_of_function(name));
	p->waker_rule = MIN(p->waker_rule, wall_rule_of_waker(name));
	if (!p->arg || arg == WALL_ARG_ELSEWHERE)
		p->arg = arg;
}

/* the kernel function at an address of the chain; "": none is known */
static const char *function_at(struct wall_stacks *w, const struct sample_ctx *ctx, u64 ip)
{
	struct kernel_name name;

	return ip < PERF_CONTEXT_MAX && kernel_name_find(w->r, ctx, ip, w->scratch, &name) ? name.name : "";
}

/* the innermost function calls a BPF program at a tracepoint: it is not of what the thread does */
static u32 nr_tracing(struct wall_stacks *w, const struct sample_ctx *ctx, const u64 *ip, u32 nr)
{
	return nr > 2 && ip[0] == PERF_CONTEXT_KERNEL &&
	       !strncmp(function_at(w, ctx, ip[1]), "__traceiter_", 12);
}

/* how many innermost functions, with those of tracing, only take the thread off its CPU */
static u32 nr_leaving(struct wall_stacks *w, const struct sample_ctx *ctx, const u64 *ip, u32 nr)
{
	u32 n = nr_tracing(w, ctx, ip, nr);

	if (ip[0] != PERF_CONTEXT_KERNEL)
		return 0;
	while (n + 1 < nr && wall_function_leaves(function_at(w, ctx, ip[n + 1])))
		n++;
	/* an address must be left */
	return n + 1 < nr && (ip[n + 1] < PERF_CONTEXT_MAX || n + 2 < nr) ? n : 0;
}

static void look_at_program(struct wall_stacks *w, const struct sample_ctx *ctx, u64 ip,
			    struct wall_place_known *p)
{
	const struct session *s = w->r->session;
	const struct symbol *sym;
	struct loc loc;

	if (wall_rule_wait(p->rule) != WALL_WAIT_FUTEX)
		return;
	loc = locator_find(&w->r->locator, ctx, CPUMODE_USER, ip);
	if (loc.dso == ID_NONE || dsos_at(machine_dsos(s->machine), loc.dso)->kind != DSO_USER)
		return;
	symbols_load(s->symbols, s->pool, &loc.dso, 1);
	sym = symbols_find(s->symbols, loc.dso, loc.dso_addr);
	if (sym && loc.dso_addr < sym->end)
		p->program_rule = MIN(p->program_rule, wall_rule_of_program(
			symbols_show(s->symbols, loc.dso, sym, w->scratch)));
}

/* by the functions of the kernel's part of the chain, and of the program's where they say more */
static struct wall_place_known look_at_chain(struct wall_stacks *w, const struct sample_ctx *ctx,
					     const u64 *ip, u64 nr)
{
	bool kernel = false;
	struct wall_place_known ret = { .rule = WALL_NO_RULE, .program_rule = WALL_NO_RULE,
					.waker_rule = WALL_NO_RULE };

	for (u64 i = 0; i < nr; i++) {
		struct kernel_name name;

		if (ip[i] >= PERF_CONTEXT_MAX)
			kernel = ip[i] == PERF_CONTEXT_KERNEL;
		else if (kernel && kernel_name_find(w->r, ctx, ip[i], w->scratch, &name))
			look_at_function(&ret, name.name);
		else if (!kernel)
			look_at_program(w, ctx, ip[i], &ret);
	}
	return ret;
}

u32 wall_stack_of(struct wall_stacks *w, const struct rec *rec, const struct sample *s)
{
	struct sample_ctx ctx;
	const u64 *chain;

	if (!s->nr_callchain && !s->user_stack)
		return WALL_NO_STACK;
	ctx = locator_sample_ctx(&w->r->locator, w->r->session, s, rec);
	strbuf_reset(&w->scratch_chain);
	plain_chain_put(w->r, s, &ctx, &w->scratch_chain);
	chain = (const u64 *)w->scratch_chain.buf;
	return wall_stack_of_chain(w, rec, s, chain + 1, chain[0], sequences_hash(chain + 1, chain[0]));
}

u32 wall_stack_of_ip(struct wall_stacks *w, const struct rec *rec, const struct sample *s)
{
	const u64 chain[] = { s->cpumode == CPUMODE_KERNEL ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER, s->ip };

	if (!s->ip || (s->cpumode != CPUMODE_KERNEL && s->cpumode != CPUMODE_USER))
		return WALL_NO_STACK;
	return wall_stack_of_chain(w, rec, s, chain, ARRAY_SIZE(chain),
				   sequences_hash(chain, ARRAY_SIZE(chain)));
}

/* the kernel's page in a process, to whose beginning functions return that have a probe of their return */
static bool takes_returns(struct wall_stacks *w, const struct sample_ctx *ctx, u64 ip)
{
	struct loc loc;

	if (ip & 4095 || ip >= PERF_CONTEXT_MAX)
		return false;
	loc = locator_find(&w->r->locator, ctx, CPUMODE_USER, ip);
	return loc.dso != ID_NONE &&
	       !strcmp(dsos_at(machine_dsos(w->r->session->machine), loc.dso)->short_name, "[uprobes]");
}

static u64 find_probe_return(struct wall_stacks *w, const struct sample_ctx *ctx, const u64 *ip, u32 nr)
{
	for (u32 i = 0; i < nr && w->has_probes; i++)
		if (takes_returns(w, ctx, ip[i]))
			return ip[i];
	return 0;
}

/* the number of a chain that differs from that stack in what is not known of places */
static u32 add_variant(struct wall_stacks *w, u32 stack, const struct strbuf *chain)
{
	bool is_new;
	u32 id = sequences_add(&w->chains, (const u64 *)chain->buf, chain->len / sizeof(u64), &is_new);

	if (is_new) {
		vec_push(&w->place, w->place.v[stack]);
		w->place.v[id].stack = w->place.v[id].left = id;
	}
	return id;
}

u32 wall_stack_with_callers(struct wall_stacks *w, u32 stack, const u64 *back, u32 nr)
{
	u64 probe_return = stack == WALL_NO_STACK ? 0 : w->place.v[stack].probe_return;
	struct strbuf copy = STRBUF_INIT;
	const u64 *chain;
	u32 len, done = 0;
	u64 *ip;

	if (!probe_return || !nr)
		return stack;
	chain = wall_stack_chain(w, stack, &len);
	strbuf_add(&copy, chain, len * sizeof(*ip));
	ip = (u64 *)copy.buf;
	for (u32 i = 0; i < len && done < nr; i++)
		if (ip[i] == probe_return)
			ip[i] = back[done++] ?: probe_return;
	stack = add_variant(w, stack, &copy);
	strbuf_release(&copy);
	return stack;
}

/* the number of the chain without its n innermost functions, of which the same is known */
static u32 add_shorter(struct wall_stacks *w, u32 stack, u32 n)
{
	struct strbuf shorter = STRBUF_INIT;
	const u64 *chain;
	u32 nr, id;

	if (!n)
		return stack;
	chain = wall_stack_chain(w, stack, &nr);
	/* nothing of the kernel's part is left: its marker goes, too */
	if (chain[n + 1] < PERF_CONTEXT_MAX)
		strbuf_add(&shorter, chain, sizeof(*chain));
	strbuf_add(&shorter, chain + n + 1, (nr - n - 1) * sizeof(*chain));
	id = add_variant(w, stack, &shorter);
	strbuf_release(&shorter);
	return id;
}

u32 wall_stack_of_chain(struct wall_stacks *w, const struct rec *rec, const struct sample *s,
			const u64 *chain, u32 nr, u64 hash)
{
	struct sample_ctx ctx;
	bool is_new;
	u32 shorter, left, id = sequences_add_hashed(&w->chains, chain, nr, hash, &is_new);

	if (!is_new)
		return w->place.v[id].stack;
	ctx = locator_sample_ctx(&w->r->locator, w->r->session, s, rec);
	vec_push(&w->place, look_at_chain(w, &ctx, chain, nr));
	w->place.v[id].stack = w->place.v[id].left = id;
	w->place.v[id].probe_return = find_probe_return(w, &ctx, chain, nr);
	left = add_shorter(w, id, nr_leaving(w, &ctx, chain, nr));
	shorter = add_shorter(w, id, nr_tracing(w, &ctx, chain, nr));
	w->place.v[id].stack = shorter;
	w->place.v[id].left = w->place.v[shorter].left = left;
	return shorter;
}

enum wall_wait wall_stack_wait(const struct wall_stacks *w, u32 stack, char letter, const u64 *arg)
{
	const struct wall_place_known *p = stack == WALL_NO_STACK ? NULL : &w->place.v[stack];
	u8 rule = MIN(p ? p->rule : WALL_NO_RULE, w->state_rule[letter & 127]);
	enum wall_wait wait = wall_rule_wait(rule);

	return p && arg ? wall_wait_with_arg(wait, p->arg, *arg) : wait;
}

enum wall_wait wall_stack_futex(const struct wall_stacks *w, u32 stack, u8 thread_rule)
{
	u8 rule = MIN(stack == WALL_NO_STACK ? WALL_NO_RULE : w->place.v[stack].program_rule, thread_rule);

	return rule == WALL_NO_RULE ? WALL_WAIT_FUTEX : wall_rule_wait(rule);
}

enum wall_wait wall_stack_waker_wait(const struct wall_stacks *w, u32 stack)
{
	return wall_rule_wait(stack == WALL_NO_STACK ? WALL_NO_RULE : w->place.v[stack].waker_rule);
}

static u32 copy_stack(struct wall_stacks *w, const struct wall_stacks *from, u32 stack)
{
	const u64 *chain;
	bool is_new;
	u32 nr, id;

	if (stack == WALL_NO_STACK)
		return stack;
	chain = wall_stack_chain(from, stack, &nr);
	id = sequences_add(&w->chains, chain, nr, &is_new);
	if (is_new) {
		vec_push(&w->place, from->place.v[stack]);
		w->place.v[id].stack = w->place.v[id].left = id;
	}
	return id;
}

void wall_stacks_forget(struct wall_stacks *w, struct wall *of)
{
	struct wall_stacks old = *w;

	wall_stacks_init(w, old.r, old.scratch);
	vec_foreach(&of->thread, t) {
		t->stack = copy_stack(w, &old, t->stack);
		t->waker_stack = copy_stack(w, &old, t->waker_stack);
	}
	wall_stacks_release(&old);
}

void wall_stacks_release(struct wall_stacks *w)
{
	strbuf_release(&w->scratch_chain);
	sequences_release(&w->chains);
	vec_release(&w->place);
}
