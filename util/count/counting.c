/* Counting: the operations of perf stat for an observer. */
#include "counting.h"
#include "count-batch.h"
#include "count-read.h"
#include "tool-events.h"
#include "../base/log.h"
#include "../base/units.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct counting_run {
	const struct counting_opts *o;
	const struct counting_ops *ops;
	struct counting_result *res;
	struct observer *ob;
	struct counting counting;
	struct count_batch batch;
	struct count_reader reader;
	struct tool_reader *tools;
	u64 read_ns;		/* when the last reading began */
	bool reader_ready;
};

void counting_set_attrs(struct evset *set, const struct counting_opts *o, enum target_kind kind)
{
	const u64 start = ATTR_DISABLED | ATTR_ENABLE_ON_EXEC;
	bool delayed = observe_delayed(&o->observe);

	vec_foreach(&set->ev, p) {
		struct event *ev = *p;
		struct pe_attr *a = &ev->attr;
		bool leads = ev->leader == ev->idx;
		bool group = !leads ||
			     (ev->idx + 1 < set->ev.nr && evset_at(set, ev->idx + 1)->leader == ev->idx);

		a->sample_type = PERF_SAMPLE_IDENTIFIER;
		a->sample_period = 0;	/* from a term or an event table: counting needs no interrupts */
		a->flags &= ~ATTR_FREQ;
		ev->precise_max = false;	/* P: as precise as samples can be */
		a->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
		if (group)
			a->read_format |= PERF_FORMAT_ID | PERF_FORMAT_GROUP;
		a->flags &= ~start;
		if (leads)
			a->flags |= kind == TARGET_WORKLOAD && !delayed ? start : ATTR_DISABLED;
		if (o->no_inherit || (ev->term_flags & EVENT_TERM_NO_INHERIT))
			a->flags &= ~ATTR_INHERIT;
		else
			a->flags |= ATTR_INHERIT;
		if (o->all_kernel)
			a->flags = (a->flags | ATTR_EXCLUDE_USER) & ~ATTR_EXCLUDE_KERNEL;
		if (o->all_user)
			a->flags = (a->flags | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV) & ~ATTR_EXCLUDE_USER;
		if (o->only_guest != o->only_host && !(a->flags & (ATTR_EXCLUDE_GUEST | ATTR_EXCLUDE_HOST)))
			a->flags |= o->only_guest ? ATTR_EXCLUDE_HOST : ATTR_EXCLUDE_GUEST;
	}
}

/* ---- start ---- */

/*
 * a batch whose first event the machine does not have would fail as a whole: then each event is opened by
 * itself
 */
static int open_set(struct counting_run *r, const struct open_opts *open, struct err *err)
{
	struct evset *set = r->o->observe.set;
	struct open_fds *f = &r->ob->fds;
	bool broken = false;
	int ret;

	counting_set_attrs(set, r->o, r->ob->target.kind);
	ret = open_events(f, set, open, err);
	for (u32 e = 0; !ret && e < f->nr_events; e++)
		broken |= f->refused[e] && count_batch_leads(&r->batch, set, e);
	if (!broken)
		return ret;
	open_release(f);
	count_batch_end(&r->batch, set);
	return open_set(r, open, err);
}

static int open_counters(void *ctx, struct observer *ob, const struct open_opts *opts, struct err *err)
{
	struct counting_run *r = ctx;
	struct open_opts stat = *opts;

	stat.stat = true;
	/* --control can switch single events */
	if (ob->target.kind == TARGET_SYSTEM && !ob->cgroup_fd && !r->o->observe.control)
		count_batch_begin(&r->batch, r->o->observe.set);
	return open_set(r, &stat, err);
}

static int start(void *ctx, struct observer *ob, struct err *err)
{
	struct counting_run *r = ctx;
	struct counting *g = &r->counting;
	bool system = ob->target.kind == TARGET_SYSTEM;

	if (!ob->fds.nr_events)
		return 0;
	vec_foreach(&g->set->ev, ev)
		if (event_is_tool(*ev) && !r->tools)
			r->tools = tool_reader_new(g->set, &ob->target);
	count_reader_init(&r->reader, &ob->fds, g->set, r->tools, system && r->o->affinity, &g->counts);
	count_batch_end(&r->batch, r->o->observe.set);
	r->reader_ready = true;
	return r->ops->opened ? r->ops->opened(r->ops->ctx, g, err) : 0;
}

static int begin(void *ctx, struct observer *ob, struct err *err)
{
	struct counting_run *r = ctx;

	if (r->tools)
		tool_reader_start(r->tools, ob->start_ns);
	return 0;
}

/* ---- while it runs ---- */

static void read_now(struct counting_run *r)
{
	r->read_ns = clock_ns(CLOCK_MONOTONIC);
	if (r->reader_ready)
		count_read(&r->reader, &r->counting.counts);
}

