/* Events: lines of page faults, tracepoints and other events. */
#include "enums.h"
#include "trace-private.h"

#include <string.h>
#include "../tep/tracefmt.h"

/* ---- page faults ---- */

/* PERF_COUNT_SW_PAGE_FAULTS_MAJ, _MIN: what -F asks for */
static bool is_fault(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.sample_type & PERF_SAMPLE_ADDR &&
	       (ev->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ ||
		ev->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MIN);
}

static void put_fault(struct trace *t, struct trace_line *l, const struct tracing_sample *ts)
{
	bool major = ts->sample->event->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	const struct stream_format *f = t->o->format;
	struct strbuf *out = &t->lines.out;
	char kind;

	strbuf_reset(&t->text);
	trace_put_code(t, ts, ts->sample->ip, &t->text);
	if (f) {
		trace_put_cells(t, l, major ? "majfault" : "minfault");
		stream_text(f, out, "code", strbuf_str(&t->text));
		strbuf_reset(&t->text);
		trace_put_data(t, ts, ts->sample->addr, &t->text);
		stream_address(f, out, "addr", ts->sample->addr);
		stream_text(f, out, "data", strbuf_str(&t->text));
		return;
	}
	l->timed = true;
	trace_put_head(t, l);
	strbuf_addf(out, "%sfault [%s] => ", major ? "maj" : "min", strbuf_str(&t->text));
	kind = trace_put_data(t, ts, ts->sample->addr, out);
	strbuf_addf(out, " (%c%c)\n", kind, kind == '?' ? 'k' : '.');
}

/* ---- tracepoints ---- */

/* what is called pid is followed by the name of the task */
static void put_task(struct trace *t, const struct tracing_sample *ts, const struct tracefmt_field *f,
		     u64 pid, struct strbuf *out)
{
	const char *last = strrchr(f->name, '_');
	struct sample_ctx ctx;

	if ((s64)pid <= 0 || strcmp(last ? last + 1 : f->name, "pid"))
		return;
	ctx = machine_sample_ctx(t->s->machine, pid, pid, ts->when);
	if (!ctx.thread)
		return;
	strbuf_addf(out, " (%s)", machine_comm(t->s->machine, &ctx));
}

/* as the arguments of a call: "prev_comm: "sh", prev_pid: 12"; what is 0 and has no name says nothing */
static void put_fields(struct trace *t, const struct tracing_sample *ts, const struct tracefmt_event *te,
		       struct strbuf *out)
{
	const struct sample *s = ts->sample;
	const struct tracefmt_field *f;
	struct strbuf name = STRBUF_INIT;
	bool any = false;

	for (u32 i = 0; (f = tracefmt_nth_field(te, i)); i++) {
		u64 v = 0;
		bool number = !f->is_string && tracefmt_value(ts->formats, f, s->raw, s->raw_size, &v), named;

		strbuf_reset(&name);
		named = number && trace_enums_add(t->enums, f, v, &name);
		if (number && !v && !named && !t->o->text.show_zeros)
			continue;
		strbuf_addf(out, "%s%s%s", any ? ", " : "", t->o->text.hide_names ? "" : f->name,
			    t->o->text.hide_names ? "" : ": ");
		strbuf_addstr(out, f->is_string ? "\"" : "");
		if (named)
			strbuf_add(out, name.buf, name.len);
		else
			tracefmt_print_field(ts->formats, te, f, s->raw, s->raw_size, out);
		strbuf_addstr(out, f->is_string ? "\"" : "");
		if (number)
			put_task(t, ts, f, v, out);
		any = true;
	}
	strbuf_release(&name);
}

/*
 * Tracepoints of one system call: their fields are __syscall_nr (nr in older kernels), then the arguments,
 * or the result. False: te is another tracepoint. No calls are followed, so descriptors have no names
 */
