/*
 * CPU identity: the text by which vendors' mapfile.csv names a CPU. x86: "GenuineIntel-6-55-4" (vendor,
 * family in decimal, model and stepping in hexadecimal); arm64: "0x00000000410fd030" (MIDR without variant
 * and revision); s390: "IBM,8561,703,T01,3.6,002f" (manufacturer, type, model, version, authorization);
 * PowerPC: "0x004e1202" (PVR); RISC-V: "vendor-arch-implementation". Read through the fs root; owns nothing.
 */
#ifndef PERF_PMU_CPU_IDENT_H
#define PERF_PMU_CPU_IDENT_H

#include "../base/strbuf.h"
#include "../base/vec.h"

struct cpu_idents {
	VEC(char *);
};

/*
 * each kind of CPU of this machine, once (big.LITTLE has several), in the order of CPUs; $PERF_CPUID replaces
 * all of them
 */
void cpu_idents_read(struct cpu_idents *out);
void cpu_idents_release(struct cpu_idents *ids);
/*
 * Whether a mapfile's regular expression (POSIX extended) matches the whole identity; one without stepping
 * matches every stepping. -EINVAL for one that is invalid or too large.
 */
int cpu_ident_matches(const char *ident, const char *regex);

#endif
