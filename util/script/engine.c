/* Engine: the functions of a script and the samples for them. See engine.h. */
#include "engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../../arch/arch.h"
#include "../base/plugin.h"
#include "../data/itrace-opts.h"
#include "../event/record-type.h"
#include "../session/reads.h"
#include "../syscall/syscall.h"
#include "../tep/field-words.h"
#include "chain.h"
#include "engine-records.h"
#include "engine-state.h"
#include "engine-values.h"
#include "function-names.h"
#include "line-sample.h"
#include "user-scripts.h"

/* ---- what scripts ask ---- */

static struct script_value ask(void *ctx, enum script_question q)
{
	return engine_answer(ctx, q);
}

static struct script_value later(void *ctx, u32 what)
{
	return engine_later(ctx, what);
}

static const struct engine_event *event_named(const struct engine *g, const char *name)
{
	for (size_t i = 0; i < g->session->data->evset->ev.nr; i++)
		if (g->event[i].name && !strcmp(g->event[i].name, name))
			return &g->event[i];
	return NULL;
}

static const char *words(void *ctx, const char *event, const char *field, u64 value, bool flags)
{
	struct engine *g = ctx;
	const struct engine_event *e = event_named(g, event);
	const struct tracefmt_field *f = e && e->format ? tracefmt_field(e->format, field) : NULL;

	strbuf_reset(&g->text);
	if (f)
		field_words_add(f, flags ? WORDS_FLAGS : WORDS_SYMBOLS, value, &g->text);
	return strbuf_str(&g->text);
}

static const char *syscall_name(void *ctx, int nr)
{
	const struct engine *g = ctx;
	const struct arch *arch = features_arch(&g->session->data->feat);
	const struct syscall_table *t = arch ? syscall_table_find(arch->abi[1].e_machine, 64) : NULL;
	const struct syscall_row *row;

	if (arch && !t)
		t = syscall_table_find(arch->abi[0].e_machine, 32);
	row = t ? syscall_by_nr(t, (u32)nr) : NULL;
	return row ? row->name : NULL;
}

/* the trace was decoded before the script begins, as --itrace says: the letters are only checked */
static int check_itrace(const char *opts)
{
	struct err err = ERR_INIT;

	return itrace_check(opts, &err);
}

/* ---- beginning and ending ---- */

/* the library, then the plug-in that uses it */
static const struct engine_plugin_ops *load_ops(const struct language *l, struct interpreter *ret,
						struct err *err)
{
	const struct engine_plugin_ops *ops;

	if (l->load && plugin_find(l->plugin, NULL) && l->load(ret, err))
		return NULL;
	ops = plugin_load(l->plugin, sizeof(*ops), err);
	if (!ops)
		err_hint(err, "scripts in %s need a library: install %s (Debian's name) and build perf again",
			 l->name, l->package);
	return ops;
}

struct engine *engine_open(struct engine_opts *o, const struct session *s, struct err *err)
{
	struct interpreter interpreter = { 0 };
	const struct engine_plugin_ops *ops;
	struct engine *g;
	int ret;

	if (access(o->file, R_OK)) {
		err_sys(err, errno, "cannot read %s", o->file);
		return NULL;
	}
	ops = load_ops(o->language, &interpreter, err);
	if (!ops) {
		interpreter_release(&interpreter);
		return NULL;
	}
	g = xcalloc(1, sizeof(*g));
	g->interpreter = interpreter;
	g->ops = ops;
	g->language = o->language;
	g->session = s;
	g->exit_status = &o->status;
	g->stop = &o->stop;
	g->script = (struct engine_script){
		.path = o->file, .program = interpreter.program, .argc = o->argc + 1,
		.ask = ask, .later = later, .words = words, .syscall = syscall_name,
		.config = o->config, .check_itrace = check_itrace, .ctx = g,
	};
	g->script.argv = xcalloc(o->argc + 2, sizeof(char *));
	g->script.argv[0] = (char *)o->file;
	for (int i = 0; i < o->argc; i++)
		g->script.argv[i + 1] = (char *)o->argv[i];
	g->event = xcalloc(s->data->evset->ev.nr + 1, sizeof(*g->event));
	/* scripts look for modules below this folder: ours are in the interpreter, others may be there */
	setenv("PERF_EXEC_PATH", user_script_exec_path(), 0);
	ret = engine_check(g, ops->begin(&g->script, g->exit_status), err);
	if (!ret)
		return g;
	engine_close(g, err->code ? &(struct err)ERR_INIT : err);
	return NULL;
}

