/* Inside of util/script/engine*.c and starter*.c. */
#ifndef PERF_SCRIPT_ENGINE_PRIVATE_H
#define PERF_SCRIPT_ENGINE_PRIVATE_H

#include "../base/arena.h"
#include "../base/vec.h"
#include "../resolve/source-text.h"
#include "../tep/tracefmt.h"
#include "frame.h"
#include "host.h"
#include "engine.h"
#include "engine-plugin.h"
#include "line-private.h"

/* what is known of an event */
struct engine_event {
	int function;			/* of the script, for a tracepoint; -1: it has none */
	u32 nr_args;			/* which the function names */
	/* of the function: "sched__sched_switch"; NULL: no tracepoint, or its format is missing */
	const char *name;
	size_t name_len;
	const struct tracefmt_event *format;
	const struct tracefmt_field *pid;	/* common_pid; NULL: it has none */
	u32 nr_fields;
};

struct engine {
	const struct engine_plugin_ops *ops;
	const struct language *language;
	const struct session *session;
	const struct script_host *host;
	struct engine_script script;
	struct interpreter interpreter;
	struct engine_event *event;	/* by idx */
	int process_event, unhandled;
	int *record_function;		/* by row of engine-records.c */
	u32 unhandled_args, unused;
	int *exit_status;
	const volatile sig_atomic_t *stop;
	/* during a call */
	const struct rec *rec;
	const struct line_sample *ls;
	struct engine_event *at;
	struct arena arena;		/* values, until the next sample */
	struct arena names;
	struct strbuf text;
	/* of the sample before, as the next one often has the same */
	u64 data_src;
	struct strbuf data_src_text;
	const struct dso *buildid_of;
	struct strbuf buildid_text;
	struct sources sources;
	struct { VEC(struct line_query); } query;
};

/* the frames of a sample; innermost first. NULL where nothing more follows */
struct engine_chain {
	struct sample_chain chain;
	struct chain_run run;
	u64 next;
};
struct engine_chain engine_chain_of(struct engine *g, const struct line_sample *ls);
bool engine_chain_next(struct engine *g, struct engine_chain *c, struct frame_at *ret);

/* the sampled address, whose symbols are loaded; false: it is in no file */
bool engine_resolve(struct engine *g, u64 ip, bool data, struct resolved_frame *ret);

/*
 * What a language calls for samples, with arguments in the arena of g. Positional arguments are a list of
 * values, for languages whose functions take any number; keyed ones are dictionaries.
 */
typedef u32 engine_args(struct engine *g, struct script_value **ret);
struct engine_calls {
	engine_args *event, *unhandled;	/* of process_event(), of trace_unhandled() */
	bool event_of_all;		/* process_event() is called for tracepoints, too, after their own */
};
extern const struct engine_calls calls_keyed, calls_positional;
/* of the function for a tracepoint */
u32 engine_trace_args(struct engine *g, struct script_value **ret);
/* 0, or what engine_start() returns */
int engine_call(struct engine *g, int function, const struct script_value *arg, u32 nr, struct err *err);
/* functions for records other than samples: looked up, and called for one record */
void engine_find_record_functions(struct engine *g);
int engine_run_record(struct engine *g, const struct rec *rec, struct err *err);
/* parts of a sample that are made when a script asks for them */
enum engine_later {
	LATER_COMM, LATER_PLACE, LATER_ADDR, LATER_CHAIN, LATER_BRANCHES, LATER_BRANCH_SYMS,
	LATER_INTR_REGS, LATER_USER_REGS, LATER_READS, LATER_DATA_SRC
};
struct script_value engine_later(struct engine *g, enum engine_later what);
/* the answer to a question about the sample in hand */
struct script_value engine_answer(struct engine *g, enum script_question q);

/* appends a name with "_" for each character that names of functions do not have */
void engine_add_identifier(const char *name, struct strbuf *out);
/* the name of the function for a tracepoint, in an arena */
const char *engine_function_name(struct arena *a, const struct language *l, const struct tracefmt_event *e);

/* what a script to begin with has: the text before and after its functions, and a writer of these */
struct starter {
	const char *head, *tail;
	void (*add_function)(const struct tracefmt_event *e, const char *name, struct strbuf *out);
};
extern const struct starter starter_perl, starter_python;

#endif
