/* Python: the functions of a script and the samples for them. See python.h. */
#include "python-private.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../../arch/arch.h"
#include "../base/plugin.h"
#include "../session/reads.h"
#include "../syscall/syscall.h"
#include "../tep/field-words.h"

/* ---- what scripts ask ---- */

static struct script_value ask(void *ctx, enum script_question q)
{
	return python_answer(ctx, q);
}

static const struct python_event *event_named(const struct python *p, const char *name)
{
	for (size_t i = 0; i < p->session->data->evset->ev.nr; i++)
		if (p->event[i].name && !strcmp(p->event[i].name, name))
			return &p->event[i];
	return NULL;
}

static const char *words(void *ctx, const char *event, const char *field, u64 value, bool flags)
{
	struct python *p = ctx;
	const struct python_event *e = event_named(p, event);
	const struct tracefmt_field *f = e && e->format ? tracefmt_field(e->format, field) : NULL;

	strbuf_reset(&p->text);
	if (f)
		field_words_add(f, flags ? WORDS_FLAGS : WORDS_SYMBOLS, value, &p->text);
	return strbuf_str(&p->text);
}

static const char *syscall_name(void *ctx, int nr)
{
	const struct python *p = ctx;
	const struct arch *arch = features_arch(&p->session->data->feat);
	const struct syscall_table *t = arch ? syscall_table_find(arch->abi[1].e_machine, 64) : NULL;
	const struct syscall_row *row;

	if (arch && !t)
		t = syscall_table_find(arch->abi[0].e_machine, 32);
	row = t ? syscall_by_nr(t, (u32)nr) : NULL;
	return row ? row->name : NULL;
}

/* ---- beginning and ending ---- */

void python_add_identifier(const char *name, struct strbuf *out)
{
	if (*name >= '0' && *name <= '9')
		strbuf_addch(out, '_');
	for (; *name; name++)
		strbuf_addch(out, (*name & 0x80) || !(isalnum((u8)*name)) ? '_' : *name);
}

const char *python_function_name(struct arena *a, const struct tracefmt_event *e)
{
	struct strbuf name = STRBUF_INIT;
	const char *ret;

	python_add_identifier(tracefmt_event_system(e), &name);
	strbuf_addstr(&name, "__");
	python_add_identifier(tracefmt_event_name(e), &name);
	ret = arena_strdup(a, strbuf_str(&name));
	strbuf_release(&name);
	return ret;
}

static int check_status(const struct python *p, int ret, struct err *err)
{
	if (ret == -ECANCELED)
		return err_set(err, ret, "%s failed, as Python says above", p->script.path);
	return ret;
}

struct python *python_open(struct python_opts *o, const struct session *s, struct err *err)
{
	const struct python_plugin_ops *ops;
	struct python *p;
	int ret;

	if (access(o->file, R_OK)) {
		err_sys(err, errno, "cannot read %s", o->file);
		return NULL;
	}
	ops = plugin_load("libpython", sizeof(*ops), err);
	if (!ops)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->ops = ops;
	p->session = s;
	p->exit_status = &o->status;
	p->stop = &o->stop;
	p->script = (struct python_script){ .path = o->file, .argc = o->argc + 1, .ask = ask, .words = words,
					    .syscall = syscall_name, .ctx = p };
	p->script.argv = xcalloc(o->argc + 2, sizeof(char *));
	p->script.argv[0] = (char *)o->file;
	for (int i = 0; i < o->argc; i++)
		p->script.argv[i + 1] = (char *)o->argv[i];
	p->event = xcalloc(s->data->evset->ev.nr + 1, sizeof(*p->event));
	/* scripts look for modules below this folder: ours are in the interpreter, others may be there */
	setenv("PERF_EXEC_PATH", access("/usr/lib/perf-core", F_OK) ? "/usr/libexec/perf-core" :
								      "/usr/lib/perf-core", 0);
	ret = check_status(p, ops->begin(&p->script, p->exit_status), err);
	if (!ret)
		return p;
	python_close(p, err->code ? &(struct err)ERR_INIT : err);
	return NULL;
}

