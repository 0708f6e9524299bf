/*
 * x86 CPUs: "GenuineIntel-6-55-4" (vendor, family in decimal, model and stepping in hexadecimal); the number
 * of counters is from CPUID.
 */
#include "x86.h"

#include <stdio.h>
#include <stdlib.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif
#include "../cpuinfo.h"

void x86_cpu_ident(const char *cpuinfo, arch_emit *emit, void *ctx)
{
	char vendor[64], family[32], model[32], stepping[32], ident[256];

	if (!cpuinfo_word(cpuinfo, "vendor_id", vendor, sizeof(vendor)) ||
	    !cpuinfo_word(cpuinfo, "cpu family", family, sizeof(family)) ||
	    !cpuinfo_word(cpuinfo, "model", model, sizeof(model)))
		return;
	if (!cpuinfo_word(cpuinfo, "stepping", stepping, sizeof(stepping)))
		snprintf(stepping, sizeof(stepping), "0");
	snprintf(ident, sizeof(ident), "%s-%lu-%lX-%lX", vendor, strtoul(family, NULL, 10),
		 strtoul(model, NULL, 10), strtoul(stepping, NULL, 10));
	emit(ctx, ident);
}

bool x86_cpu_id(const char *cpuinfo, char *buf, size_t size)
{
	char vendor[256], family[64], model[64], stepping[64];

	if (!cpuinfo_value(cpuinfo, "vendor_id", vendor, sizeof(vendor)) ||
	    !cpuinfo_value(cpuinfo, "cpu family", family, sizeof(family)) ||
	    !cpuinfo_value(cpuinfo, "model", model, sizeof(model)) ||
	    !cpuinfo_value(cpuinfo, "stepping", stepping, sizeof(stepping)))
		return false;
	snprintf(buf, size, "%s,%s,%s,%s", vendor, family, model, stepping);
	return true;
}

u32 x86_nr_counters(void)
{
#if defined(__x86_64__) || defined(__i386__)
	u32 a, b, c, d;

	if (__get_cpuid(0xa, &a, &b, &c, &d) && (a & 0xff))
		return a >> 8 & 0xff;	/* Intel: architectural performance monitoring */
	if (__get_cpuid(0x80000022, &a, &b, &c, &d) && (a & 1))
		return b & 0xf;		/* AMD: PerfMonV2 */
	if (__get_cpuid(0x80000001, &a, &b, &c, &d) && (c >> 23 & 1))
		return 6;		/* AMD: core performance counter extensions */
#endif
	return 0;
}
