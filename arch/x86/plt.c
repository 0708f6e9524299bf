/* Entries of x86 PLTs: each layout (lazy, IBT, MPX, .plt.got) jumps through its slot with one instruction. */
#include "x86.h"

#include <string.h>

/* whether the entry at code, of which len bytes may be read, jumps through a slot */
static bool find_slot(const u8 *code, size_t len, u64 svma, bool is64, u64 gotplt, u64 *got)
{
	static const u8 endbr[] = { 0xf3, 0x0f, 0x1e };
	size_t i = 0;
	s32 disp;

	if (len >= 4 && !memcmp(code, endbr, 3))
		i = 4;
	if (i < len && code[i] == 0xf2)		/* bnd */
		i++;
	if (i + 6 > len || code[i] != 0xff)
		return false;
	memcpy(&disp, code + i + 2, 4);
	if (code[i + 1] == 0x25)
		*got = is64 ? svma + i + 6 + (s64)disp : (u32)disp;
	else if (code[i + 1] == 0xa3 && !is64)
		*got = gotplt + (s64)disp;
	else
		return false;
	return true;
}

static void walk(const struct arch_plt_code *c, bool is64, arch_plt_entry *emit, void *ctx)
{
	const u8 *p = c->p;
	/*
	 * the entry size in the section header cannot be trusted: linkers leave it 0, or 8 for entries of 16
	 * bytes
	 */
	size_t step = c->size < 16 || (p[0] == 0xff && p[1] == 0x25 && p[8] == 0xff && p[9] == 0x25) ? 8 : 16;
	u64 got;

	for (size_t i = 0; i + 8 <= c->size; i += step) {
		size_t len = MIN(step, c->size - i);

		if (find_slot(p + i, len, c->svma + i, is64, c->gotplt, &got))
			emit(ctx, c->svma + i, len, got);
	}
}

void x86_plt_32(const struct arch_plt_code *code, arch_plt_entry *emit, void *ctx)
{
	walk(code, false, emit, ctx);
}

void x86_plt_64(const struct arch_plt_code *code, arch_plt_entry *emit, void *ctx)
{
	walk(code, true, emit, ctx);
}