static void find_functions(struct engine *g)
{
	g->process_event = g->ops->find("process_event", &g->unused);
	g->unhandled = g->ops->find("trace_unhandled", &g->unhandled_args);
	engine_find_record_functions(g);
}

int engine_start(struct engine *g, struct err *err)
{
	find_functions(g);
	return engine_call(g, g->ops->find("trace_begin", &g->unused), NULL, 0, err);
}

int engine_stop(struct engine *g, struct err *err)
{
	return engine_call(g, g->ops->find("trace_end", &g->unused), NULL, 0, err);
}

int engine_close(struct engine *g, struct err *err)
{
	int ret = g->ops->end();

	if (ret == -ECANCELED)
		err_set(err, ret, "cannot write what %s printed", g->script.path);
	else if (ret && ret != -EPIPE)
		err_sys(err, -ret, "cannot write what %s printed", g->script.path);
	interpreter_release(&g->interpreter);
	free(g->script.argv);
	free(g->event);
	free(g->record_function);
	arena_release(&g->arena);
	arena_release(&g->names);
	strbuf_release(&g->text);
	strbuf_release(&g->data_src_text);
	strbuf_release(&g->buildid_text);
	sources_release(&g->sources);
	vec_release(&g->query);
	free(g);
	return ret;
}

/* ---- samples ---- */

static void find_tracepoint(struct engine *g, const struct event *ev, struct engine_event *e)
{
	e->format = line_trace_event(g->host->worker, ev);
	e->function = -1;
	if (!e->format)
		return;
	e->name = engine_function_name(&g->names, g->language, e->format);
	e->name_len = strlen(e->name);
	e->pid = tracefmt_field(e->format, "common_pid");
	while (tracefmt_nth_field(e->format, e->nr_fields))
		e->nr_fields++;
	e->function = g->ops->find(e->name, &e->nr_args);
}

/* the function for the samples of an event; -1: none */
static inline int function_of(struct engine *g, const struct event *ev)
{
	struct engine_event *e = &g->event[ev->idx];

	if (ev->attr.type != PERF_TYPE_TRACEPOINT)
		return g->process_event;
	if (unlikely(!e->format)) {
		find_tracepoint(g, ev, e);
		if (!e->format)
			return -1;
	}
	return e->function >= 0 ? e->function : g->unhandled;
}

/* whether the script has a function for them */
static bool wants(struct engine *g, const struct event *ev)
{
	return function_of(g, ev) >= 0 || (g->language->calls->event_of_all && g->process_event >= 0);
}

/* false: the script is not called for it */
static bool decode(struct engine *g, const struct engine_batch *b, size_t i, struct line_sample *ls)
{
	*ls = (struct line_sample){ 0 };
	return b->rec[i].type == REC_SAMPLE &&
	       script_sample(g->host->worker, &b->rec[i], b->chain ? &b->chain[i] : NULL, ls) &&
	       wants(g, ls->sm.event) && g->host->wanted(g->host->ctx, ls);
}

