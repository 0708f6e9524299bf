/* Reading branches and errors of a trace for a timeline of calls: see calls.h. */
#include "calls.h"
#include "../event/insn-flags.h"
#include "../event/record.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define ERROR_NO_CODE 5		/* codes of AUXTRACE_ERROR records */

static const char *const groups[] = { "Threads" };

void calls_open(struct calls *c, struct session *s, const struct calls_opts *o)
{
	*c = (struct calls){ .session = s, .time_spec = o->time_spec };
	timeline_init(&c->picture, "calls", calls_kinds, CALL_NR_KINDS, groups, ARRAY_SIZE(groups));
	call_places_init(&c->places, s, &c->picture.labels, o->inlines);
}

void calls_close(struct calls *c)
{
	vec_foreach(&c->task, t) {
		vec_release(&(*t)->call);
		free(*t);
	}
	vec_release(&c->task);
	hidx_release(&c->task_idx);
	vec_release(&c->on_cpu);
	call_places_release(&c->places);
	timeline_release(&c->picture);
	time_filter_release(&c->times);
	strbuf_release(&c->text);
}

/* NULL: no branch of it was read */
static struct call_task *find_task(const struct calls *c, s64 key)
{
	u32 id;

	HIDX_FOREACH(&c->task_idx, hash_u64(key), id)
		if (c->task.v[id]->key == key)
			return c->task.v[id];
	return NULL;
}

static struct call_task *task_of(struct calls *c, const struct sample *sm, u64 time)
{
	s64 key = sm->tid > 0 ? sm->tid : -1 - (s64)sm->cpu;
	struct call_task *t = find_task(c, key);

	if (t)
		return t;
	t = xcalloc(1, sizeof(*t));
	*t = (struct call_task){ .key = key, .pid = sm->pid, .tid = sm->tid, .comm = ID_NONE,
				 .track = TIMELINE_NONE, .first = time, .id = c->task.nr };
	hidx_insert(&c->task_idx, hash_u64(key), c->task.nr);
	vec_push(&c->task, t);
	return t;
}

/* errors of the trace of a CPU do not always name a thread */
static void set_on_cpu(struct calls *c, u32 cpu, const struct call_task *t)
{
	enum { MAX_CPUS = 1 << 16 };

	if (cpu >= MAX_CPUS)
		return;
	while (c->on_cpu.nr <= cpu)
		vec_push(&c->on_cpu, 0);
	c->on_cpu.v[cpu] = t->id + 1;
}

static bool is_branch(const struct event *ev)
{
	return ev && ev->attr.config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS &&
	       ev->attr.type == PERF_TYPE_HARDWARE && ev->attr.sample_type & ABI_SAMPLE_INSN_FLAGS;
}

static void on_sample(void *ctx, const struct tracing_sample *ts)
{
	const struct sample *sm = ts->sample;
	struct calls *c = ctx;
	struct call_branch b = { .from = sm->ip, .to = sm->addr, .flags = sm->insn_flags };
	const struct sample_ctx *at;
	struct call_task *t;

	if (!is_branch(sm->event))
		return;
	at = tracing_ctx(ts);
	b.time = c->timeless ? ++c->count : sm->time;
	t = task_of(c, sm, b.time);
	b.time = MAX(b.time, t->last);
	t->last = b.time;
	t->nr++;
	if (at->thread)
		t->comm = machine_comm_or_first(c->session->machine, at->thread, at->when);
	if (sm->event->attr.sample_type & PERF_SAMPLE_CPU)
		set_on_cpu(c, sm->cpu, t);
	if (b.from)
		b.from_place = call_places_find(&c->places, &ts->task->locator, at, b.from);
	if (b.to)
		b.to_place = call_places_find(&c->places, &ts->task->locator, at, b.to);
	calls_branch(c, t, &b);
}

static void on_record(void *ctx, const struct rec *rec, u64 time)
{
	struct calls *c = ctx;
	struct call_task *t = NULL;
	struct record_view v;
	bool no_code;
	u32 label;

	/* a trace without times has a record of each branch, also without code */
	if (rec->type != REC_AUXTRACE_ERROR || record_decode(rec, &v) || c->timeless)
		return;
	if (v.auxtrace_error.tid > 0)
		t = find_task(c, v.auxtrace_error.tid);
	else if ((u32)v.auxtrace_error.cpu < c->on_cpu.nr && c->on_cpu.v[v.auxtrace_error.cpu])
		t = c->task.v[c->on_cpu.v[v.auxtrace_error.cpu] - 1];
	if (!t)
		return;
	no_code = v.auxtrace_error.code == ERROR_NO_CODE;
	strbuf_reset(&c->text);
	strbuf_add(&c->text, v.auxtrace_error.msg.p, v.auxtrace_error.msg.len);
	label = strtab_add(&c->picture.labels, strbuf_str(&c->text));
	calls_gap(c, t, time, no_code ? CALL_NO_CODE : CALL_LOST, label, !no_code);
}

/* whether a trace was decoded, and has times */
static int check_events(struct calls *c, struct err *err)
{
	bool any = false;

	vec_foreach(&c->session->data->evset->ev, ev) {
		if (!is_branch(*ev))
			continue;
		any = true;
		c->timeless |= !((*ev)->attr.sample_type & PERF_SAMPLE_TIME);
	}
	if (any)
		return 0;
	err_set(err, -ENOENT, "%s has no branches of a hardware trace", c->session->data->path);
	err_hint(err, "Intel PT and Arm CoreSight record them: perf-intel-pt(1), perf-coresight(1)");
	return -ENOENT;
}

int calls_run(struct calls *c, const struct sample_filter *filter, struct err *err)
{
	struct tracing_opts tracing = { .filter = *filter, .ctx = c, .other = on_sample,
					.side_band = on_record };
	struct session *s = c->session;
	int ret = check_events(c, err);

	tracing.filter.time_spec = NULL;	/* calls begin before what is shown */
	if (!ret && c->time_spec)
		ret = time_filter_parse(&c->times, c->time_spec, s->first_time, s->last_time, err);
	if (!ret)
		ret = tracing_run(s, &tracing, err);
	if (ret)
		return ret;
	vec_foreach(&c->task, t)
		calls_end_task(c, *t);
	return calls_finish_picture(c, err);
}
