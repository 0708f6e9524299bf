/* Memory recording: what perf mem record and perf c2c record share. */
#ifndef PERF_BUILTIN_MEM_H
#define PERF_BUILTIN_MEM_H

#include "util/base/vec.h"

/* arguments for another command */
struct args {
	VEC(const char *);
};
void args_add(struct args *a, const char *arg);
void args_add_all(struct args *a, int argc, const char **argv);
/* runs the command, whose name is the first argument, and frees them; returns its exit status */
int args_run(struct args *a, int (*command)(int argc, const char **argv));

struct mem_record_opts {
	const char *command;	/* "mem": for hints */
	const char *event;	/* a list of names of memory events, "list": prints them; NULL: by kinds */
	u32 kinds;		/* enum mem_kind; 0: loads and stores */
	unsigned int ldlat;	/* loads that took fewer cycles are left out; 0: the default of the PMU */
	const char *cpus;	/* NULL: not given */
	bool phys, page_size, sample_cpu, all_kernel, all_user;
};

/* perf record with the memory events of this machine; argv: options of perf record, a command. The status */
int mem_record_run(const struct mem_record_opts *o, int argc, const char **argv);

#endif
