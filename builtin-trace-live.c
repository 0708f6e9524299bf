/* perf trace on what runs now: operations of the observer. */
#include "builtin-trace-live.h"
#include "util/base/log.h"
#include "util/base/pool.h"
#include "util/kernel/cgroup.h"
#include "util/kernel/tracefs.h"
#include "util/pmu/parse-events.h"
#include "util/trace/kernel-lines.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <string.h>
#include <unistd.h>

/* ---- events ---- */

static int add_filter(struct trace_observer *l, u32 from, const char *filter, struct err *err)
{
	return *filter ? parse_filter(l->c->observe.set, from, filter, err) : 0;
}

/* --filter-pids; and perf itself, where the whole system or a user is traced */
static void add_left_out(struct trace_observer *l)
{
	struct trace_cmd *c = l->c;

	if (l->ob.target.kind == TARGET_SYSTEM || c->observe.target.user)
		vec_push(&c->left_out, getpid());
}

/* events of -e that are tracepoints: those of tasks that are left out do not count */
static int filter_typed(struct trace_observer *l, struct err *err)
{
	struct trace_cmd *c = l->c;
	struct evset *set = c->observe.set;
	struct strbuf filter = STRBUF_INIT;
	int ret = 0;

	trace_select_filter(&(struct trace_select){ 0 }, c->left_out.v, c->left_out.nr, &filter);
	for (u32 i = 0; filter.len && i < l->nr_typed; i++) {
		struct event *ev = evset_at(set, i);
		char *both;

		if (ev->attr.type != PERF_TYPE_TRACEPOINT)
			continue;
		both = ev->filter ? xasprintf("(%s) && %s", ev->filter, filter.buf) : xstrdup(filter.buf);
		ev->filter = arena_strdup(&set->arena, both);
		free(both);
	}
	strbuf_release(&filter);
	return ret;
}

struct types_job {
	struct pool_job job;
	struct trace_cmd *c;
	struct err err;
	int ret;
};

static void read_types(void *ctx)
{
	struct types_job *t = ctx;

	t->ret = kernel_types_read(&t->c->types, &t->c->trace, t->c->force_btf, &t->err);
}

/* loads the programs while a thread reads the types that their rules need: each takes some 10 ms */
static int load_programs(struct trace_observer *l, bool *ret_done, struct err *err)
{
	struct types_job types = { .c = l->c, .err = ERR_INIT, .job = { .run = read_types, .ctx = &types } };
	const char *reason = trace_why_not_recorded(l);
	struct pool *pool = pool_new(2);

	tracefs_path();		/* both need it, and the first one that asks keeps it for all */
	pool_beside(pool, &types.job);
	if (reason)
		err_set(&l->why_not, -EINVAL, "%s", reason);
	else
		*ret_done = !trace_add_kernel(l, &l->why_not);
	pool_wait(pool, &types.job);
	pool_free(pool);
	if (types.ret)
		return err_copy(err, &types.err);
	l->c->trace.text.prototypes = l->c->types.prototypes;
	return *ret_done ? trace_set_rules(l, err) : 0;
}

/* the programs of the calls; *ret_done: nothing else is needed for them. Otherwise l->why_not says why */
static int add_programs(struct trace_observer *l, bool *ret_done, struct err *err)
{
	const char *reason = trace_why_not_counted(l);
	struct err why = ERR_INIT;
	struct trace_cmd *c = l->c;
	int ret;

	if (c->bpf_summary && reason)
		return err_set(err, -EINVAL, "--bpf-summary: BPF programs count calls %s", reason);
	if (!reason && trace_add_counting(l, &why)) {
		if (c->bpf_summary)
			return err_copy(err, &why);
		log_v("system calls are not counted by BPF: %s", why.msg);
	}
	*ret_done = l->counted && !c->trace.lines;
	if (*ret_done)
		return 0;
	ret = load_programs(l, ret_done, err);
	if (ret || *ret_done)
		return ret;
	log_v("system calls are recorded without BPF: %s", l->why_not.msg);
	return c->force_btf ? trace_refuse_force_btf(&l->why_not, err) : 0;
}

static int add_tracepoints(struct trace_observer *l, struct err *err)
{
	struct trace_cmd *c = l->c;
	struct evset *set = c->observe.set;
	u32 from = set->ev.nr;
	struct strbuf filter = STRBUF_INIT;
	struct syscall_set followed = { 0 };
	struct event *enter;
	int ret = parse_events(set, "raw_syscalls:sys_enter,raw_syscalls:sys_exit", NULL, err);

	if (ret < 0) {
		err_hint(err, "perf trace needs the tracepoints of system calls: CONFIG_FTRACE_SYSCALLS, a "
			 "mounted tracefs, and the right to use it");
		return ret;
	}
	if (c->trace.lines) {
		trace_fd_calls(&followed);
		trace_select_follow(&c->select, &followed);
	}
	trace_select_filter(&c->select, c->left_out.v, c->left_out.nr, &filter);
	if (c->select.any && *strbuf_str(&filter) != '(')
		log_note("the list of calls is too long for a filter of the kernel: perf filters them");
	log_v("filter of system calls: %s", strbuf_str(&filter));
	ret = add_filter(l, from, strbuf_str(&filter), err);
	strbuf_release(&filter);
	/* the chain of a call is that of its exit */
	enter = evset_at(set, from);
	enter->term_flags |= EVENT_TERM_CALL_GRAPH;
	enter->term_call_graph = "no";
	return ret;
}