static int show(struct counting_run *r, u64 now_ns, bool last, struct err *err)
{
	const u64 start_ns = r->ob->start_ns;
	const struct counting_tick t = { .last = last, .time_ns = now_ns - start_ns,
					 .begun_ns = r->read_ns - start_ns };

	return r->ops->tick ? r->ops->tick(r->ops->ctx, &r->counting, &t, err) : 0;
}

static int tick(void *ctx, struct observer *ob, struct err *err)
{
	struct counting_run *r = ctx;

	read_now(r);
	return show(r, clock_ns(CLOCK_MONOTONIC), false, err);
}

/* ---- the end ---- */

static u64 timeval_ns(const struct timeval *tv)
{
	return tv->tv_sec * 1000000000ull + tv->tv_usec * 1000ull;
}

/* runs a command line of the user, as a shell does */
static int run_beside(const char *line, struct counting_run *r, const char *option, struct err *err)
{
	const char *const argv[] = { "/bin/sh", "-c", line, NULL };
	const struct workload_opts o = { .mask = &r->ob->loop.old_mask,
					 .stdout_to_stderr = r->o->observe.stdout_is_data };
	struct workload w;
	int ret, status;

	if (!line)
		return 0;
	ret = workload_fork(&w, argv, &o, err);
	if (!ret)
		ret = workload_start(&w, err);
	if (!ret)
		ret = workload_exec_error(&w, err);
	status = workload_exit_status(&w);
	workload_release(&w);
	r->ob->signal = loop_take_signal(&r->ob->loop) ?: r->ob->signal;
	if (!ret && r->ob->signal)
		return 0;	/* the terminal's Ctrl-C has ended it as well */
	return ret || !status ? ret : err_set(err, -ECANCELED, "%s '%s' ended with status %d", option, line,
					      status);
}

static int before(void *ctx, struct observer *ob, struct err *err)
{
	struct counting_run *r = ctx;
	int ret = run_beside(r->o->pre, r, "--pre", err);

	if (!ret && !ob->signal && r->o->sync)
		sync();
	return ret;
}

static void fill_result(struct counting_run *r, u64 end_ns)
{
	const struct observer *ob = r->ob;
	const struct workload *w = &ob->work;
	struct counting_result *res = r->res;

	res->signal = ob->signal;
	res->elapsed_ns = end_ns - ob->start_ns;
	res->has_times = ob->target.kind == TARGET_WORKLOAD && w->reaped;
	res->user_ns = timeval_ns(&w->usage.ru_utime);
	res->sys_ns = timeval_ns(&w->usage.ru_stime);
	/* a command that was ended by the timeout has not failed */
	res->exit_status = ob->command_over ? workload_exit_status(w) : 0;
	res->cut_short = ob->signal && (!ob->command_over || WIFSIGNALED(w->status));
}

static int end(void *ctx, struct observer *ob, int failed, struct err *err)
{
	struct counting_run *r = ctx;
	u64 end_ns = ob->end_ns;
	int ret;

	if (failed)
		return 0;
	read_now(r);
	/* the count of a command ends with it, that of other targets with the reading */
	if (ob->target.kind != TARGET_WORKLOAD || !end_ns)
		end_ns = clock_ns(CLOCK_MONOTONIC);
	if (r->tools) {
		tool_reader_end(r->tools, ob->work.reaped ? &ob->work.usage : NULL, end_ns);
		count_read_tools(&r->reader, &r->counting.counts);
	}
	/* it may do something while it ends, which is not counted */
	observer_end_command(ob);
	fill_result(r, end_ns);
	if (ob->command_over && WIFSIGNALED(ob->work.status) && !ob->signal)
		log_note("%s: %s", ob->work.name, strsignal(WTERMSIG(ob->work.status)));
	ret = show(r, end_ns, true, err);
	return ret ? ret : run_beside(r->o->post, r, "--post", err);
}

static void release(struct counting_run *r)
{
	count_batch_end(&r->batch, r->o->observe.set);
	if (r->reader_ready)
		count_reader_release(&r->reader);
	tool_reader_free(r->tools);
	counts_release(&r->counting.counts);
}

int counting_run(const struct counting_opts *o, struct observer *ob, const struct counting_ops *counting_ops,
		 struct counting_result *res, struct err *err)
{
	static const struct observer_ops ops = {
		.before = before, .open = open_counters, .start = start, .begin = begin, .tick = tick,
		.end = end,
	};
	struct counting_run r = {
		.o = o, .ops = counting_ops, .res = res, .ob = ob,
		.counting = { .opts = o, .set = o->observe.set, .notes = &ob->notes },
	};
	int ret;

	*res = (struct counting_result){ 0 };
	ret = observer_run(ob, &ops, &r, err);
	res->signal = ob->signal;
	res->exec_failed = ob->exec_failed;
	release(&r);
	return ret;
}
