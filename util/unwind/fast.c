/*
 * Fast: perf's own unwinder: steps from frame to frame with compiled CFI rules over the recorded stack; if
 * there are none, with the frame pointer.
 */
#include "walk.h"

#include <sys/mman.h>

static bool caller_reg(struct unwind_walk *w, const struct cfi_rule *r, unsigned int reg, u64 *ret)
{
	const struct cfi_machine *m = &w->m;

	switch (r->reg[reg].kind) {
	case CFI_SAME:
		*ret = m->reg[reg];
		return m->valid >> reg & 1;
	case CFI_AT_CFA:
		return walk_read_stack(w, m->cfa + r->reg[reg].off, m->word, ret);
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

/*
 * the registers of the caller, each from the CFA alone; most are those of the callee. false: the one with the
 * return address cannot be read
 */
static bool move_plain(struct unwind_walk *w, const struct cfi_rule *r, u64 *ret_valid)
{
	struct cfi_machine *m = &w->m;
	u64 valid = m->valid & r->same;

	for (const struct cfi_move *mv = r->moved; mv < r->moved + r->nr_moved; mv++) {
		u64 value = m->cfa + mv->off;

		if (mv->kind == CFI_AT_CFA && !walk_read_word(w, value, &value)) {
			if (mv->reg == r->ra)
				return false;
			continue;
		}
		m->reg[mv->reg] = value;
		valid |= 1ull << mv->reg;
	}
	*ret_valid = valid;
	return true;
}

/* the same by rules that may need any register of the callee */
static bool move_by_expressions(struct unwind_walk *w, const struct cfi_rule *r, u64 *ret_valid)
{
	u64 value[CFI_REGS], moved = 0;

	for (unsigned int i = 0; i < r->nr_moved; i++) {
		unsigned int reg = r->moved[i].reg;

		if (caller_reg(w, r, reg, &value[reg]))
			moved |= 1ull << reg;
		else if (reg == r->ra)
			return false;
	}
	*ret_valid = (w->m.valid & r->same) | moved;
	for (; moved; moved &= moved - 1)
		w->m.reg[__builtin_ctzll(moved)] = value[__builtin_ctzll(moved)];
	return true;
}

/* steps to the caller; false at the end of the chain */
static bool step_cfi(struct unwind_walk *w, const struct cfi_rule *r)
{
	struct cfi_machine *m = &w->m;
	unsigned int sp = w->abi->dwarf_sp;
	u64 old_sp = m->reg[sp], valid, ip;

	w->end = w->guessed ? STACK_NO_RULES : STACK_MEMORY;
	if (r->ra >= CFI_REGS || !find_cfa(w, r))
		return false;
	if (r->reg[r->ra].kind == CFI_UNDEFINED) {
		w->end = STACK_COMPLETE;
		return false;
	}
	if (r->frame ? !move_by_expressions(w, r, &valid) : !move_plain(w, r, &valid))
		return false;
	m->valid = valid;
	if (!(valid >> r->ra & 1))
		return false;
	ip = m->reg[r->ra];
	if (r->same >> sp & 1) {
		m->reg[sp] = m->cfa;
		m->valid |= 1ull << sp;
	}
	/* a frame that changes neither the stack pointer nor the address would repeat for ever */
	if (ip == w->ip && m->reg[sp] == old_sp)
		return false;
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

/*
 * code without rules: follows the frame pointer if it points up the stack, and to a caller. The register may
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
	if (!walk_read_stack(w, frame, m->word, &next) ||
	    !walk_read_stack(w, frame + m->word, m->word, &ip)) {
		w->end = STACK_NO_RULES;	/* the register may contain anything */
		return false;
	}
	m->reg[fp] = next;
	m->reg[sp] = frame + 2 * m->word;
	m->valid = 1ull << fp | 1ull << sp;
	w->ip = ip & w->abi->ip_mask;
	if (!can_return_to(w, w->ip))
		return false;
	walk_count_guess(&w->u->guesses, w->dso, 1);
	w->u->guessed = w->guessed = true;
	return true;
}

static int walk_fast(struct unwind_walk *w, void *own UNUSED, u64 *ips, int max)
{
	/* the address is that of the next instruction to run, not that after a call */
	bool interrupted = true;
	const struct cfi_rule *rule;
	int nr = 0;

	while (nr < max) {
		u64 ip = interrupted ? w->ip : w->ip - 1;
		bool mapped = walk_rule_at(w, ip, &rule);

		/* a signal trampoline was not called: the handler returns to its first instruction */
		ips[nr++] = rule && rule->signal ? w->ip : ip;
		if (!mapped) {
			w->end = STACK_MEMORY;
			return nr;
		}
		if (rule ? !step_cfi(w, rule) : !step_fp(w)) {
			if (w->end == STACK_COMPLETE && w->guessed)
				w->end = STACK_MIXED;
			return nr;
		}
		interrupted = rule && rule->signal;
	}
	w->end = STACK_DEPTH;
	return nr;
}

const struct unwinder unwinder_fast = { .name = "fast", .walk = walk_fast, .foreign = true };
