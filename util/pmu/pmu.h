/*
 * PMUs as sysfs describes them (/sys/bus/event_source/devices): type number, format fields, named events,
 * CPUs, capabilities.
 * Format: Documentation/ABI/testing/sysfs-bus-event_source-devices-{format,events} of the kernel. Read when
 * first needed, through the fs root; const afterwards. Owned by struct pmus.
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
	u64 mask;		/* the bits of the word over which the value is spread, lowest first */
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
	/* a second name from the kernel ("uncore_type_0_0"); "" if none, NULL if not read yet */
	const char *alias;
	u32 type;
	/* a CPU's own PMU ("cpu", "cpu_core", "armv8_..."): it accepts the generic hardware events */
	bool is_core;
	/* must be opened on cpus (uncore: one CPU per package; hybrid: its own cores) */
	bool cpus_only;
	bool loaded;		/* format and event below were read, and these two: */
	u32 max_precise;	/* caps/max_precise; UINT32_MAX if unknown */
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

/* reads the list of PMUs once; without sysfs it is empty */
void pmus_scan(struct pmus *ps);
void pmus_release(struct pmus *ps);
/* by exact name or alias, with formats and events read; NULL if there is none */
struct pmu *pmus_find(struct pmus *ps, const char *name, size_t len);
struct pmu *pmus_by_type(struct pmus *ps, u32 type);
/* reads formats and events of a PMU that pmus_scan() found */
void pmu_load(struct pmus *ps, struct pmu *pmu);
const struct pmu_format *pmu_format(const struct pmu *pmu, const char *name, size_t len);
const struct pmu_event *pmu_event(const struct pmu *pmu, const char *name, size_t len);
/*
 * True if word means this PMU: its name, a glob of it, or its name without a trailing "_N" or without
 * "uncore_" before it (uncore_imc for uncore_imc_0, or imc).
 */
bool pmu_matches(const struct pmu *pmu, const char *word, size_t len);
/* true if --cputype word means this PMU: its name, or that of a kind of hybrid cores ("core" is cpu_core) */
bool pmu_is_cputype(const char *name, const char *word);
/*
 * True if --cputype word means any PMU. "cpu" does on a machine without counters, too, as in cpu/cycles/,
 * which means the generic event there.
 */
bool pmus_have_cputype(struct pmus *ps, const char *word);
/* spreads value over the format's bits; -ERANGE if it does not fit */
int pmu_format_set(const struct pmu_format *f, struct pe_attr *attr, u64 value);
u64 pmu_format_max(const struct pmu_format *f);

#endif
