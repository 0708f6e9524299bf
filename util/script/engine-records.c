/* Records: functions of scripts for records other than samples, a row each. See engine.h. */
#include "engine-records.h"

#include <stdlib.h>
#include <string.h>
#include "../event/record.h"
#include "engine-state.h"

#define ARGS_MAX 11

/* a record as a function is given it */
struct call_args {
	struct script_value v[ARGS_MAX];
	u32 nr;
};

static void add_int(struct call_args *a, s64 n)
{
	a->v[a->nr++] = (struct script_value){ .kind = VALUE_INT, .i = n };
}

static void add_uint(struct call_args *a, u64 n)
{
	a->v[a->nr++] = (struct script_value){ .kind = VALUE_UINT, .u = n };
}

static void add_bool(struct call_args *a, bool b)
{
	a->v[a->nr++] = (struct script_value){ .kind = VALUE_BOOL, .u = b };
}

/* the last two are the virtual machine and its CPU, as scripts know them: none */
static void add_switch(struct engine *g, const struct rec *rec, const struct record_view *v,
		       struct sample *sm, struct call_args *a)
{
	bool away = rec->misc & MISC_SWITCH_OUT, wide = rec->type == REC_SWITCH_CPU_WIDE;

	add_int(a, (s64)sm->time);
	add_int(a, (s32)sm->cpu);
	add_int(a, (s32)sm->pid);
	add_int(a, (s32)sm->tid);
	add_int(a, wide ? (s32)v->pid_tid.pid : -1);
	add_int(a, wide ? (s32)v->pid_tid.tid : -1);
	add_int(a, -1);
	add_bool(a, away);
	add_bool(a, away && rec->misc & MISC_SWITCH_OUT_PREEMPT);
	add_int(a, 0);
	add_int(a, -1);
}

static void add_throttle(struct engine *g, const struct rec *rec, const struct record_view *v,
			 struct sample *sm, struct call_args *a)
{
	add_uint(a, v->throttle.time);
	add_uint(a, v->throttle.id);
	add_uint(a, v->throttle.stream_id);
	add_int(a, (s32)sm->cpu);
	add_int(a, (s32)sm->pid);
	add_int(a, (s32)sm->tid);
}

/* a sentence of the decoder, without what could drive a terminal */
static void add_text(struct engine *g, const struct rec_bytes *text, struct call_args *a)
{
	arena_reset(&g->arena);
	strbuf_reset(&g->text);
	strbuf_add_safe(&g->text, arena_strndup(&g->arena, (const char *)text->p,
						strnlen((const char *)text->p, text->len)));
	a->v[a->nr++] = (struct script_value){
		.kind = VALUE_TEXT, .bytes = { strbuf_str(&g->text), g->text.len },
	};
}

static void add_auxtrace_error(struct engine *g, const struct rec *rec, const struct record_view *v,
			       struct sample *sm, struct call_args *a)
{
	sm->cpu = v->auxtrace_error.cpu;
	sm->pid = v->auxtrace_error.pid;
	sm->tid = v->auxtrace_error.tid;
	sm->time = v->auxtrace_error.time;
	add_int(a, v->auxtrace_error.error_type);
	add_int(a, v->auxtrace_error.code);
	add_int(a, (s32)v->auxtrace_error.cpu);
	add_int(a, (s32)v->auxtrace_error.pid);
	add_int(a, (s32)v->auxtrace_error.tid);
	add_uint(a, v->auxtrace_error.ip);
	add_uint(a, v->auxtrace_error.time);
	add_text(g, &v->auxtrace_error.msg, a);
	add_int(a, rec->misc & MISC_CPUMODE_MASK);
	/* the virtual machine and its CPU: none */
	add_int(a, 0);
	add_int(a, -1);
}

/*
 * sm: the values of the record's trailer, used by filters; add replaces those that the record itself knows
 * better
 */
struct record_function {
	u32 type;
	const char *name;
	void (*add)(struct engine *g, const struct rec *rec, const struct record_view *v, struct sample *sm,
		    struct call_args *a);
};

static const struct record_function functions[] = {
	{ REC_SWITCH, "context_switch", add_switch },
	{ REC_SWITCH_CPU_WIDE, "context_switch", add_switch },
	{ REC_THROTTLE, "throttle", add_throttle },
	{ REC_UNTHROTTLE, "unthrottle", add_throttle },
	{ REC_AUXTRACE_ERROR, "auxtrace_error", add_auxtrace_error },
};

void engine_find_record_functions(struct engine *g)
{
	g->record_function = xcalloc(ARRAY_SIZE(functions), sizeof(*g->record_function));
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		g->record_function[i] = g->ops->find(functions[i].name, &g->unused);
}

static bool passes(const struct sample_filter *f, const struct sample *sm)
{
	return time_filter_ok(&f->times, sm->time) && id_filter_ok(&f->pids, sm->pid) &&
	       id_filter_ok(&f->tids, sm->tid) && id_filter_ok(&f->cpus, sm->cpu);
}

int engine_run_record(struct engine *g, const struct rec *rec, struct err *err)
{
	struct call_args a = { 0 };
	struct sample sm = { 0 };
	struct record_view v;
	size_t i = 0;

	while (i < ARRAY_SIZE(functions) && functions[i].type != rec->type)
		i++;
	if (i == ARRAY_SIZE(functions) || g->record_function[i] < 0 || record_decode(rec, &v) < 0 ||
	    (rec->type < REC_USER_START && sample_decode_id(g->session->data->plan, rec, &sm)))
		return 0;
	functions[i].add(g, rec, &v, &sm, &a);
	if (!passes(&g->host->worker->sc->o->filter.sample, &sm))
		return 0;
	return engine_call(g, g->record_function[i], a.v, a.nr, err);
}
