/*
 * Engine-state: a script that runs, and the sample that it was called for. Inside of util/script/engine*.c.
 */
#ifndef PERF_SCRIPT_ENGINE_STATE_H
#define PERF_SCRIPT_ENGINE_STATE_H

#include "../base/arena.h"
#include "../base/vec.h"
#include "../resolve/source-text.h"
#include "../tep/tracefmt.h"
#include "engine-plugin.h"
#include "host.h"
#include "interpreter.h"
#include "language.h"
#include "line-worker.h"

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

/* parts of a sample that are made when a script asks for them */
enum engine_later {
	LATER_COMM, LATER_PLACE, LATER_ADDR, LATER_CHAIN, LATER_BRANCHES, LATER_BRANCH_SYMS,
	LATER_INTR_REGS, LATER_USER_REGS, LATER_READS, LATER_DATA_SRC
};

/* the sampled address, whose symbols are loaded; false: it is in no file */
bool engine_resolve(struct engine *g, u64 ip, bool data, struct resolved_frame *ret);

/* what the plug-in returned, with a sentence if it is an error */
int engine_check(const struct engine *g, int ret, struct err *err);
/* 0, or what engine_start() returns */
int engine_call(struct engine *g, int function, const struct script_value *arg, u32 nr, struct err *err);

#endif
