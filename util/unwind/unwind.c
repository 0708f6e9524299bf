/* Unwind: what all unwinders share, and the caller that a leaf function hides. */
#include "walk.h"

#include <string.h>

#include "../base/log.h"
#include "../event/callchain.h"

struct unwind *unwind_new(struct locator *l, const struct symbols *s, u16 e_machine, bool swap,
			  const struct unwinder *style)
{
	struct unwind *u = xcalloc(1, sizeof(*u));

	u->locator = l;
	u->symbols = s;
	u->arch = arch_by_machine(e_machine);
	u->swap = swap;
	u->style = style ? style : &unwinder_fast;
	u->code = xcalloc(WALK_CODES, sizeof(*u->code));
	return u;
}

void unwind_free(struct unwind *u)
{
	if (!u)
		return;
	if (u->own)
		u->style->close(u->own);
	vec_foreach(&u->cfi, c)
		cfi_free(*c);
	vec_release(&u->cfi);
	vec_release(&u->tried);
	vec_release(&u->guesses);
	free(u->code);
	free(u);
}

bool unwind_possible(const struct sample *s)
{
	return s->user_abi && s->user_regs && s->user_stack && s->user_stack_size;
}

/* addresses farther above the stack pointer are not taken for stack: no system has larger ones by default */
#define MAX_STACK (64ull << 20)

void walk_outside_copy(struct unwind_walk *w, u64 addr)
{
	w->end = w->full && addr > w->sp && addr - w->sp < MAX_STACK ? STACK_CUT : STACK_MEMORY;
}

static bool read_stack(void *ctx, u64 addr, unsigned int size, u64 *ret)
{
	return walk_read_stack(ctx, addr, size, ret);
}

static struct cfi *cfi_of(struct unwind *u, u32 dso)
{
	while (u->cfi.nr <= dso) {
		vec_push(&u->cfi, NULL);
		vec_push(&u->tried, false);
	}
	if (!u->tried.v[dso]) {
		u->tried.v[dso] = true;
		u->cfi.v[dso] = cfi_new(symbols_open_binary(u->symbols, dso),
					u->arch ? u->arch->dwarf_high : 0);
	}
	return u->cfi.v[dso];
}

static struct walk_module module_of(struct unwind *u, const struct loc *loc, u64 ip)
{
	struct walk_module m = { .dso = loc->dso };
	struct cfi *c = loc->dso == ID_NONE ? NULL : cfi_of(u, loc->dso);

	if (c && elf_obj_off_to_svma(cfi_elf(c), loc->dso_addr, &m.svma)) {
		m.cfi = c;
		m.bias = ip - m.svma;
	}
	return m;
}

struct walk_module walk_module_at(struct unwind_walk *w, u64 ip)
{
	struct loc loc = locator_find(w->u->locator, w->ctx, CPUMODE_USER, ip);

	return module_of(w->u, &loc, ip);
}

static void read_code(struct unwind *u, const struct loc *loc, u64 ip, struct walk_code *ret)
{
	struct walk_module m = module_of(u, loc, ip);

	*ret = (struct walk_code){ .dso_addr = loc->dso_addr, .dso = loc->dso, .known = true,
				   .svma = m.cfi ? m.svma : ip,
				   .rule = m.cfi ? cfi_find(m.cfi, m.svma) : NULL };
}

bool walk_rule_at(struct unwind_walk *w, u64 ip, const struct cfi_rule **rule)
{
	struct loc loc = locator_find(w->u->locator, w->ctx, CPUMODE_USER, ip);
	u64 slot = loc.dso_addr ^ loc.dso_addr >> 12 ^ (u64)loc.dso * 0x9e3779b1;
	struct walk_code *c = &w->u->code[slot % WALK_CODES];

	if (unlikely(!c->known || c->dso_addr != loc.dso_addr || c->dso != loc.dso))
		read_code(w->u, &loc, ip, c);
	w->dso = loc.dso;
	if (c->rule)
		w->m.bias = ip - c->svma;
	*rule = c->rule;
	return loc.dso != ID_NONE;
}

void walk_count_guess(struct unwind_guesses *g, u32 dso, u64 nr)
{
	while (g->nr <= dso)
		vec_push(g, 0);
	g->v[dso] += nr;
}

void unwind_add_guesses(struct unwind_guesses *into, const struct unwind_guesses *from)
{
	for (size_t i = 0; i < from->nr; i++)
		walk_count_guess(into, i, from->v[i]);
}

void unwind_take_guesses(struct unwind *u, struct unwind_guesses *into)
{
	if (likely(!u || !u->guessed))
		return;
	if (into)
		unwind_add_guesses(into, &u->guesses);
	u->guesses.nr = 0;
	u->guessed = false;
}

