/* Unwind: steps from frame to frame with CFI rules over the recorded stack; the frame pointer where there are none. */
#include "unwind.h"

#include <string.h>

#include "../obj/cfi.h"
#include "../obj/elf-obj.h"
#include "regs.h"

struct unwind {
	const struct world *world;
	const struct symbols *symbols;
	u16 e_machine;
	struct { VEC(struct cfi *); } cfi;	/* by dso id */
	struct { VEC(bool); } tried;
};

/* one sample being unwound */
struct walk {
	struct unwind *u;
	const struct unwind_regs *regs;
	u32 space;
	u64 time, off;
	const u8 *stack;
	u64 sp, size;		/* of the copy: addresses [sp, sp + size) */
	bool swap;
	struct cfi_machine m;
	u64 ip;
};

struct unwind *unwind_new(const struct world *w, const struct symbols *s, u16 e_machine)
{
	struct unwind *u = xcalloc(1, sizeof(*u));

	u->world = w;
	u->symbols = s;
	u->e_machine = e_machine;
	return u;
}

void unwind_free(struct unwind *u)
{
	if (!u)
		return;
	vec_foreach(&u->cfi, c)
		cfi_free(*c);
	vec_release(&u->cfi);
	vec_release(&u->tried);
	free(u);
}

bool unwind_possible(const struct sample *s)
{
	return s->user_abi && s->user_regs && s->user_stack && s->user_stack_size;
}

/* a little-endian word: all machines here record in that order */
static bool read_stack(void *ctx, u64 addr, unsigned int size, u64 *ret)
{
	const struct walk *w = ctx;
	u64 v = 0;

	if (addr < w->sp || addr - w->sp > w->size || size > w->size - (addr - w->sp))
		return false;
	memcpy(&v, w->stack + (addr - w->sp), size);
	*ret = v;
	return true;
}

static struct cfi *cfi_of(struct unwind *u, u32 dso)
{
	while (u->cfi.nr <= dso) {
		vec_push(&u->cfi, NULL);
		vec_push(&u->tried, false);
	}
	if (!u->tried.v[dso]) {
		u->tried.v[dso] = true;
		u->cfi.v[dso] = cfi_new(symbols_open_binary(u->symbols, dso));
	}
	return u->cfi.v[dso];
}

/* rule for an address, and how far run-time addresses are from those of the file; false: nothing is mapped there */
static bool rule_at(struct walk *w, u64 ip, const struct cfi_rule **rule)
{
	struct loc loc = world_locate(w->u->world, w->space, CPUMODE_USER, ip, w->time, w->off);
	struct cfi *c;
	u64 svma;

	*rule = NULL;
	if (loc.dso == WORLD_NONE)
		return false;
	c = cfi_of(w->u, loc.dso);
	if (c && elf_obj_off_to_svma(cfi_elf(c), loc.dso_addr, &svma)) {
		w->m.bias = ip - svma;
		*rule = cfi_find(c, svma);
	}
	return true;
}

static bool caller_reg(const struct walk *w, const struct cfi_rule *r, unsigned int reg, u64 *ret)
{
	const struct cfi_machine *m = &w->m;

	switch (r->reg[reg].kind) {
	case CFI_SAME:
		*ret = m->reg[reg];
		return m->valid >> reg & 1;
	case CFI_AT_CFA:
		return read_stack((void *)w, m->cfa + r->reg[reg].off, m->word, ret);
	case CFI_CFA:
		*ret = m->cfa + r->reg[reg].off;
		return true;
	case CFI_EXPR:
		return cfi_evaluate(r, reg, m, ret);
	default:
		return false;
	}
}

/* in a PLT it depends on the address how much is on the stack */
static bool evaluate_cfa(struct walk *w, const struct cfi_rule *r)
{
	struct cfi_machine at = w->m;

	if (w->regs->dwarf_ip != UNWIND_NO_REG) {
		at.reg[w->regs->dwarf_ip] = w->ip;
		at.valid |= 1ull << w->regs->dwarf_ip;
	}
	return cfi_evaluate_cfa(r, &at, &w->m.cfa);
}

static bool find_cfa(struct walk *w, const struct cfi_rule *r)
{
	struct cfi_machine *m = &w->m;

	if (r->cfa_expr)
		return evaluate_cfa(w, r);
	if (!(m->valid >> r->cfa_reg & 1))
		return false;
	m->cfa = m->reg[r->cfa_reg] + r->cfa_off;
	return true;
}

/* to the caller; false at the end of the chain */
static bool step_cfi(struct walk *w, const struct cfi_rule *r)
{
	struct cfi_machine *m = &w->m, next = *m;
	u64 ip;

	if (r->ra >= CFI_REGS || !find_cfa(w, r))
		return false;
	if (!caller_reg(w, r, r->ra, &ip))
		return false;
	next.valid = 0;
	next.cfa = m->cfa;
	for (unsigned int i = 0; i < CFI_REGS; i++)
		if (caller_reg(w, r, i, &next.reg[i]))
			next.valid |= 1ull << i;
	if (r->reg[w->regs->dwarf_sp].kind == CFI_SAME) {
		next.reg[w->regs->dwarf_sp] = m->cfa;
		next.valid |= 1ull << w->regs->dwarf_sp;
	}
	/* a frame that neither moves the stack nor the address would repeat for ever */
	if (ip == w->ip && next.reg[w->regs->dwarf_sp] == m->reg[w->regs->dwarf_sp])
		return false;
	*m = next;
	w->ip = ip & w->regs->ip_mask;
	return w->ip != 0;
}

