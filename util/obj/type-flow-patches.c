/*
 * Type-flow: kernels change their code while they run. Edges to code that is patched in lose all knowledge; a
 * no-operation that may be replaced changes all registers.
 */
#include "type-flow-private.h"

#include <string.h>

#define INSN_MAX 16u	/* bytes */
#define DETOUR_MAX 8u	/* instructions of code elsewhere that jumps back */

static void enter(void *ctx, u64 addr)
{
	struct flow_insn *in = flow_insn_at(ctx, addr);

	if (in)
		in->leads = in->entered = true;
}

/* code outside of functions, which tests something and jumps back */
static void follow_detour(struct flow *fl, u64 addr)
{
	struct disasm_insn in = { .size = 0 };

	for (u32 i = 0; i < DETOUR_MAX; i++, addr += in.size) {
		const u8 *code = NULL;
		u32 len = INSN_MAX + 1;

		while (!code && --len)
			code = elf_image_at(fl->t->image, addr, len);
		if (!code)
			return;
		disasm_next(fl->t->disasm, code, len, addr, &in);
		if (in.kind == DISASM_JUMP && in.has_target)
			enter(fl, in.target);
		if (in.kind == DISASM_RETURN || (in.kind == DISASM_JUMP && !in.conditional))
			return;
	}
}

bool flow_find_patches(struct flow *fl)
{
	const struct flow_insn *last = &fl->insn.v[fl->insn.nr - 1];

	if (!fl->t->patched)
		return true;
	if (!fl->t->patches || !fl->t->image)
		return false;
	kernel_patches_targets(fl->t->patches, fl->insn.v[0].addr, last->addr + last->size, enter, fl);
	vec_foreach(&fl->insn, in)
		if (in->kind == DISASM_JUMP && in->has_target && !flow_insn_at(fl, in->target))
			follow_detour(fl, in->target);
	return true;
}

bool flow_is_replaced(const struct flow *fl, const struct flow_insn *in)
{
	const struct flow_insn *entry = flow_insn_at(fl, fl->f.entry);
	u64 to;

	if (!fl->t->patched || in->effect != DISASM_NOP)
		return false;
	/* at the beginning of a function is the place for a call of the tracer */
	if (entry && !strcmp(entry->mnemonic, "endbr64"))
		entry++;
	return in != entry && !kernel_patches_jump(fl->t->patches, in->addr, &to);
}

bool flow_is_traced(const struct flow *fl, const struct flow_insn *in)
{
	return fl->t->patched && in->kind == DISASM_CALL && in->has_target &&
	       in->target == kernel_patches_fentry(fl->t->patches);
}