void unwind_log_guesses(const struct unwind_guesses *g, const struct dsos *dsos)
{
	for (size_t i = 0; i < g->nr; i++)
		if (g->v[i])
			log_v("guessed %lu caller%s of code in %s by the frame pointer: there are no unwind "
			      "rules for it", g->v[i], g->v[i] > 1 ? "s" : "", dsos_at(dsos, i)->long_name);
}

static bool load_registers(struct unwind_walk *w, const struct sample *s)
{
	u64 mask = s->event ? s->event->attr.sample_regs_user : 0;
	const struct arch *arch = w->u->arch;
	unsigned int is64 = w->abi == &arch->abi[1], at = 0;
	bool has_ip = false, has_sp = false;

	w->m.word = w->abi->word;
	w->m.read = read_stack;
	w->m.ctx = w;
	w->native = w->m.word == sizeof(u64) && !w->u->swap;
	for (; mask; mask &= mask - 1, at++) {
		unsigned int bit = __builtin_ctzll(mask);
		u8 dwarf = bit < arch->nr_regs && *arch->reg[bit].name ? arch->reg[bit].dwarf[is64] :
			   ARCH_NO_REG;

		if (bit == arch->reg_ip) {
			w->ip = s->user_regs[at];
			has_ip = true;
		}
		if (dwarf == ARCH_NO_REG)
			continue;
		w->m.reg[dwarf] = s->user_regs[at];
		w->m.valid |= 1ull << dwarf;
		has_sp |= bit == arch->reg_sp;
	}
	w->sp = w->m.reg[w->abi->dwarf_sp];
	return has_ip && has_sp;
}

/* index in a chain of the sampled address in user space; -1: there is none */
static s64 user_leaf(const struct sample *s)
{
	u64 leaf = callchain_user_marker(s) + 1;

	return leaf < s->nr_callchain && s->callchain[leaf] < CHAIN_CONTEXT_MAX ? (s64)leaf : -1;
}

void unwind_leaf(struct unwind *u, struct sample *s, const struct sample_ctx *ctx, struct arena *scratch)
{
	struct unwind_walk w = { .u = u, .ctx = ctx };
	s64 leaf = user_leaf(s);
	const struct cfi_rule *rule;
	u64 nr_before = leaf + 1, *chain, lr;

	w.abi = arch_abi_unwound(u->arch, s->user_abi);
	if (leaf < 0 || !w.abi)
		return;
	load_registers(&w, s);
	if (!(w.m.valid >> w.abi->dwarf_ra & 1))	/* there is no such register, or it was not sampled */
		return;
	lr = w.m.reg[w.abi->dwarf_ra] & w.abi->ip_mask;
	if (nr_before < s->nr_callchain && s->callchain[nr_before] == lr)
		return;
	if (!walk_rule_at(&w, s->callchain[leaf], &rule) || !rule || rule->ra != w.abi->dwarf_ra ||
	    rule->reg[rule->ra].kind != CFI_SAME)
		return;
	if (locator_find(u->locator, ctx, CPUMODE_USER, lr - 1).dso == ID_NONE)
		return;
	chain = arena_alloc(scratch, (s->nr_callchain + 1) * sizeof(*chain));
	memcpy(chain, s->callchain, nr_before * sizeof(*chain));
	chain[nr_before] = lr - 1;
	memcpy(chain + nr_before + 1, s->callchain + nr_before,
	       (s->nr_callchain - nr_before) * sizeof(*chain));
	s->callchain = chain;
	s->nr_callchain++;
}

enum stack_why unwind_end(const struct unwind *u)
{
	return u->end;
}

u64 unwind_whole_stack(const struct unwind *u)
{
	return u ? u->whole : 0;
}

static void measure_stack(struct unwind_walk *w)
{
	struct loc loc = locator_find(w->u->locator, w->ctx, CPUMODE_USER, w->sp);

	if (loc.map && loc.map->end > w->sp)
		w->u->whole = MAX(w->u->whole, loc.map->end - w->sp);
}

int unwind_dwarf(struct unwind *u, const struct sample *s, const struct sample_ctx *ctx, u64 *ips, int max)
{
	struct unwind_walk w = { .u = u, .ctx = ctx, .stack = s->user_stack, .size = s->user_stack_size,
				 .full = s->user_stack_full };
	int nr;

	u->end = STACK_NONE;
	w.abi = unwind_possible(s) ? arch_abi_unwound(u->arch, s->user_abi) : NULL;
	if (!w.abi || !load_registers(&w, s))
		return 0;
	if (!u->own && u->style->open)
		u->own = u->style->open(u);
	nr = u->style->walk(&w, u->own, ips, max);
	u->end = w.end;
	if (w.end == STACK_CUT)
		measure_stack(&w);
	return nr;
}
