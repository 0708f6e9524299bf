/*
 * Setup: what the options of perf ftrace ask for, and the settings of tracefs that make it so. Words of
 * --func-opts and --graph-opts are rows of a table each.
 */
#ifndef PERF_FTRACE_SETUP_H
#define PERF_FTRACE_SETUP_H

#include "../base/err.h"
#include "../base/vec.h"
#include "../kernel/target.h"
#include "../kernel/trace-instance.h"

/* functions of one option, which can be given several times; texts are not owned */
struct ftrace_names { VEC(const char *); };

/* bits of options, by row of their tables */
enum ftrace_func_opt { FUNC_CALL_GRAPH, FUNC_IRQ_INFO, FUNC_NR };
enum ftrace_graph_opt {
	GRAPH_ARGS, GRAPH_RETVAL, GRAPH_RETVAL_HEX, GRAPH_RETADDR, GRAPH_NOSLEEP_TIME, GRAPH_NOIRQS,
	GRAPH_VERBOSE, GRAPH_TAIL, GRAPH_NR
};

struct ftrace_opts {
	const char *tracer;		/* -t, or the configuration; NULL: function_graph */
	bool tracer_given;		/* -t */
	struct ftrace_names only, no;		/* -T, -N */
	struct ftrace_names graph, nograph;	/* -G, -g */
	u32 func_opts, graph_opts;	/* bits */
	u64 thresh_us, depth;		/* of --graph-opts; 0: none */
	u64 buffer_bytes;		/* -m, for each CPU; 0: as it is */
	bool inherit;
	bool parsed;			/* the text is parsed: names at ends of functions, usual columns */
};

/* "call-graph,irq-info" and "args,depth=3": sets bits and numbers. -EINVAL with err */
int ftrace_func_opts_parse(struct ftrace_opts *o, const char *words, struct err *err);
int ftrace_graph_opts_parse(struct ftrace_opts *o, const char *words, struct err *err);
/* the tracer that the options ask for; NULL with err: they exclude each other */
const char *ftrace_tracer(const struct ftrace_opts *o, struct err *err);
/*
 * All settings of an open instance but tracing_on, the tracer last. Targets: tasks (with their children by
 * inherit), or CPUs; then this process is left out. 0, or a negative errno with err
 */
int ftrace_setup(struct trace_instance *t, const struct ftrace_opts *o, const struct target *target,
		 struct err *err);

#endif
