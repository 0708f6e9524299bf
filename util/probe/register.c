/* Register: spellings of users, of samples and of the kernel. */
#include "register.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "../../arch/arch.h"

/* in lower case, in the kernel's spelling */
static void spell(const struct arch *arch, const char *name, char buf[ARCH_REG_NAME])
{
	size_t n = strlen(name);

	for (size_t i = 0; i <= n; i++)
		buf[i] = tolower((u8)name[i]);
	if (!arch)
		return;
	for (const struct arch_alias *a = arch->alias; a && a->name; a++)
		if (!strcmp(a->name, buf))
			snprintf(buf, ARCH_REG_NAME, "%s", a->kernel);
	if (arch->spell_reg)
		arch->spell_reg(buf);
}

/* samples have it, and definitions of the kernel do not */
static bool only_sampled(const struct arch *arch, bool is64, u32 nr)
{
	const u8 *dwarf = arch->reg[nr].dwarf;

	return arch->intr_regs_extra >> nr & 1 ||
	       (!is64 && dwarf[0] == ARCH_NO_REG && dwarf[1] != ARCH_NO_REG);
}

/* registers in definitions of the kernel that samples lack, or have under other names */
static const char *const kernel_only[] = {
	"ss", "orig_ax", "pstate", "status", "cause", "pc", "x30", "fp", "epc", NULL
};

const char *probe_register(const struct arch *arch, bool is64, const char *name, char buf[ARCH_REG_NAME])
{
	const char *sampled = buf;

	if (strlen(name) > 12)
		return NULL;
	spell(arch, name, buf);
	if (!arch)
		return buf;
	if (!strncmp(buf, "gpr", 3))
		sampled = buf + 2;
	for (u32 i = 0; i < arch->nr_regs; i++)
		if (*arch->reg[i].name && !strcasecmp(arch->reg[i].name, sampled))
			return only_sampled(arch, is64, i) ? NULL : buf;
	for (int i = 0; kernel_only[i]; i++)
		if (!strcmp(kernel_only[i], buf))
			return buf;
	return NULL;
}
