/* Cfi-expr: rules of frames that are DWARF expressions. */
#include <elfutils/libdw.h>

#include "cfi.h"
#include "dwarf-expr.h"

static int known_reg(const struct dwarf_env *env, u64 reg, struct dwarf_value *ret)
{
	const struct cfi_machine *m = env->ctx;

	if (reg >= CFI_REGS || !(m->valid >> reg & 1))
		return DWARF_NOT_KNOWN;
	ret->off = m->reg[reg];
	return DWARF_OK;
}

static int load(const struct dwarf_env *env, const struct dwarf_value *addr, u64 size,
		struct dwarf_value *ret)
{
	const struct cfi_machine *m = env->ctx;
	u64 v = 0;

	if (size == DWARF_WORD)
		size = m->word;
	if (!size || size > 8 || !m->read(m->ctx, addr->off, size, &v))
		return DWARF_NOT_KNOWN;
	ret->off = v;
	return DWARF_OK;
}

static int cfa(const struct dwarf_env *env, struct dwarf_value *ret)
{
	ret->off = ((const struct cfi_machine *)env->ctx)->cfa;
	return DWARF_OK;
}

static int addr(const struct dwarf_env *env, u64 svma, struct dwarf_value *ret)
{
	*ret = (struct dwarf_value){ .off = svma + ((const struct cfi_machine *)env->ctx)->bias };
	return DWARF_OK;
}

/* *ret_is_value: the result is a value, not the address of one */
static bool evaluate(const struct cfi_machine *m, const Dwarf_Op *ops, size_t nr, u64 *ret,
		     bool *ret_is_value)
{
	struct dwarf_env env = { .ctx = (void *)m, .reg = known_reg, .load = load, .cfa = cfa, .addr = addr };
	struct dwarf_location l;

	if (dwarf_evaluate(&env, ops, nr, &l) || l.nr != 1 || l.piece[0].size)
		return false;
	*ret = l.piece[0].value.off;
	*ret_is_value = !l.piece[0].is_memory;
	return true;
}

bool cfi_evaluate_cfa(const struct cfi_rule *r, const struct cfi_machine *m, u64 *ret)
{
	bool is_value;
	Dwarf_Op *ops;
	size_t nr;

	return r->frame && !dwarf_frame_cfa(r->frame, &ops, &nr) && evaluate(m, ops, nr, ret, &is_value);
}

bool cfi_evaluate(const struct cfi_rule *r, unsigned int reg, const struct cfi_machine *m, u64 *ret)
{
	Dwarf_Op mem[3], *ops;
	bool is_value;
	size_t nr;
	u64 v;

	if (!r->frame || dwarf_frame_register(r->frame, reg, mem, &ops, &nr) ||
	    !evaluate(m, ops, nr, &v, &is_value))
		return false;
	if (is_value) {
		*ret = v;
		return true;
	}
	return m->read(m->ctx, v, m->word, ret);
}
