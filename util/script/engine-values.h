/* Engine-values: what functions of scripts are given, from the sample in hand. */
#ifndef PERF_SCRIPT_ENGINE_VALUES_H
#define PERF_SCRIPT_ENGINE_VALUES_H

#include "engine-state.h"

/* the frames of a sample; innermost first. NULL where nothing more follows */
struct engine_chain {
	struct sample_chain chain;
	struct chain_run run;
	u64 next;
};
struct engine_chain engine_chain_of(struct engine *g, const struct line_sample *ls);
bool engine_chain_next(struct engine *g, struct engine_chain *c, struct frame_at *ret);

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
struct script_value engine_later(struct engine *g, enum engine_later what);
/* the answer to a question about the sample in hand */
struct script_value engine_answer(struct engine *g, enum script_question q);

#endif
