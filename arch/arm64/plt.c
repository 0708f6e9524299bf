/*
 * Entries of AArch64 PLTs: with or without BTI and pointer authentication, each loads its slot with the same
 * two instructions.
 */
#include "arm64.h"

#include <endian.h>
#include <string.h>

#define BTI_C 0xd503245fu

/* adrp x16, PAGE; ldr x17, [x16, #OFFSET] */
static bool is_pair(u32 adrp, u32 ldr, u64 pc, u64 *got)
{
	s64 page;

	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return false;
	page = (s64)((u64)(((adrp >> 5) & 0x7ffff) << 2 | ((adrp >> 29) & 3)) << 43) >> 31;
	*got = (pc & ~4095ull) + page + ((ldr >> 10) & 0xfff) * 8;
	return true;
}

void arm64_plt(const struct arch_plt_code *code, arch_plt_entry *emit, void *ctx)
{
	bool open = false;
	u64 start = 0, slot = 0;
	u32 prev = 0;

	for (size_t i = 0; i + 8 <= code->size; i += 4) {
		u64 pc = code->svma + i, got;
		u32 insn[2];

		memcpy(insn, code->p + i, 8);	/* code is little-endian on every AArch64 */
		if (is_pair(le32toh(insn[0]), le32toh(insn[1]), pc, &got)) {
			u64 begin = prev == BTI_C ? pc - 4 : pc;

			if (open)
				emit(ctx, start, begin - start, slot);
			open = true;
			slot = got;
			start = begin;
		}
		prev = le32toh(insn[0]);
	}
	if (open)
		emit(ctx, start, code->svma + code->size - start, slot);
}
