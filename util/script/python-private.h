/* Inside of util/script/python*.c. */
#ifndef PERF_SCRIPT_PYTHON_PRIVATE_H
#define PERF_SCRIPT_PYTHON_PRIVATE_H

#include "../base/arena.h"
#include "../base/vec.h"
#include "../resolve/source-text.h"
#include "../tep/tracefmt.h"
#include "frame.h"
#include "host.h"
#include "python.h"
#include "python-plugin.h"
#include "script.h"

/* what is known of an event */
struct python_event {
	int function;			/* of the script, for a tracepoint; -1: it has none */
	u32 nr_args;			/* which the function names */
	/* "sched__sched_switch"; NULL: no tracepoint, or its format is missing */
	const char *name;
	const struct tracefmt_event *format;
};

struct python {
	const struct python_plugin_ops *ops;
	const struct session *session;
	const struct script_host *host;
	struct python_script script;
	struct python_event *event;	/* by idx */
	int process_event, unhandled, context_switch;
	u32 unhandled_args, unused;
	bool wants_samples;
	int *exit_status;
	const volatile sig_atomic_t *stop;
	/* during a call */
	const struct line_sample *ls;
	struct python_event *at;
	struct arena arena;		/* values, until the next sample */
	struct arena names;
	struct strbuf text;
	struct sources sources;
	struct { VEC(struct line_query); } query;
};

/* the frames of a sample; innermost first. NULL where nothing more follows */
struct python_chain {
	struct sample_chain chain;
	struct chain_run run;
	u64 next;
};
struct python_chain python_chain_of(struct python *p, const struct line_sample *ls);
bool python_chain_next(struct python *p, struct python_chain *c, struct frame_at *ret);

/* the sampled address, whose symbols are loaded; false: it is in no file */
bool python_resolve(struct python *p, u64 ip, bool data, struct resolved_frame *ret);

/* arguments of functions, in the arena of p: of process_event(), of a tracepoint's, of trace_unhandled() */
u32 python_event_args(struct python *p, struct script_value **ret);
u32 python_trace_args(struct python *p, struct script_value **ret);
u32 python_unhandled_args(struct python *p, struct script_value **ret);
/* the answer to a question about the sample in hand */
struct script_value python_answer(struct python *p, enum script_question q);

/* appends a name with "_" for each character that names in Python do not have */
void python_add_identifier(const char *name, struct strbuf *out);
/* the name of the function for a tracepoint, in an arena */
const char *python_function_name(struct arena *a, const struct tracefmt_event *e);

#endif
