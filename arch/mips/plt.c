/*
 * Entries of MIPS programs. Code that is not position-independent calls through .plt. Other code loads the
 * address of a function; until the first call has found the function, this is its stub in .MIPS.stubs, which
 * passes the index of the function's dynamic symbol.
 */
#include "mips.h"

#include <endian.h>
#include <string.h>

#define JALR_T9 0x0320f809u

static u32 word(const struct arch_plt_code *code, size_t i)
{
	u32 insn;

	memcpy(&insn, code->p + i * 4, 4);
	return code->big_endian ? be32toh(insn) : le32toh(insn);
}

/* the index that the instruction after the jump loads into t8 = $24; false: it does not */
static bool load_t8(u32 insn, u32 high, u32 *index)
{
	switch (insn >> 16) {
	case 0x2418:	/* addiu t8,zero,N */
	case 0x6418:	/* daddiu t8,zero,N */
	case 0x3418:	/* ori t8,zero,N */
		*index = insn & 0xffff;
		return true;
	case 0x3718:	/* ori t8,t8,N after lui t8 */
		*index = high << 16 | (insn & 0xffff);
		return true;
	}
	return false;
}

/* lw or ld t9,N(gp); move t7,ra; [lui t8,HIGH;] jalr t9; and a load of t8 in the delay slot */
void mips_stubs(const struct arch_plt_code *code, arch_plt_entry *emit, void *ctx)
{
	size_t start = SIZE_MAX;
	u32 high = 0, index;

	for (size_t i = 0; i + 1 < code->size / 4; i++) {
		u32 insn = word(code, i);

		if (insn >> 16 == 0x8f99 || insn >> 16 == 0xdf99) {
			start = i;
			high = 0;
		} else if (insn >> 16 == 0x3c18) {
			high = insn & 0xffff;
		} else if (insn == JALR_T9 && start != SIZE_MAX) {
			if (load_t8(word(code, i + 1), high, &index))
				emit(ctx, code->svma + start * 4, (i + 2 - start) * 4, index);
			start = SIZE_MAX;
		}
	}
}

/* in the order of the file: u32 symbol, u8 special symbol, then three types, of which the last comes first */
void mips64_reloc_info(u64 info, bool big_endian, u32 *ret_symbol, u32 *ret_type)
{
	*ret_symbol = big_endian ? info >> 32 : info;
	*ret_type = big_endian ? info & 0xff : info >> 56;
}
