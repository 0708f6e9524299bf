/* Arm SPE: samples of operations, which the CPU writes. */
#include "trace-pmu.h"
#include "../base/fs.h"

#include <stdio.h>

enum { VERSION = 2, HEADER_WORDS = 4, NR_PARAMS = 4 };

#define MAGIC 0x1010101010101010ull

#define DEFAULT_INTERVAL 4096u	/* operations, where the PMU does not say its shortest interval */

extern const struct trace_pmu trace_pmu_arm_spe;

static void spe_defaults(const struct pmu *pmu, struct pe_attr *attr)
{
	u64 interval;

	attr->sample_period = trace_file_u64(pmu, "caps/min_interval", &interval) && interval ? interval :
			      DEFAULT_INTERVAL;
	trace_set(pmu, attr, "ts_enable", 1);
}

/* a file of a CPU with 0x and digits */
static u64 midr_of(int cpu)
{
	char path[128];
	u64 v;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1", cpu);
	return fs_read_u64(path, &v) ? 0 : v;
}

/* the PMU of a CPU: machines with several kinds of cores have one for each kind. NULL: it has none */
static const struct pmu *pmu_of_cpu(const struct trace_info *in, int cpu)
{
	vec_foreach(&in->pmus->pmu, p)
		if (trace_pmu_of(*p) == &trace_pmu_arm_spe &&
		    (!(*p)->cpus.nr || cpulist_has(&(*p)->cpus, cpu)))
			return *p;
	return NULL;
}

static void put_unit(const struct pmu *pmu, int cpu, struct strbuf *out)
{
	u64 interval = 0, filter = 0;

	trace_file_u64(pmu, "caps/min_interval", &interval);
	trace_file_u64(pmu, "caps/event_filter", &filter);
	trace_put(out, MAGIC);
	trace_put(out, cpu);
	trace_put(out, NR_PARAMS);
	trace_put(out, midr_of(cpu));
	trace_put(out, pmu->type);
	trace_put(out, interval);
	trace_put(out, filter);
}

static void spe_words(const struct trace_info *in, struct strbuf *out)
{
	struct strbuf units = STRBUF_INIT;
	struct cpulist cpus = { 0 };
	u64 nr = 0;

	trace_cpus(in, &cpus);
	vec_foreach(&cpus, cpu) {
		const struct pmu *pmu = pmu_of_cpu(in, *cpu);

		if (!pmu)
			continue;
		put_unit(pmu, *cpu, &units);
		nr++;
	}
	trace_put(out, VERSION);
	trace_put(out, HEADER_WORDS);
	trace_put(out, in->ev->attr.type);
	trace_put(out, nr);
	strbuf_add(out, units.buf, units.len);
	strbuf_release(&units);
	vec_release(&cpus);
}

const struct trace_pmu trace_pmu_arm_spe = {
	.title = "Arm SPE", .pmu = "arm_spe_*", .type = 4, .switches = true, .defaults = spe_defaults,
	.words = spe_words,
	.cpus = "Arm CPUs", .cpuinfo = "CPU implementer",
	.absent = "it is in Armv8.2 CPUs and later ones where the firmware describes it (ACPI, device tree), "
		  "and the kernel needs CONFIG_ARM_SPE_PMU and, with page table isolation, the parameter "
		  "kpti=off",
};
