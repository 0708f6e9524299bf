/* The struct that perf trace's options fill; its two halves: files and live systems. */
#ifndef PERF_BUILTIN_TRACE_H
#define PERF_BUILTIN_TRACE_H

#include <stdio.h>
#include "builtin-options.h"
#include "util/observe/observer.h"
#include "util/observe/sample-attr.h"
#include "util/trace/kernel-types.h"
#include "util/trace/select.h"
#include "util/trace/trace.h"

struct trace_cmd {
	struct session_opts session;
	struct observe_opts observe;
	struct sample_attr_opts attr;
	struct event_args events;	/* of -e, without system calls */
	struct trace_select select;
	struct tracing_opts tracing;
	struct trace_opts trace;
	struct { VEC(s32); } left_out;	/* --filter-pids */
	struct kernel_types types;
	const struct event *kernel_event;	/* of BPF output; NULL: tracepoints record the calls */
	const char *cgroups;		/* -G */
	const char *faults;		/* -F: NULL, "all", "min", "maj" */
	bool faults_given;		/* without a word */
	const char *output;		/* -o */
	const char *timeline;		/* file of a picture instead of lines */
	unsigned int map_timeout_ms;
	bool bpf;			/* calls are recorded by BPF programs where that is possible */
	bool force_btf;			/* structs by the kernel's types also where perf knows them */
	bool bpf_summary;		/* BPF programs must count, or it is an error */
	bool only_summary, with_summary, no_syscalls, syscalls_given, json, tool_stats, max_stack_given;


	struct trace t;
	FILE *out;
	/* lines are written here while the next ones are made; NULL: before they are made */
	struct pool *writer;
	struct pool_job write_job;
	struct trace_call_lines writing;
	struct strbuf text;
	int write_error;		/* why no more lines are written; EPIPE: nobody reads them */
};

/* traces what runs now. 0 or a negative errno with err; *command: how it ended */
int trace_live(struct trace_cmd *c, struct workload_result *command, struct err *err);
/* opens c->out; 0, or a negative errno with err */
int trace_open_output(struct trace_cmd *c, struct err *err);
/* for trace.flush: writes the lines that are complete */
void trace_write(struct trace *t);
/* the same after each reading of the rings; forgets threads that ended */
void trace_write_live(struct trace *t);
/* the summaries, and what is to be said at the end */
int trace_finish(struct trace_cmd *c, const struct session *s, struct err *err);

#endif
