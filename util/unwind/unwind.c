/*
 * Unwind: steps from frame to frame with CFI rules over the recorded stack; if there are none, with the frame
 * pointer.
 */
#include "unwind.h"

#include <endian.h>
#include <string.h>
#include <sys/mman.h>

#include "../../arch/arch.h"
#include "../base/log.h"
#include "../event/callchain.h"
#include "../obj/cfi.h"
#include "../obj/elf-obj.h"

struct unwind {
	struct locator *locator;
	const struct symbols *symbols;
	const struct arch *arch;
	bool swap;		/* recorded in the other byte order */
	struct { VEC(struct cfi *); } cfi;	/* by dso id */
	struct { VEC(bool); } tried;
	struct unwind_guesses guesses;
	bool guessed;		/* one of them is not 0 */
	enum stack_why end;	/* of the last sample */
};

/* one sample being unwound */
struct unwind_walk {
	struct unwind *u;
	const struct arch_abi *abi;
	const struct sample_ctx *ctx;
	const u8 *stack;
	u64 sp, size;		/* of the copied stack: addresses [sp, sp + size) */
	struct cfi_machine m;
	u64 ip;
	u32 dso;		/* the dso that contains ip */
	bool full;		/* the copy is as large as was asked for */
	bool guessed;		/* a caller was found by the frame pointer */
	enum stack_why end;	/* what a step that failed says */
};

/* addresses farther above the stack pointer are not taken for stack: no system has larger ones by default */
#define MAX_STACK (64ull << 20)

struct unwind *unwind_new(struct locator *l, const struct symbols *s, u16 e_machine, bool swap)
{
	struct unwind *u = xcalloc(1, sizeof(*u));

	u->locator = l;
	u->symbols = s;
	u->arch = arch_by_machine(e_machine);
	u->swap = swap;
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
	vec_release(&u->guesses);
	free(u);
}

bool unwind_possible(const struct sample *s)
{
	return s->user_abi && s->user_regs && s->user_stack && s->user_stack_size;
}

/* notes why an address cannot be read */
static bool outside_copy(struct unwind_walk *w, u64 addr)
{
	w->end = w->full && addr > w->sp && addr - w->sp < MAX_STACK ? STACK_CUT : STACK_MEMORY;
	return false;
}

/* reads a number of size bytes; on a big-endian machine the last bytes are the low ones */
static bool read_stack(void *ctx, u64 addr, unsigned int size, u64 *ret)
{
	struct unwind_walk *w = ctx;
	u64 v = 0;

	if (size > sizeof(v) || addr < w->sp || addr - w->sp > w->size || size > w->size - (addr - w->sp))
		return outside_copy(w, addr);
	if (w->u->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)) {
		memcpy((u8 *)&v + sizeof(v) - size, w->stack + (addr - w->sp), size);
		*ret = be64toh(v);
	} else {
		memcpy(&v, w->stack + (addr - w->sp), size);
		*ret = le64toh(v);
	}
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
		u->cfi.v[dso] = cfi_new(symbols_open_binary(u->symbols, dso),
					u->arch ? u->arch->dwarf_high : 0);
	}
	return u->cfi.v[dso];
}

/*
 * the rule for an address, and the distance of run-time addresses from those in the file; false: nothing is
 * mapped there
 */
static bool rule_at(struct unwind_walk *w, u64 ip, const struct cfi_rule **rule)
{
	struct loc loc = locator_find(w->u->locator, w->ctx, CPUMODE_USER, ip);
	struct cfi *c;
	u64 svma;

	*rule = NULL;
	w->dso = loc.dso;
	if (loc.dso == ID_NONE)
		return false;
	c = cfi_of(w->u, loc.dso);
	if (c && elf_obj_off_to_svma(cfi_elf(c), loc.dso_addr, &svma)) {
		w->m.bias = ip - svma;
		*rule = cfi_find(c, svma);
	}
	return true;
}

static bool caller_reg(const struct unwind_walk *w, const struct cfi_rule *r, unsigned int reg, u64 *ret)
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

/* in a PLT the amount on the stack depends on the address */
static bool evaluate_cfa(struct unwind_walk *w, const struct cfi_rule *r)
{
	struct cfi_machine at = w->m;

	if (w->abi->dwarf_ip != ARCH_NO_REG) {
		at.reg[w->abi->dwarf_ip] = w->ip;
		at.valid |= 1ull << w->abi->dwarf_ip;
	}
	return cfi_evaluate_cfa(r, &at, &w->m.cfa);
}

static bool find_cfa(struct unwind_walk *w, const struct cfi_rule *r)
{
	struct cfi_machine *m = &w->m;

	if (r->cfa_expr)
		return evaluate_cfa(w, r);
	if (!(m->valid >> r->cfa_reg & 1))
		return false;
	m->cfa = m->reg[r->cfa_reg] + r->cfa_off;
	return true;
}

