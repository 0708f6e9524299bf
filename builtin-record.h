/* What perf record's options fill, beside the recording's own config. */
#ifndef PERF_BUILTIN_RECORD_H
#define PERF_BUILTIN_RECORD_H

#include "util/pmu/event-table.h"
#include "util/sys/record-run.h"

#include "version.h"

#define RECORD_OPTIONS_MAX 128

struct record_args {
	struct record_config c;
	struct table_source tables;	/* --event-table */
	u32 last_event;		/* first event of the last -e: what --filter is for */
	unsigned int map_timeout_ms;
	bool g_given, callgraph_given, latency;
};
#define RECORD_ARGS_INIT { .c = { .buildid_mmap = true, .cgroup_synth = true, .version = PERF_VERSION }, .map_timeout_ms = 500 }

/* what was lost and written, on stderr */
void record_closing_lines(const struct record_config *c, const struct record_result *r);

#endif
