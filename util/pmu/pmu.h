/*
 * PMUs as sysfs describes them (/sys/bus/event_source/devices): type number, format fields, named events, CPUs, capabilities.
 * Format: Documentation/ABI/testing/sysfs-bus-event_source-devices-{format,events} of the kernel. Read when first asked for,
 * through the fs root; const afterwards. Owned by struct pmus.
 */
#ifndef PERF_PMU_PMU_H
#define PERF_PMU_PMU_H

#include "../base/arena.h"
#include "../base/cpulist.h"
#include "../base/err.h"
#include "../base/strbuf.h"
#include "../base/vec.h"
#include "../event/abi.h"

struct pmu_format {
	const char *name;
	u8 word;		/* 0: config, 1: config1, ... 4: config4 */
	u64 mask;		/* the bits of the word that the value is spread over, lowest first */
};

struct pmu_event {
	const char *name;
	const char *terms;	/* "event=0x3c,umask=0x1" */
	const char *unit;	/* "" */
	double scale;		/* 1.0 */
	bool per_pkg, snapshot;
};

struct pmu {
	const char *name;
	const char *alias;	/* a second name that the kernel gives it ("uncore_type_0_0"); "", NULL until it was asked for */
	u32 type;
	bool is_core;		/* a CPU's own PMU ("cpu", "cpu_core", "armv8_..."): takes the generic hardware events */
	bool cpus_only;		/* must be opened on cpus (uncore: one CPU a package; hybrid: its own cores) */
	bool loaded;		/* format and event below were read, and these two: */
	u32 max_precise;	/* caps/max_precise; UINT32_MAX where it is not told */
	u32 nr_addr_filters;
	struct cpulist cpus;	/* cpumask or cpus file; empty: all */
	struct { VEC(struct pmu_format); } format;
	struct { VEC(struct pmu_event); } event;
};

struct pmus {
	struct { VEC(struct pmu *); } pmu;	/* by name */
	struct arena arena;
	bool scanned;
};

/* reads the list of PMUs once; missing sysfs is an empty list */
void pmus_scan(struct pmus *ps);
void pmus_release(struct pmus *ps);
/* by exact name or alias, with formats and events read; NULL where there is none */
struct pmu *pmus_find(struct pmus *ps, const char *name, size_t len);
struct pmu *pmus_by_type(struct pmus *ps, u32 type);
/* formats and events of a PMU that pmus_scan found */
void pmu_load(struct pmus *ps, struct pmu *pmu);
const struct pmu_format *pmu_format(const struct pmu *pmu, const char *name, size_t len);
const struct pmu_event *pmu_event(const struct pmu *pmu, const char *name, size_t len);
/*
 * True where a PMU is meant by what was typed: its name, a glob of it, or its name without a trailing "_N"
 * or "uncore_" in front (uncore_imc for uncore_imc_0, imc as well).
 */
bool pmu_matches(const struct pmu *pmu, const char *word, size_t len);
/* whether --cputype word means this PMU: its name, or that of a kind of hybrid cores ("core" is cpu_core) */
bool pmu_is_cputype(const char *name, const char *word);
/*
 * Whether --cputype word means any. "cpu" does on a machine without counters too, as in cpu/cycles/, which names the generic event
 * there.
 */
bool pmus_have_cputype(struct pmus *ps, const char *word);
/* spreads value over the format's bits; -ERANGE where it does not fit */
int pmu_format_set(const struct pmu_format *f, struct pe_attr *attr, u64 value);
u64 pmu_format_max(const struct pmu_format *f);

#endif