/* steps to the caller; false at the end of the chain */
static bool step_cfi(struct unwind_walk *w, const struct cfi_rule *r)
{
	struct cfi_machine *m = &w->m, next = *m;
	u64 ip;

	w->end = w->guessed ? STACK_NO_RULES : STACK_MEMORY;
	if (r->ra >= CFI_REGS || !find_cfa(w, r))
		return false;
	if (r->reg[r->ra].kind == CFI_UNDEFINED)
		w->end = STACK_COMPLETE;
	if (!caller_reg(w, r, r->ra, &ip))
		return false;
	next.valid = 0;
	next.cfa = m->cfa;
	for (unsigned int i = 0; i < CFI_REGS; i++)
		if (caller_reg(w, r, i, &next.reg[i]))
			next.valid |= 1ull << i;
	if (r->reg[w->abi->dwarf_sp].kind == CFI_SAME) {
		next.reg[w->abi->dwarf_sp] = m->cfa;
		next.valid |= 1ull << w->abi->dwarf_sp;
	}
	/* a frame that changes neither the stack pointer nor the address would repeat for ever */
	if (ip == w->ip && next.reg[w->abi->dwarf_sp] == m->reg[w->abi->dwarf_sp])
		return false;
	*m = next;
	w->ip = ip & w->abi->ip_mask;
	w->end = STACK_COMPLETE;
	return w->ip != 0;
}

/* true if a called function can return there: the instruction before it, the call, is in mapped code */
static bool can_return_to(const struct unwind_walk *w, u64 ip)
{
	struct loc loc = locator_find(w->u->locator, w->ctx, CPUMODE_USER, ip - 1);

	return loc.map && loc.map->prot & PROT_EXEC;
}

static void count_guess(struct unwind_guesses *g, u32 dso, u64 nr)
{
	while (g->nr <= dso)
		vec_push(g, 0);
	g->v[dso] += nr;
}

void unwind_add_guesses(struct unwind_guesses *into, const struct unwind_guesses *from)
{
	for (size_t i = 0; i < from->nr; i++)
		count_guess(into, i, from->v[i]);
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

/*
 * code without rules: follows the frame pointer if it leads up the stack, and to a caller. The register may
 * contain anything
 */
static bool step_fp(struct unwind_walk *w)
{
	struct cfi_machine *m = &w->m;
	unsigned int fp = w->abi->dwarf_fp, sp = w->abi->dwarf_sp;
	u64 frame, next, ip;

	w->end = STACK_NO_RULES;
	if (fp == ARCH_NO_REG || !(m->valid >> fp & 1))
		return false;
	if (!m->reg[fp])	/* the ABIs' mark of the outermost frame */
		w->end = STACK_COMPLETE;
	frame = m->reg[fp] + w->abi->fp_record;
	if (frame < m->reg[sp])
		return false;
	if (!read_stack(w, frame, m->word, &next) || !read_stack(w, frame + m->word, m->word, &ip)) {
		w->end = STACK_NO_RULES;	/* the register may contain anything */
		return false;
	}
	m->reg[fp] = next;
	m->reg[sp] = frame + 2 * m->word;
	m->valid = 1ull << fp | 1ull << sp;
	w->ip = ip & w->abi->ip_mask;
	if (!can_return_to(w, w->ip))
		return false;
	count_guess(&w->u->guesses, w->dso, 1);
	w->u->guessed = w->guessed = true;
	return true;
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
	for (unsigned int bit = 0; bit < 64; bit++) {
		if (!(mask >> bit & 1))
			continue;
		if (bit == arch->reg_ip) {
			w->ip = s->user_regs[at];
			has_ip = true;
		}
		if (arch_reg_name(arch, bit) && arch->reg[bit].dwarf[is64] != ARCH_NO_REG) {
			w->m.reg[arch->reg[bit].dwarf[is64]] = s->user_regs[at];
			w->m.valid |= 1ull << arch->reg[bit].dwarf[is64];
			has_sp |= bit == arch->reg_sp;
		}
		at++;
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
	if (!rule_at(&w, s->callchain[leaf], &rule) || !rule || rule->ra != w.abi->dwarf_ra ||
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

int unwind_dwarf(struct unwind *u, const struct sample *s, const struct sample_ctx *ctx, u64 *ips, int max)
{
	struct unwind_walk w = { .u = u, .ctx = ctx, .stack = s->user_stack, .size = s->user_stack_size,
				 .full = s->user_stack_full };
	/* the address is that of the next instruction to run, not that after a call */
	bool interrupted = true;
	const struct cfi_rule *rule;
	int nr = 0;

	u->end = STACK_NONE;
	w.abi = unwind_possible(s) ? arch_abi_unwound(u->arch, s->user_abi) : NULL;
	if (!w.abi || !load_registers(&w, s))
		return 0;
	u->end = STACK_DEPTH;
	while (nr < max) {
		u64 ip = interrupted ? w.ip : w.ip - 1;

		bool mapped = rule_at(&w, ip, &rule);

		/* a signal trampoline was not called: the handler returns to its first instruction */
		ips[nr++] = rule && rule->signal ? w.ip : ip;
		if (!mapped || (rule ? !step_cfi(&w, rule) : !step_fp(&w))) {
			u->end = !mapped ? STACK_MEMORY : w.end != STACK_COMPLETE || !w.guessed ? w.end :
				 STACK_MIXED;
			break;
		}
		interrupted = rule && rule->signal;
	}
	return nr;
}
