/*
 * Machines other than this one, for unit tests: their /sys in the test's own root, and a scripted
 * perf_event_open that refuses what their kernels refuse and logs what it opened.
 */
#ifndef PERF_TESTS_UNIT_MACHINES_H
#define PERF_TESTS_UNIT_MACHINES_H

#include "../../util/base/types.h"

enum machine {
	MACHINE_INTEL_HYBRID,	/* client: 4 CPUs cpu_core, 4 CPUs cpu_atom, one uncore_imc, power */
	/* 2 packages of 4 CPUs: cpu with mem-loads and topdown, uncore_imc_0 and _1, uncore_cha_0, power */
	MACHINE_INTEL_SERVER,
	MACHINE_AMD_ZEN,	/* 4 CPUs: cpu, ibs_fetch, ibs_op, amd_l3, amd_df */
	MACHINE_ARM_CLUSTERS,	/* 4 little and 2 big cores, SPE on the big ones, a DSU PMU */
	MACHINE_S390,		/* 2 CPUs: cpum_cf, cpum_sf, pai_crypto */
	MACHINE_POWER,		/* 4 CPUs: cpu, hv_24x7 with parameters, nest_mcs01_imc */
	MACHINE_VM,		/* 2 CPUs: software events only */
};

/* writes its files, and lets its kernel answer perf_event_open */
void machine_boot(enum machine m);
/* its CPUs: "0-7" */
const char *machine_cpus(enum machine m);

/* properties of the kernel, beside the machine; zeroed by machine_boot() */
extern struct machine_kernel {
	int errnum;		/* for all events except type SOFTWARE; 0: none */
	u32 errnum_type;	/* errnum is only for events of this type; 0: for all */
	/* from the machine; a higher precision: EOPNOTSUPP, or EINVAL if precise_einval */
	u32 max_precise;
	bool precise_einval;
	bool precise_host_only;	/* precise sampling of guests, too: EOPNOTSUPP */
	u32 counters;		/* maximum number of members of a group; more: EINVAL */
	u32 breakpoints;	/* slots; more events on one CPU and thread: ENOSPC */
	bool old;		/* does not know bits that are newer than linux 4.0: EINVAL */
	u32 opened;
	/* one line "TYPE:CONFIG cpuN[ gFD][ pN]" per open event, in the order of opening */
	char log[8192];
} machine_kernel;

#endif
