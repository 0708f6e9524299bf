/* Names of the values in branch records. */
#include "sample.h"

const char *branch_type_name(u64 flags)
{
	static const char *const names[] = {
		"", "COND", "UNCOND", "IND", "CALL", "IND_CALL", "RET", "SYSCALL", "SYSRET", "COND_CALL",
		"COND_RET", "ERET", "IRQ", "SERROR", "NO_TX",
	};
	static const char *const new_names[] = {	/* type 15: see new_type */
		"FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1", "ARCH_2", "ARCH_3", "ARCH_4", "ARCH_5",
	};
	u32 type = flags >> 20 & 0xf, new_type = flags >> 26 & 0xf;

	if (type < ARRAY_SIZE(names))
		return names[type];
	return new_type < ARRAY_SIZE(new_names) ? new_names[new_type] : NULL;
}

const char *branch_spec_name(u64 flags)
{
	static const char *const names[] = { "", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH",
					     "SPEC_CORRECT_PATH" };

	return names[flags >> 24 & 3];
}
