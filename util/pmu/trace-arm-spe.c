/* Arm SPE: samples of operations, which the CPU writes. */
#include "trace-pmu.h"

#define DEFAULT_INTERVAL 4096u	/* operations, where the PMU does not say its shortest interval */

static void spe_defaults(const struct pmu *pmu, struct pe_attr *attr)
{
	u64 interval;

	attr->sample_period = trace_file_u64(pmu, "caps/min_interval", &interval) && interval ? interval :
			      DEFAULT_INTERVAL;
	trace_set(pmu, attr, "ts_enable", 1);
}

static void spe_words(const struct trace_info *in, struct strbuf *out)
{
	trace_put(out, in->ev->attr.type);
	trace_put(out, in->per_cpu);
}

const struct trace_pmu trace_pmu_arm_spe = {
	.title = "Arm SPE", .pmu = "arm_spe_*", .type = 4, .switches = true, .defaults = spe_defaults,
	.words = spe_words,
	.cpus = "Arm CPUs", .cpuinfo = "CPU implementer",
	.absent = "it is in Armv8.2 CPUs and later ones where the firmware describes it (ACPI, device tree), "
		  "and the kernel needs CONFIG_ARM_SPE_PMU and, with page table isolation, the parameter "
		  "kpti=off",
};