/* notes what must be loaded for the frames of a sample; true: symbols must be, before lines can be */
static bool note_frames(struct engine *g, const struct line_sample *ls)
{
	struct frame_cache *c = &g->host->worker->cache;
	struct engine_chain chain = engine_chain_of(g, ls);
	struct resolved_frame f;
	struct frame_at at;

	c->blocked = false;
	frame_resolve(c, &ls->at, ls->sm.cpumode, ls->sm.ip, false, &f);
	while (ls->sm.callchain && engine_chain_next(g, &chain, &at)) {
		if (!frame_resolve_at(c, &at, &f) || f.loc.dso == ID_NONE || lines_none(c->lines, f.loc.dso))
			continue;
		if (!lines_find(c->lines, f.loc.dso, f.code))
			vec_push(&g->query, (struct line_query){ f.loc.dso, f.code });
	}
	return c->blocked;
}

/* whether samples have frames that scripts see; the place of a tracepoint is made when it is asked for */
static bool have_frames(const struct engine *g)
{
	const struct evset *set = g->session->data->evset;

	for (u32 i = 0; i < set->ev.nr; i++) {
		const struct pe_attr *attr = &evset_at(set, i)->attr;

		if (attr->type != PERF_TYPE_TRACEPOINT || attr->sample_type & PERF_SAMPLE_CALLCHAIN)
			return true;
	}
	return false;
}

/* symbols and lines of a whole batch at once: one after another they would take much longer */
static void load_batch(struct engine *g, const struct engine_batch *b)
{
	struct frame_cache *c = &g->host->worker->cache;
	struct line_sample ls;
	bool blocked;

	do {
		blocked = false;
		g->query.nr = 0;
		for (size_t i = 0; i < b->nr; i++)
			blocked |= decode(g, b, i, &ls) && note_frames(g, &ls);
		c->blocked = false;
		if (blocked)
			g->host->load(g->host->ctx);
	} while (blocked);
	if (g->query.nr)
		g->host->load_lines(g->host->ctx, g->query.v, g->query.nr);
}

static int run_sample(struct engine *g, const struct line_sample *ls, struct err *err)
{
	const struct engine_calls *calls = g->language->calls;
	const struct event *ev = ls->sm.event;
	bool tracepoint = ev->attr.type == PERF_TYPE_TRACEPOINT;
	int function = function_of(g, ev), ret = 0;
	struct script_value *arg;
	u32 nr;

	if (!wants(g, ev) || !script_switched_on(g->host->worker, ev))
		return 0;
	g->at = &g->event[ev->idx];
	g->ls = ls;
	g->host->worker->at = &ls->at;
	arena_reset(&g->arena);
	if (tracepoint && function >= 0) {
		nr = g->at->function >= 0 ? engine_trace_args(g, &arg) : calls->unhandled(g, &arg);
		ret = engine_call(g, function, arg, nr, err);
	}
	if (!ret && g->process_event >= 0 && (!tracepoint || calls->event_of_all)) {
		nr = calls->event(g, &arg);
		ret = engine_call(g, g->process_event, arg, nr, err);
	}
	return ret;
}

/* a sample of a group that is read together: a call for each member that counted */
static int run_group(struct engine *g, const struct rec *rec, const struct line_sample *ls, struct err *err)
{
	struct line_sample part = *ls;
	int what, ret = 0;

	for (u32 i = 0; !ret && (what = session_read(g->session, rec, i, &part.sm)) >= 0; i++)
		ret = what ? run_sample(g, &part, err) : 0;
	return ret;
}

int engine_run(struct engine *g, const struct script_host *host, const struct engine_batch *b, bool *passed,
	       struct err *err)
{
	struct line_sample ls;
	int ret = 0;

	g->host = host;
	if (have_frames(g))
		load_batch(g, b);
	for (size_t i = 0; i < b->nr && !ret && !*g->stop; i++) {
		const struct rec *rec = &b->rec[i];

		if (rec->type != REC_SAMPLE)
			ret = engine_run_record(g, rec, err);
		if (!decode(g, b, i, &ls))
			continue;
		*passed = true;
		g->rec = rec;
		ret = session_has_reads(g->session, &ls.sm) ? run_group(g, rec, &ls, err) :
							      run_sample(g, &ls, err);
		g->ls = NULL;
	}
	return ret;
}