static void find_functions(struct python *p)
{
	p->process_event = p->ops->find("process_event", &p->unused);
	p->unhandled = p->ops->find("trace_unhandled", &p->unhandled_args);
	p->context_switch = p->ops->find("context_switch", &p->unused);
}

static int call(struct python *p, int function, const struct script_value *arg, u32 nr, struct err *err)
{
	if (function < 0)
		return 0;
	return check_status(p, p->ops->call(function, arg, nr, p->exit_status), err);
}

int python_start(struct python *p, struct err *err)
{
	find_functions(p);
	return call(p, p->ops->find("trace_begin", &p->unused), NULL, 0, err);
}

int python_stop(struct python *p, struct err *err)
{
	return call(p, p->ops->find("trace_end", &p->unused), NULL, 0, err);
}

int python_close(struct python *p, struct err *err)
{
	int ret = p->ops->end();

	if (ret && ret != -EPIPE)
		err_set(err, ret, "cannot write what %s printed", p->script.path);
	free(p->script.argv);
	free(p->event);
	arena_release(&p->arena);
	arena_release(&p->names);
	strbuf_release(&p->text);
	sources_release(&p->sources);
	vec_release(&p->query);
	free(p);
	return ret;
}

/* ---- samples ---- */

/* the function for the samples of an event; -1: none */
static int function_of(struct python *p, const struct event *ev)
{
	struct python_event *e = &p->event[ev->idx];

	if (ev->attr.type != PERF_TYPE_TRACEPOINT)
		return p->process_event;
	if (!e->format) {
		e->format = line_trace_event(p->host->worker, ev);
		e->function = -1;
		if (!e->format)
			return -1;
		e->name = python_function_name(&p->names, e->format);
		e->function = p->ops->find(e->name, &e->nr_args);
	}
	return e->function >= 0 ? e->function : p->unhandled;
}

/* false: the script is not called for it */
static bool decode(struct python *p, const struct python_batch *b, size_t i, struct line_sample *ls)
{
	*ls = (struct line_sample){ 0 };
	return b->rec[i].type == REC_SAMPLE &&
	       script_sample(p->host->worker, &b->rec[i], b->chain ? &b->chain[i] : NULL, ls) &&
	       function_of(p, ls->sm.event) >= 0 && p->host->wanted(p->host->ctx, ls);
}

/* notes what must be loaded for the frames of a sample; true: symbols must be, before lines can be */
static bool note_frames(struct python *p, const struct line_sample *ls)
{
	struct frame_cache *c = &p->host->worker->cache;
	struct python_chain chain = python_chain_of(p, ls);
	struct resolved_frame f;
	struct frame_at at;

	c->blocked = false;
	frame_resolve(c, &ls->at, ls->sm.cpumode, ls->sm.ip, false, &f);
	while (ls->sm.callchain && python_chain_next(p, &chain, &at)) {
		if (!frame_resolve_at(c, &at, &f) || f.loc.dso == ID_NONE || lines_none(c->lines, f.loc.dso))
			continue;
		if (!lines_find(c->lines, f.loc.dso, f.code))
			vec_push(&p->query, (struct line_query){ f.loc.dso, f.code });
	}
	return c->blocked;
}

/* symbols and lines of a whole batch at once: one after another they would take much longer */
static void load_batch(struct python *p, const struct python_batch *b)
{
	struct frame_cache *c = &p->host->worker->cache;
	struct line_sample ls;
	bool blocked;

	do {
		blocked = false;
		p->query.nr = 0;
		for (size_t i = 0; i < b->nr; i++)
			blocked |= decode(p, b, i, &ls) && note_frames(p, &ls);
		c->blocked = false;
		if (blocked)
			p->host->load(p->host->ctx);
	} while (blocked);
	if (p->query.nr)
		p->host->load_lines(p->host->ctx, p->query.v, p->query.nr);
}

