/* Text: the lines of system calls. */
#include "trace-private.h"

static u64 shown_time(const struct trace *t, u64 time)
{
	if (t->o->tod)
		return time + t->wall_offset;
	return t->o->full_time ? time : time > t->base_time ? time - t->base_time : 0;
}

static struct trace_head head_of(const struct trace *t, const struct trace_line *l)
{
	return (struct trace_head){
		.start = l->start == UINT64_MAX ? UINT64_MAX : shown_time(t, l->start),
		.duration = l->duration, .timed = l->timed, .cpu = l->cpu,
		.label = l->th->label, .label_len = l->th->label_len,
	};
}

void trace_put_head(struct trace *t, const struct trace_line *l)
{
	const struct trace_head h = head_of(t, l);

	trace_add_head(t->o, &h, &t->lines.out);
}

void trace_end_line(struct trace *t)
{
	t->nr_lines++;
	if (t->o->max_events && t->nr_lines >= t->o->max_events)
		t->stop = true;
	if (trace_call_lines_full(&t->lines) && t->flush)
		t->flush(t);
}

static void pad_to(struct strbuf *out, size_t start, u32 width)
{
	size_t len = out->len - start;

	if (len < width)
		strbuf_pad(out, ' ', width - len);
}

static void add_name(struct strbuf *out, const struct syscall_table *table, u32 nr)
{
	const struct syscall_row *row = table ? syscall_by_nr(table, nr) : NULL;

	if (row)
		strbuf_addstr(out, row->name);
	else
		strbuf_addf(out, "syscall_%d", (s32)nr);
}

/* of a task that side-band names, at the time of the line */
static bool task_name(void *ctx, s32 tid, struct strbuf *out)
{
	struct trace *t = ctx;
	const struct when now = { .time = t->now, .off = UINT64_MAX };
	const struct sample_ctx task = machine_sample_ctx(t->s->machine, tid, tid, now);
	const char *name = task.thread ? machine_comm(t->s->machine, &task) : ":";

	t->keep_text = false;		/* another time it has another name */
	if (*name == ':')
		return false;
	strbuf_add_safe(out, name);
	return true;
}

struct syscall_text_opts trace_text_opts(struct trace *t)
{
	struct syscall_text_opts o = t->o->text;

	o.task_name = task_name;
	o.fd_path = trace_fd_path;
	o.ctx = t;
	return o;
}

/* ---- cells ---- */

void trace_put_cells(struct trace *t, const struct trace_line *l, const char *event)
{
	const struct stream_format *f = t->o->format;
	struct strbuf *out = &t->lines.out;

	f->begin(out);
	if (l->start == UINT64_MAX)
		stream_absent(f, out, "time", "the beginning was not seen");
	else
		stream_time(f, out, "time", l->start);
	if (t->o->tod && l->start != UINT64_MAX)
		stream_number(f, out, "tod", shown_time(t, l->start));
	if (l->timed)
		stream_number(f, out, "duration_ns", l->duration);
	if (l->cpu != UINT32_MAX)
		stream_number(f, out, "cpu", l->cpu);
	stream_text(f, out, "comm", l->th->comm == ID_NONE ? "" :
		    machine_comm_name(t->s->machine, l->th->comm));
	stream_signed(f, out, "pid", l->th->pid);
	stream_signed(f, out, "tid", l->th->tid);
	stream_text(f, out, "event", event);
}

static void put_call_cells(struct trace *t, const struct trace_line *l, const struct syscall_call *call,
			   bool continued)
{
	const struct syscall_text_opts o = trace_text_opts(t);
	const struct stream_format *f = t->o->format;
	struct strbuf *out = &t->lines.out;
	int errnum;

	trace_put_cells(t, l, "syscall");
	strbuf_reset(&t->text);
	add_name(&t->text, call->table, call->nr);
	stream_text(f, out, "name", strbuf_str(&t->text));
	if (l->start != UINT64_MAX) {
		strbuf_reset(&t->text);
		syscall_add_args(call, &o, &t->text);
		stream_text(f, out, "args", strbuf_str(&t->text));
	}
	if (continued)
		stream_bool(f, out, "continued", true);
	if (!call->has_ret)
		return;
	stream_signed(f, out, "ret", call->ret);
	strbuf_reset(&t->text);
	syscall_add_result(call, &o, &t->text);
	stream_text(f, out, "result", strbuf_str(&t->text));
	if (syscall_failed(call, &errnum))
		stream_text(f, out, "errno", syscall_errno_name(call->table, errnum, NULL));
}

