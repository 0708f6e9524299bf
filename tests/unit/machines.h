/*
 * Machines that are not here, for unit tests: their /sys in the test's own root, and a scripted perf_event_open that refuses what
 * their kernels refuse and writes down what it opened.
 */
#ifndef PERF_TESTS_UNIT_MACHINES_H
#define PERF_TESTS_UNIT_MACHINES_H

#include "../../util/base/types.h"

enum machine {
	MACHINE_INTEL_HYBRID,	/* client: 4 CPUs cpu_core, 4 CPUs cpu_atom, one uncore_imc, power */
	MACHINE_INTEL_SERVER,	/* 2 packages of 4 CPUs: cpu with mem-loads and topdown, uncore_imc_0 and _1, uncore_cha_0, power */
	MACHINE_AMD_ZEN,	/* 4 CPUs: cpu, ibs_fetch, ibs_op, amd_l3, amd_df */
	MACHINE_ARM_CLUSTERS,	/* 4 little and 2 big cores, SPE on the big ones, a DSU PMU */
	MACHINE_S390,		/* 2 CPUs: cpum_cf, cpum_sf, pai_crypto */
	MACHINE_POWER,		/* 4 CPUs: cpu, hv_24x7 with parameters, nest_mcs01_imc */
	MACHINE_VM,		/* 2 CPUs: software events only */
};

/* writes its files and makes its kernel the one that answers perf_event_open */
void machine_boot(enum machine m);
/* CPUs of it: "0-7" */
const char *machine_cpus(enum machine m);

/* what the kernel does beside what follows from the machine; zeroed by machine_boot */
extern struct machine_kernel {
	int errnum;		/* of every event but those of type SOFTWARE; 0: none */
	u32 errnum_type;	/* errnum is for events of this type only; 0: of all */
	u32 max_precise;	/* from the machine; more: EOPNOTSUPP, or EINVAL where precise_einval */
	bool precise_einval;
	bool precise_host_only;	/* precise sampling with guests: EOPNOTSUPP */
	u32 counters;		/* members of a group that fit; more: EINVAL */
	u32 breakpoints;	/* slots; more on one CPU and thread: ENOSPC */
	bool old;		/* knows nothing newer than linux 4.0: EINVAL for its bits */
	u32 opened;
	char log[8192];		/* "TYPE:CONFIG cpuN[ gFD][ pN]" a line: what is open, in the order in which it was opened */
} machine_kernel;

#endif
