/* The struct that perf probe's options fill, and the targets of its definitions. */
#ifndef PERF_BUILTIN_PROBE_TARGET_H
#define PERF_BUILTIN_PROBE_TARGET_H

#include "util/base/err.h"
#include "util/observe/observer.h"
#include "util/observe/sample-attr.h"
#include "util/probe/available.h"
#include "util/probe/once.h"
#include "util/probe/source.h"

enum probe_action {
	ACTION_ADD = 1, ACTION_DEFINITION = 2, ACTION_DEL = 4, ACTION_LIST = 8, ACTION_FUNCS = 16,
	ACTION_LINE = 32, ACTION_VARS = 64, ACTION_LATENCY = 128,
};

struct target_arg {
	const char *name;	/* NULL: the kernel */
	bool is_module, is_found;
	char *path;
	struct probe_source src;
	struct probe_names functions;	/* of its definitions */
};

struct definition_arg {
	const char *text;
	size_t target;
	size_t first, nr;	/* what the plan has of it */
};

/* of --latency */
struct latency_args {
	struct { VEC(const char *); } function;
	struct observe_opts observe;
	struct probe_once once;
	bool json;
	struct workload_result command;	/* a result: how it ended */
};

struct probe_cmd {
	u32 actions;
	struct { VEC(struct definition_arg); } def;
	struct { VEC(const char *); } del;
	struct { VEC(struct target_arg); } target;
	const char *filter, *symfs, *vmlinux, *source_dir;
	const char *what;	/* the argument of --list, --funcs, --line or --vars */
	bool dry_run, force, demangle, no_inlines, bootconfig, cache;
	struct available_opts vars;
	bool debuginfod;
	unsigned int max_probes, target_ns;
	struct latency_args latency;
	char *bare;		/* the definition that the words after the options make */
};

/* finds the file of a target. 0, or a negative errno with err */
int probe_cmd_find_target(const struct probe_cmd *c, struct target_arg *a, struct err *err);
/* the target of a definition; without -x and -m the kernel */
struct target_arg *probe_cmd_target(struct probe_cmd *c, size_t i);
/* writes a text to standard output and releases it; returns ret */
int probe_cmd_print(struct strbuf *out, int ret);
void probe_cmd_release(struct probe_cmd *c);

#endif