static int run_sample(struct python *p, const struct line_sample *ls, struct err *err)
{
	const struct event *ev = ls->sm.event;
	struct script_value *arg;
	u32 nr;

	if (function_of(p, ev) < 0 || !script_switched_on(p->host->worker, ev))
		return 0;
	p->at = &p->event[ev->idx];
	p->ls = ls;
	p->host->worker->at = &ls->at;
	arena_reset(&p->arena);
	if (ev->attr.type != PERF_TYPE_TRACEPOINT)
		nr = python_event_args(p, &arg);
	else if (p->at->function >= 0)
		nr = python_trace_args(p, &arg);
	else
		nr = python_unhandled_args(p, &arg);
	return call(p, function_of(p, ev), arg, nr, err);
}

/* a sample of a group that is read together: a call for each member that counted */
static int run_group(struct python *p, const struct rec *rec, const struct line_sample *ls, struct err *err)
{
	struct line_sample part = *ls;
	int what, ret = 0;

	for (u32 i = 0; !ret && (what = session_read(p->session, rec, i, &part.sm)) >= 0; i++)
		ret = what ? run_sample(p, &part, err) : 0;
	return ret;
}

#define SWITCH_ARGS 11

/* the last two are the virtual machine and its CPU, as scripts know them: none */
static void switch_args(const struct rec *rec, const struct record_view *v, const struct sample *sm,
			struct script_value *ret)
{
	bool away = rec->misc & MISC_SWITCH_OUT, wide = rec->type == REC_SWITCH_CPU_WIDE;
	s64 number[SWITCH_ARGS] = {
		(s64)sm->time, (s32)sm->cpu, (s32)sm->pid, (s32)sm->tid, wide ? (s32)v->pid_tid.pid : -1,
		wide ? (s32)v->pid_tid.tid : -1, -1, away, away && rec->misc & MISC_SWITCH_OUT_PREEMPT, 0, -1,
	};

	for (u32 i = 0; i < SWITCH_ARGS; i++)
		ret[i] = (struct script_value){ .kind = i == 7 || i == 8 ? VALUE_BOOL : VALUE_INT,
						.i = number[i] };
}

static int run_switch(struct python *p, const struct rec *rec, struct err *err)
{
	const struct sample_filter *f = &p->host->worker->sc->o->filter.sample;
	struct script_value arg[SWITCH_ARGS];
	struct record_view v;
	struct sample sm = { 0 };

	if (p->context_switch < 0 || record_decode(rec, &v) < 0 ||
	    sample_decode_id(p->session->data->plan, rec, &sm) || !time_filter_ok(&f->times, sm.time) ||
	    !id_filter_ok(&f->pids, sm.pid) || !id_filter_ok(&f->tids, sm.tid) ||
	    !id_filter_ok(&f->cpus, sm.cpu))
		return 0;
	switch_args(rec, &v, &sm, arg);
	return call(p, p->context_switch, arg, SWITCH_ARGS, err);
}

int python_run(struct python *p, const struct script_host *host, const struct python_batch *b, bool *passed,
	       struct err *err)
{
	struct line_sample ls;
	int ret = 0;

	p->host = host;
	load_batch(p, b);
	for (size_t i = 0; i < b->nr && !ret && !*p->stop; i++) {
		const struct rec *rec = &b->rec[i];

		if (rec->type == REC_SWITCH || rec->type == REC_SWITCH_CPU_WIDE) {
			ret = run_switch(p, rec, err);
			continue;
		}
		if (!decode(p, b, i, &ls))
			continue;
		*passed = true;
		ret = session_has_reads(p->session, &ls.sm) ? run_group(p, rec, &ls, err) :
							      run_sample(p, &ls, err);
		p->ls = NULL;
	}
	return ret;
}