static int add_syscalls(struct trace_observer *l, struct err *err)
{
	bool done = false;
	int ret;

	if (l->c->trace.no_syscalls)
		return 0;
	ret = add_programs(l, &done, err);
	return ret || done ? ret : add_tracepoints(l, err);
}

static int add_others(struct trace_observer *l, struct err *err)
{
	struct trace_cmd *c = l->c;
	const char *f = c->faults;
	u32 from = c->observe.set->ev.nr;
	int ret = 0;

	if (f && strcmp(f, "min"))
		ret = parse_events(c->observe.set, "major-faults", NULL, err);
	if (!ret && f && strcmp(f, "maj"))
		ret = parse_events(c->observe.set, "minor-faults", NULL, err);
	for (u32 i = from; i < c->observe.set->ev.nr; i++) {
		struct event *ev = evset_at(c->observe.set, i);

		ev->attr.sample_period = 1;
		ev->attr.sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_IP;
		ev->term_flags |= EVENT_TERM_PERIOD;
	}
	if (!ret && c->trace.sched)
		ret = parse_events(c->observe.set, "sched:sched_stat_runtime", NULL, err);
	return ret < 0 ? ret : 0;
}

/* events of perf trace itself, after those of -e; the observer needs them before it runs */
static int add_events(struct trace_observer *l, struct err *err)
{
	int ret;

	add_left_out(l);
	ret = filter_typed(l, err);
	if (!ret)
		ret = add_others(l, err);
	return ret ? ret : add_syscalls(l, err);
}

/*
 * Fields that no line shows are not recorded. The period stays: without it the kernel repeats an event that
 * counts more than one (sched_stat_runtime counts nanoseconds)
 */
static void slim(const struct trace_observer *l, struct evset *set)
{
	for (u32 i = 0; i < set->ev.nr; i++) {
		struct event *ev = evset_at(set, i);
		bool calls = l->in_kernel && i == l->kernel_event;

		if (ev->attr.type != PERF_TYPE_TRACEPOINT && !calls)
			continue;
		ev->attr.sample_type &= ~(u64)PERF_SAMPLE_IP;
		if (calls || !strncmp(ev->name, "raw_syscalls:", 13))
			ev->attr.sample_type &= ~(u64)PERF_SAMPLE_PERIOD;
	}
}

/* whether an address of the event is shown: not of tracepoints, of calls and of what counts nothing */
static bool shows_address(const struct trace_observer *l, u32 i)
{
	const struct pe_attr *a = &evset_at(l->c->observe.set, i)->attr;

	return a->type != PERF_TYPE_TRACEPOINT && !(l->in_kernel && i == l->kernel_event) &&
	       !(a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_DUMMY);
}

static bool wants_maps(const struct trace_observer *l)
{
	bool any = l->c->trace.chains || l->c->faults;

	for (u32 i = 0; i < l->c->observe.set->ev.nr; i++)
		any |= shows_address(l, i);
	return any;
}

/* ---- operations of the observer ---- */

static int configure(void *ctx, struct observer *ob, struct err *err)
{
	struct trace_observer *l = ctx;
	struct trace_cmd *c = l->c;
	struct evset *set = c->observe.set;
	int ret = sample_attr_watch_cpus(set, &ob->target, err);

	c->attr.delayed = observe_delayed(&c->observe);
	c->attr.data_mmap = c->faults != NULL;
	c->attr.all_cgroups |= c->trace.mode == TRACE_BY_CGROUP;
	if (!ret)
		ret = sample_attr_config(set, &c->attr, &ob->target, &ob->notes, err);
	slim(l, set);
	if (!ret && c->cgroups) {
		event_cgroups_add(&l->cgroup, c->cgroups, set->ev.nr);
		ob->cgroup = l->cgroup.v;
	}
	return ret;
}

static int open_all(void *ctx, struct observer *ob, const struct open_opts *opts, struct err *err)
{
	struct trace_observer *l = ctx;
	int ret = open_events(&ob->fds, l->c->observe.set, opts, err);

	return ret || !l->in_kernel ? ret : trace_open_kernel_output(l, ob, err);
}

/* the events count from now on; with -D this is called twice */
static int begin(void *ctx, struct observer *ob, struct err *err)
{
	struct trace_observer *l = ctx;
	int ret = 0;

	if (observe_delayed(&l->c->observe) && !ob->enabled)
		return 0;
	if (l->counted && !l->summary.attached)
		ret = kernel_summary_attach(&l->summary, &ob->target, err);
	if (ret || !l->in_kernel || l->kernel.attached)
		return ret;
	ret = watched_add_target(&l->kernel.set, &l->kernel.tasks, &ob->target, err);
	return ret ? ret : kernel_calls_attach(&l->kernel, err);
}

