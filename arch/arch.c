/* Look-up of architectures. */
#include "arch.h"

#include <link.h>
#include <string.h>

static const struct arch *const archs[] = {
#define ARCH(name) &arch_##name,
#include "arch.def"
#undef ARCH
};

/* the ELF header of this program, which the linker places before its code */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

const struct arch *arch_row(size_t i)
{
	return i < ARRAY_SIZE(archs) ? archs[i] : NULL;
}

const struct arch *arch_by_machine(u16 e_machine)
{
	for (size_t i = 0; e_machine && i < ARRAY_SIZE(archs); i++)
		if (archs[i]->abi[0].e_machine == e_machine || archs[i]->abi[1].e_machine == e_machine)
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
	return arch_by_machine(__ehdr_start.e_machine);
}

const struct arch_abi *arch_abi_of_file(u16 e_machine, bool is64)
{
	const struct arch *a = arch_by_machine(e_machine);

	if (!a)
		return NULL;
	/* a file may have its machine with the other word size (x32) */
	return &a->abi[a->abi[is64].e_machine == e_machine ? is64 : !is64];
}

const struct arch_abi *arch_abi_unwound(const struct arch *a, u64 abi)
{
	return a && (abi == 1 || abi == 2) && a->abi[abi - 1].dwarf_ra ? &a->abi[abi - 1] : NULL;
}

enum arch_branch arch_branch_b(const char *m)
{
	if (!strcmp(m, "bl") || !strncmp(m, "blr", 3))
		return ARCH_CALL;
	if (!strcmp(m, "b") || !strncmp(m, "b.", 2) || !strcmp(m, "br") || !strncmp(m, "cb", 2) ||
	    !strncmp(m, "tb", 2))
		return ARCH_JUMP;
	return strncmp(m, "ret", 3) ? ARCH_NO_BRANCH : ARCH_RETURN;
}

const char *arch_reg_name(const struct arch *a, u32 nr)
{
	return a && nr < a->nr_regs && *a->reg[nr].name ? a->reg[nr].name : NULL;
}

bool reg_walk_next(struct reg_walk *w, u64 *ret_value)
{
	if (!w->left)
		return false;
	w->nr = __builtin_ctzll(w->left);
	w->left &= w->left - 1;
	w->name = arch_reg_name(w->arch, w->nr);
	*ret_value = *w->value++;
	return true;
}

int arch_insn_len4(const u8 *p, size_t nr, bool is64)
{
	(void)p;
	(void)is64;
	return nr < 4 ? 0 : 4;
}