/* ---- text ---- */

/* what is known of a call by its numbers alone: "close(fd: 3)          = 0" */
static void add_call(struct trace *t, const struct syscall_call *call, bool continued, struct strbuf *out)
{
	const struct syscall_text_opts o = trace_text_opts(t);
	size_t start = out->len;

	strbuf_addstr(out, continued ? " ... [continued]: " : "");
	add_name(out, call->table, call->nr);
	strbuf_addch(out, '(');
	if (continued)
		strbuf_addch(out, ')');
	else
		syscall_add_args(call, &o, out);
	strbuf_addch(out, ')');
	if (t->o->alignment)
		pad_to(out, start, t->o->alignment - 1);
	strbuf_add(out, " = ", 3);
	syscall_add_result(call, &o, out);
	strbuf_addch(out, '\n');
}

static void put_call_text(struct trace *t, const struct trace_line *l, const struct syscall_call *call,
			  bool continued)
{
	struct trace_call_lines *lines = &t->lines;
	struct text_cache_entry *e = NULL;
	bool hit = false;

	if (!continued)
		e = text_cache_find(t->texts, call, &hit);
	if (!e) {
		trace_put_head(t, l);
		add_call(t, call, continued, &lines->out);
		return;
	}
	if (!hit) {
		t->keep_text = true;
		e->text = lines->texts.len;
		add_call(t, call, false, &lines->texts);
		e->text_len = lines->texts.len - e->text;
	}
	vec_push(&lines->call, (struct trace_call_line){ .head = head_of(t, l), .at = lines->out.len,
							 .text = e->text, .text_len = e->text_len });
	if (!hit && !t->keep_text)
		e->text_len = 0;
}

void trace_put_call(struct trace *t, const struct trace_line *l, const struct syscall_call *call,
		    bool continued, const struct tracing_sample *ts)
{
	if (t->stop)
		return;		/* an unfinished call had the last line */
	if (unlikely(t->o->min_stack) && trace_chain_len(t, ts, t->o->kernel_chains) < t->o->min_stack)
		return;
	if (t->o->format)
		put_call_cells(t, l, call, continued);
	else
		put_call_text(t, l, call, continued);
	if (t->o->chains)
		trace_put_chain(t, ts, t->o->kernel_chains);
	if (t->o->format)
		t->o->format->end(&t->lines.out);
	trace_end_line(t);
}

void trace_put_unfinished(struct trace *t, struct trace_thread *th)
{
	const struct trace_line l = { .th = th, .start = th->enter_time, .cpu = th->cpu };
	const struct syscall_call *call = &th->call;
	const struct syscall_text_opts o = trace_text_opts(t);
	struct strbuf *out = &t->lines.out;
	size_t start;

	if (t->o->format) {
		put_call_cells(t, &l, call, false);
		stream_bool(t->o->format, out, "unfinished", true);
		t->o->format->end(out);
		trace_end_line(t);
		return;
	}
	trace_put_head(t, &l);
	start = out->len;
	add_name(out, call->table, call->nr);
	strbuf_addch(out, '(');
	syscall_add_args(call, &o, out);
	strbuf_addch(out, ')');
	if (t->o->alignment)
		pad_to(out, start, t->o->alignment - 3);
	strbuf_addstr(out, "...\n");
	trace_end_line(t);
}

void trace_put_sample(struct trace *t, const struct tracing_sample *ts, const char *name)
{
	struct strbuf *out = &t->lines.out;

	if (t->o->format)
		return;
	strbuf_addf(out, "%22s ", name);
	trace_add_ms(out, ts->sample->time, 0);
	strbuf_addch(out, ' ');
	strbuf_add_safe(out, machine_comm(t->s->machine, tracing_ctx(ts)));
	strbuf_addf(out, " %d/%d [%d]\n", (s32)ts->sample->pid, (s32)ts->sample->tid, (s32)ts->sample->cpu);
}