static void on_other(void *ctx, const struct tracing_sample *ts)
{
	struct trace *t = ctx;
	const struct trace_cmd *c = t->flush_ctx;

	if (c->kernel_event == ts->sample->event)
		trace_kernel_call(t, ts);
	else
		trace_other_event(t, ts);
}

static int start(void *ctx, struct observer *ob, struct err *err)
{
	struct trace_observer *l = ctx;
	struct trace_cmd *c = l->c;
	const struct tracing_live_opts o = { .set = c->observe.set, .target = &ob->target,
		.sym = c->session.sym, .maps = wants_maps(l),
		.cgroups = c->trace.mode == TRACE_BY_CGROUP, .nr_sources = l->kernel.ring.nr,
		.source_event = l->in_kernel ? evset_at(c->observe.set, l->kernel_event) : NULL,
		.map_timeout_ns = c->map_timeout_ms * 1000000ull };
	int ret;

	observer_log_notes(ob);
	c->tracing.ctx = &c->t;
	c->tracing.stop = &c->t.stop;
	c->tracing.other = on_other;
	if (l->in_kernel)
		c->tracing.nr_rows = TRACE_NR_EVENT_ROWS;
	c->kernel_event = l->in_kernel ? evset_at(c->observe.set, l->kernel_event) : NULL;
	ret = tracing_live_open(&l->tracing, &o, &c->tracing, err);
	if (ret)
		return ret;
	ret = trace_init(&c->t, &c->trace, tracing_live_session(l->tracing), err);
	c->t.flush = trace_write;
	c->t.flush_ctx = c;
	if (c->trace.lines && !c->trace.no_syscalls && !c->json && !l->in_kernel)
		log_note("strings and structs of arguments are shown as pointers: BPF programs copy them, "
			 "but %s", l->why_not.msg);
	return ret;
}

static int drain(void *ctx, struct observer *ob, struct err *err)
{
	struct trace_observer *l = ctx;

	trace_read_calls(l);
	tracing_live_read(l->tracing, &ob->rings);
	trace_write_live(&l->c->t);
	if (l->c->t.stop)
		observer_stop(ob);
	return 0;
}

/* a ring of BPF programs fills up */
static int wake(void *ctx, struct observer *ob, const struct loop_event *e, struct err *err)
{
	return drain(ctx, ob, err);
}

static int end(void *ctx, struct observer *ob, int failed, struct err *err)
{
	struct trace_observer *l = ctx;
	struct err disable_err = ERR_INIT;
	struct kernel_call pending;
	u32 tid = 0;

	open_disable(&ob->fds, l->c->observe.set, &disable_err);
	observer_end_command(ob);
	if (l->in_kernel)
		kernel_calls_detach(&l->kernel);
	if (l->counted)
		kernel_summary_detach(&l->summary);
	if (l->in_kernel)
		tracing_live_lost(l->tracing, kernel_calls_lost(&l->kernel));
	if (!l->c->t.stop)
		trace_read_calls(l);
	tracing_live_end(l->tracing, l->c->t.stop ? NULL : &ob->rings);
	if (l->counted && !failed)
		trace_end_counting(l);
	/* with -C it is not known where they began */
	while (l->in_kernel && !l->c->t.stop && !l->c->observe.target.cpus &&
	       kernel_calls_next_pending(&l->kernel, &tid, &pending))
		trace_kernel_pending(&l->c->t, &pending);
	if (l->in_kernel && kernel_calls_missed(&l->kernel))
		log_warn("%llu calls were not recorded: too many threads",
			 (unsigned long long)kernel_calls_missed(&l->kernel));
	return failed ? 0 : trace_finish(l->c, tracing_live_session(l->tracing), err);
}

int trace_live(struct trace_cmd *c, struct workload_result *command, struct err *err)
{
	const struct observer_ops ops = {
		.configure = configure, .open = open_all, .start = start, .begin = begin,
		.drain = drain, .tick = drain, .event = wake, .end = end,
	};
	struct trace_observer l = { .c = c, .summary = KERNEL_SUMMARY_INIT,
				    .nr_typed = c->observe.set->ev.nr };
	int ret;

	c->observe.target.has_workload = c->observe.argv != NULL;
	ret = observer_resolve(&l.ob, &c->observe, err);
	if (!ret)
		ret = add_events(&l, err);
	if (!ret)
		ret = observer_run(&l.ob, &ops, &l, err);
	*command = observer_result(&l.ob);
	observer_log_notes(&l.ob);
	trace_release(&c->t);
	tracing_live_close(l.tracing);
	if (l.in_kernel)
		kernel_calls_close(&l.kernel);
	kernel_summary_close(&l.summary);
	kernel_types_release(&c->types);
	event_cgroups_release(&l.cgroup);
	observer_release(&l.ob);
	return ret;
}