/* code without rules: the frame pointer, if it leads up the stack */
static bool step_fp(struct walk *w)
{
	struct cfi_machine *m = &w->m;
	unsigned int fp = w->regs->dwarf_fp, sp = w->regs->dwarf_sp;
	u64 frame = m->reg[fp] + w->regs->fp_record, next, ip;

	if (!(m->valid >> fp & 1) || frame < m->reg[sp])
		return false;
	if (!read_stack(w, frame, m->word, &next) || !read_stack(w, frame + m->word, m->word, &ip))
		return false;
	m->reg[fp] = next;
	m->reg[sp] = frame + 2 * m->word;
	m->valid = 1ull << fp | 1ull << sp;
	w->ip = ip & w->regs->ip_mask;
	return w->ip != 0;
}

static bool load_registers(struct walk *w, const struct sample *s)
{
	u64 mask = s->event ? s->event->attr.sample_regs_user : 0;
	const struct unwind_regs *regs = w->regs;
	unsigned int at = 0;
	bool has_ip = false, has_sp = false;

	w->m.word = regs->word;
	w->m.read = read_stack;
	w->m.ctx = w;
	for (unsigned int bit = 0; bit < 64; bit++) {
		if (!(mask >> bit & 1))
			continue;
		if (bit == regs->ip) {
			w->ip = s->user_regs[at];
			has_ip = true;
		}
		if (bit < regs->nr && regs->dwarf[bit] != UNWIND_NO_REG) {
			w->m.reg[regs->dwarf[bit]] = s->user_regs[at];
			w->m.valid |= 1ull << regs->dwarf[bit];
			has_sp |= bit == regs->sp;
		}
		at++;
	}
	w->sp = w->m.reg[regs->dwarf_sp];
	return has_ip && has_sp;
}

/* the address of the user side that was sampled, in a chain; -1: there is none */
static s64 user_leaf(const struct sample *s)
{
	for (u64 i = 1; i < s->nr_callchain; i++)
		if (s->callchain[i - 1] == CHAIN_USER)
			return s->callchain[i] < CHAIN_CONTEXT_MAX ? (s64)i : -1;
	return -1;
}

void unwind_leaf(struct unwind *u, struct sample *s, u32 space, u64 time, u64 off, struct arena *scratch)
{
	struct walk w = { .u = u, .space = space, .time = time, .off = off };
	s64 leaf = user_leaf(s);
	const struct cfi_rule *rule;
	u64 nr_before = leaf + 1, *chain, lr;

	w.regs = unwind_regs_find(u->e_machine, s->user_abi);
	if (leaf < 0 || !w.regs)
		return;
	load_registers(&w, s);
	if (!(w.m.valid >> w.regs->dwarf_ra & 1))	/* there is no such register, or it was not sampled */
		return;
	lr = w.m.reg[w.regs->dwarf_ra] & w.regs->ip_mask;
	if (nr_before < s->nr_callchain && s->callchain[nr_before] == lr)
		return;
	if (!rule_at(&w, s->callchain[leaf], &rule) || !rule || rule->ra != w.regs->dwarf_ra || rule->reg[rule->ra].kind != CFI_SAME)
		return;
	if (world_locate(u->world, space, CPUMODE_USER, lr - 1, time, off).dso == WORLD_NONE)
		return;
	chain = arena_alloc(scratch, (s->nr_callchain + 1) * sizeof(*chain));
	memcpy(chain, s->callchain, nr_before * sizeof(*chain));
	chain[nr_before] = lr - 1;
	memcpy(chain + nr_before + 1, s->callchain + nr_before, (s->nr_callchain - nr_before) * sizeof(*chain));
	s->callchain = chain;
	s->nr_callchain++;
}

int unwind_dwarf(struct unwind *u, const struct sample *s, u32 space, u64 time, u64 off, u64 *ips, int max)
{
	struct walk w = { .u = u, .space = space, .time = time, .off = off, .stack = s->user_stack, .size = s->user_stack_size };
	bool interrupted = true;	/* the address is that of the next instruction to run, not behind a call */
	const struct cfi_rule *rule;
	int nr = 0;

	w.regs = unwind_possible(s) ? unwind_regs_find(u->e_machine, s->user_abi) : NULL;
	if (!w.regs || !load_registers(&w, s))
		return 0;
	while (nr < max) {
		u64 ip = interrupted ? w.ip : w.ip - 1;

		bool mapped = rule_at(&w, ip, &rule);

		/* a signal trampoline was not called: the handler returns to its first instruction */
		ips[nr++] = rule && rule->signal ? w.ip : ip;
		if (!mapped)
			break;
		if (rule ? !step_cfi(&w, rule) : !step_fp(&w))
			break;
		interrupted = rule && rule->signal;
	}
	return nr;
}
