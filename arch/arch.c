/* Look-up of architectures. */
#include "arch.h"

#include <string.h>

static const struct arch *const archs[] = {
#define ARCH(name) &arch_##name,
#include "arch.def"
#undef ARCH
};

const struct arch *arch_by_machine(u16 e_machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		if (archs[i]->e_machine == e_machine || (archs[i]->e_machine32 && archs[i]->e_machine32 == e_machine))
			return archs[i];
	return NULL;
}

const struct arch *arch_by_uname(const char *machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		for (const char *const *n = archs[i]->uname; *n; n++)
			if (!strcmp(*n, machine))
				return archs[i];

	return NULL;
}

const struct arch *arch_native(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return &arch_x86;
#elif defined(__aarch64__)
	return &arch_arm64;
#elif defined(__arm__)
	return &arch_arm;
#elif defined(__riscv)
	return &arch_riscv;
#elif defined(__powerpc__)
	return &arch_powerpc;
#elif defined(__s390__)
	return &arch_s390;
#elif defined(__loongarch__)
	return &arch_loongarch;
#elif defined(__mips__)
	return &arch_mips;
#else
	return NULL;
#endif
}

const char *arch_reg_name(const struct arch *a, u32 nr)
{
	return a && nr < a->nr_regs ? a->reg[nr] : NULL;
}

int arch_insn_len4(const u8 *p, size_t nr, bool is64)
{
	(void)p;
	(void)is64;
	return nr < 4 ? 0 : 4;
}
