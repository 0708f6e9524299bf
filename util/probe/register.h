/* Register: names of registers in definitions of probes. */
#ifndef PERF_PROBE_REGISTER_H
#define PERF_PROBE_REGISTER_H

#include "../base/types.h"

struct arch;

/*
 * the name of a register as the kernel's definitions have it, from both spellings ("rdi", "di"); NULL: none
 */
const char *probe_register(const struct arch *arch, bool is64, const char *name, char buf[16]);

#endif
