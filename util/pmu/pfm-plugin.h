/*
 * The libpfm4 plug-in's ops: vendors' event names ("snb::INST_RETIRED:ANY_P:u") to attributes, and the events
 * of the PMUs that this machine has.
 */
#ifndef PERF_PMU_PFM_PLUGIN_H
#define PERF_PMU_PFM_PLUGIN_H

#include "../event/abi.h"

struct pfm_event {
	const char *pmu;	/* "skl" */
	const char *name;	/* "INST_RETIRED" */
	const char *umask;	/* "ANY_P"; "": the event itself */
	const char *desc;
};

/* a value other than 0 ends the walk and is returned */
typedef int (*pfm_event_fn)(void *ctx, const struct pfm_event *ev);

struct pfm_plugin_ops {
	/*
	 * writes type, config, excludes and precise level of a name to ret, and zeroes. generic: also for
	 * names of the kernel's own events. 0; -ENOENT: no event of that name, -EINVAL or -ENODEV; msg
	 * explains it.
	 */
	int (*encode)(const char *name, bool generic, struct pe_attr *ret, char *msg, size_t msg_size);
	/*
	 * calls fn for every name that encode() takes, of an event before those with its unit masks; 0, what
	 * fn returned, or -ENODEV with msg
	 */
	int (*list)(pfm_event_fn fn, void *ctx, char *msg, size_t msg_size);
};

#endif