static bool put_call(struct trace *t, const struct trace_line *l, const struct tracing_sample *ts,
		     const struct tracefmt_event *te, struct strbuf *out)
{
	const char *name = tracefmt_event_name(te);
	struct syscall_call call = { .table = l->th->call.table, .pid = l->th->pid, .tid = l->th->tid };
	struct syscall_text_opts o = trace_text_opts(t);
	const struct sample *s = ts->sample;
	bool enter = !strncmp(name, "sys_enter_", 10);
	const struct tracefmt_field *f = tracefmt_nth_field(te, 0);
	u64 v;

	if (strcmp(tracefmt_event_system(te), "syscalls") || (!enter && strncmp(name, "sys_exit_", 9)) ||
	    !f || !tracefmt_value(ts->formats, f, s->raw, s->raw_size, &v))
		return false;
	call.nr = v;
	o.fd_path = NULL;
	for (u32 i = 0; enter && i < SYSCALL_ARGS; i++) {
		f = tracefmt_nth_field(te, i + 1);
		if (f && !tracefmt_value(ts->formats, f, s->raw, s->raw_size, &call.arg[i]))
			return false;
	}
	if (enter) {
		syscall_add_args(&call, &o, out);
		return true;
	}
	f = tracefmt_field(te, "ret");
	if (!f || !tracefmt_value(ts->formats, f, s->raw, s->raw_size, &v))
		return false;
	call.ret = v;
	call.has_ret = true;
	strbuf_addstr(out, o.hide_names ? "" : "ret: ");
	syscall_add_result(&call, &o, out);
	return true;
}

static void put_tracepoint(struct trace *t, const struct trace_line *l, const struct tracing_sample *ts,
			   const struct tracefmt_event *te, struct strbuf *out)
{
	if (!put_call(t, l, ts, te, out))
		put_fields(t, ts, te, out);
}

static void put_event(struct trace *t, const struct trace_line *l, const struct tracing_sample *ts)
{
	const struct event *ev = ts->sample->event;
	const struct tracefmt_event *te = NULL;
	const struct stream_format *f = t->o->format;

	if (ev->attr.type == PERF_TYPE_TRACEPOINT && ts->formats && ts->sample->raw)
		te = tracefmt_event(ts->formats, ev->attr.config);
	strbuf_reset(&t->text);
	if (te && t->o->library_text)
		tracefmt_print(ts->formats, te, ts->sample->raw, ts->sample->raw_size, &t->text);
	else if (te)
		put_tracepoint(t, l, ts, te, &t->text);
	else if (ev->attr.sample_type & PERF_SAMPLE_IP)
		trace_put_code(t, ts, ts->sample->ip, &t->text);
	if (f) {
		trace_put_cells(t, l, ev->name);
		stream_text(f, &t->lines.out, "args", strbuf_str(&t->text));
		return;
	}
	trace_put_head(t, l);
	strbuf_add_safe(&t->lines.out, ev->name);
	strbuf_addch(&t->lines.out, '(');
	strbuf_add_safe(&t->lines.out, strbuf_str(&t->text));
	strbuf_addstr(&t->lines.out, ")\n");
}

void trace_other_event(void *ctx, const struct tracing_sample *ts)
{
	const struct event *ev = ts->sample->event;
	struct trace_line l = { .start = ts->sample->time, .cpu = ts->sample->cpu };
	struct trace_thread *th;
	struct trace *t = ctx;

	if (ev->dummy || !trace_begin_event(t, ts))
		return;
	trace_note_time(t, ts->sample->time);
	l.th = th = trace_thread_of(t, ts);
	th->nr_events++;
	if (is_fault(ev)) {
		th->nr_major += ev->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
		th->nr_minor += ev->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MIN;
	}
	if (!t->o->lines)
		return;
	if (unlikely(t->o->min_stack) && trace_chain_len(t, ts, true) < t->o->min_stack)
		return;
	trace_interrupt(t, NULL);
	if (t->stop)
		return;
	if (is_fault(ev))
		put_fault(t, &l, ts);
	else
		put_event(t, &l, ts);
	if (t->o->chains)
		trace_put_chain(t, ts, true);
	if (t->o->format)
		t->o->format->end(&t->lines.out);
	trace_end_line(t);
}
