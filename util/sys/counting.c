/* Counting: start, loop, end. */
#include "counting.h"
#include "cgroup.h"
#include "control.h"
#include "count-batch.h"
#include "count-read.h"
#include "loop.h"
#include "tool-events.h"
#include "workload.h"
#include "../base/log.h"
#include "../base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum timer { TIMER_DELAY, TIMER_INTERVAL, TIMER_TIMEOUT, TIMER_GRACE };
enum fd_id { FD_CONTROL, FD_TASK };

/* how long a command that got the same Ctrl-C may take to end by itself */
#define GRACE_NS 500000000ull

struct run {
	const struct counting_config *c;
	const struct counting_ops *ops;
	struct counting_result *res;
	struct counting counting;
	struct workload work;
	struct loop loop;
	struct control control;
	struct count_reader reader;
	struct tool_reader *tools;
	int *cgroup_fd;		/* by event */
	struct { VEC(int); } group_fd;	/* each of them once */
	struct { VEC(int); } task_fd;	/* say when their task ends */
	u32 ticks, tasks;	/* tasks: that still live, of those in task_fd */
	u64 start_ns, end_ns, read_ns;	/* read_ns: when the last reading began */
	bool done, enabled, reader_ready;
};

void counting_set_attrs(struct evset *set, const struct counting_config *c, enum target_kind kind)
{
	const u64 start = ATTR_DISABLED | ATTR_ENABLE_ON_EXEC;

	vec_foreach(&set->ev, p) {
		struct event *ev = *p;
		struct pe_attr *a = &ev->attr;
		bool leads = ev->leader == ev->idx;
		bool group = !leads || (ev->idx + 1 < set->ev.nr && evset_at(set, ev->idx + 1)->leader == ev->idx);

		a->sample_type = PERF_SAMPLE_IDENTIFIER;
		a->sample_period = 0;	/* of a term, or an event table: counting needs no interrupts */
		a->flags &= ~ATTR_FREQ;
		ev->precise_max = false;	/* P: as precise as samples can be */
		a->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
		if (group)
			a->read_format |= PERF_FORMAT_ID | PERF_FORMAT_GROUP;
		a->flags &= ~start;
		if (leads)
			a->flags |= kind == TARGET_WORKLOAD && !c->delay_ns ? start : ATTR_DISABLED;
		if (c->no_inherit || (ev->term_flags & EVENT_TERM_NO_INHERIT))
			a->flags &= ~ATTR_INHERIT;
		else
			a->flags |= ATTR_INHERIT;
		if (c->all_kernel)
			a->flags = (a->flags | ATTR_EXCLUDE_USER) & ~ATTR_EXCLUDE_KERNEL;
		if (c->all_user)
			a->flags = (a->flags | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV) & ~ATTR_EXCLUDE_USER;
	}
}

/* ---- start ---- */

static int open_cgroups(struct run *r, struct err *err)
{
	const struct counting_config *c = r->c;

	if (!c->cgroup)
		return 0;
	if (c->target->kind != TARGET_SYSTEM)
		return err_set(err, -EINVAL, "cgroups (-G, --for-each-cgroup) select among the tasks of whole CPUs: use them with -a or -C");
	r->cgroup_fd = xcalloc(c->set->ev.nr, sizeof(int));
	for (u32 i = 0; i < c->set->ev.nr; i++) {
		u32 k = 0;

		r->cgroup_fd[i] = -1;
		if (!c->cgroup[i])
			continue;
		while (k < i && (!c->cgroup[k] || strcmp(c->cgroup[k], c->cgroup[i])))
			k++;
		if (k < i) {
			r->cgroup_fd[i] = r->cgroup_fd[k];
			continue;
		}
		r->cgroup_fd[i] = cgroup_open(c->cgroup[i], err);
		if (r->cgroup_fd[i] < 0)
			return err->code;
		vec_push(&r->group_fd, r->cgroup_fd[i]);
	}
	return 0;
}

static int start_workload(struct run *r, struct err *err)
{
	const struct workload_opts o = { .exec_dir = r->c->exec_dir, .mask = &r->loop.old_mask };
	int ret;

	if (!r->c->argv)
		return 0;
	ret = workload_fork(&r->work, r->c->argv, &o, err);
	if (ret < 0)
		return ret;
	if (r->counting.target->kind == TARGET_WORKLOAD)
		workload_note_hidden(r->c->argv[0]);
	target_set_workload(r->counting.target, r->work.pid);
	return loop_add_child(&r->loop, r->work.pidfd, err);
}

/* a batch whose first event the machine does not have would take the others with it: then each is opened by itself */
static int open_set(struct run *r, const struct open_opts *o, struct count_batch *batch, struct err *err)
{
	struct open_fds *f = &r->counting.fds;
	bool broken = false;
	int ret;

	counting_set_attrs(r->c->set, r->c, r->counting.target->kind);
	ret = open_events(f, r->c->set, o, err);
	for (u32 e = 0; !ret && e < f->nr_events; e++)
		broken |= f->refused[e] && count_batch_leads(batch, r->c->set, e);
	if (!broken)
		return ret;
	open_release(f);
	count_batch_end(batch, r->c->set);
	return open_set(r, o, batch, err);
}

static int open_all(struct run *r, struct err *err)
{
	struct counting *g = &r->counting;
	struct open_opts o = { .target = g->target, .notes = &g->notes, .stat = true };
	bool system = g->target->kind == TARGET_SYSTEM;
	struct count_batch batch = { 0 };
	int ret;

	if (!r->c->set->ev.nr)
		return 0;
	ret = open_cgroups(r, err);
	o.event_cgroup_fd = r->cgroup_fd;
	/* single events can be switched by --control */
	if (!ret && system && !r->cgroup_fd && !r->c->control)
		count_batch_begin(&batch, r->c->set);
	if (!ret)
		ret = open_set(r, &o, &batch, err);
	if (!ret)
		ret = open_set_filters(&g->fds, r->c->set, err);
	if (ret) {
		count_batch_end(&batch, r->c->set);
		return ret;
	}
	vec_foreach(&g->set->ev, ev)
		if (event_is_tool(*ev) && !r->tools)
			r->tools = tool_reader_new(g->set, g->target);
	count_reader_init(&r->reader, &g->fds, g->set, r->tools, system && !r->c->no_affinity, &g->counts);
	count_batch_end(&batch, r->c->set);
	r->reader_ready = true;
	return r->ops->opened ? r->ops->opened(r->ops->ctx, g, err) : 0;
}

/* PIDFD_THREAD of linux 6.9: a thread that is not the first of its process */
#define PIDFD_THREAD_FLAG O_EXCL

/* existing tasks: the run ends with the last of them. Threads on a kernel that cannot tell are counted until Ctrl-C */
static int watch_tasks(struct run *r, struct err *err)
{
	const struct target *t = r->counting.target;

	if (t->kind != TARGET_TASKS || t->all_threads)
		return 0;
	for (size_t i = 0; i < t->tids.nr; i++) {
		s32 task = t->by_tid ? t->tids.v[i] : t->pids.v[i];
		int fd, ret;

		if (!t->by_tid && i && t->pids.v[i - 1] == task)
			continue;
		fd = syscall(SYS_pidfd_open, task, t->by_tid ? PIDFD_THREAD_FLAG : 0);
		if (fd < 0 && t->by_tid && errno == EINVAL)
			fd = syscall(SYS_pidfd_open, task, 0);
		if (fd < 0)
			continue;	/* gone already, or not to be watched */
		ret = loop_add_fd(&r->loop, fd, FD_TASK + r->task_fd.nr, err);
		vec_push(&r->task_fd, fd);
		if (ret < 0)
			return ret;
		r->tasks++;
	}
	return 0;
}

static void begin(struct run *r)
{
	r->start_ns = clock_ns(CLOCK_MONOTONIC);
	if (r->tools)
		tool_reader_start(r->tools, r->start_ns);
}

/* the clock starts before the counters do, and stops behind them: no CPU is busier than time allows */
static int enable(struct run *r, struct err *err)
{
	begin(r);
	r->enabled = true;
	if (r->c->interval_ns) {
		int ret = loop_set_timer(&r->loop, TIMER_INTERVAL, r->c->interval_ns, r->c->interval_ns, err);

		if (ret < 0)
			return ret;
	}
	if (!r->counting.fds.nr_events)
		return 0;
	return open_enable(&r->counting.fds, r->c->set, err);
}

static int start(struct run *r, struct err *err)
{
	const struct counting_config *c = r->c;
	bool by_exec = r->counting.target->kind == TARGET_WORKLOAD && !c->delay_ns;
	int ret = watch_tasks(r, err);

	if (!ret && c->control)
		ret = loop_add_fd(&r->loop, r->control.fd, FD_CONTROL, err);
	if (!ret && c->timeout_ns)
		ret = loop_set_timer(&r->loop, TIMER_TIMEOUT, c->timeout_ns, 0, err);
	if (!ret && c->delay_ns && c->delay_ns != COUNTING_DELAY_FOREVER)
		ret = loop_set_timer(&r->loop, TIMER_DELAY, c->delay_ns, 0, err);
	if (!ret && c->delay_ns)
		log_note("Events disabled");
	if (!ret && !c->delay_ns && !by_exec)
		ret = enable(r, err);
	if (!ret && by_exec && c->interval_ns)
		ret = loop_set_timer(&r->loop, TIMER_INTERVAL, c->interval_ns, c->interval_ns, err);
	if (ret)
		return ret;
	if (!r->enabled)
		begin(r);
	r->enabled |= by_exec;
	return c->argv ? workload_start(&r->work, err) : 0;
}

/* ---- while it runs ---- */

static void read_now(struct run *r)
{
	r->read_ns = clock_ns(CLOCK_MONOTONIC);
	if (r->reader_ready)
		count_read(&r->reader, &r->counting.counts);
}

static int tick(struct run *r, u64 now_ns, bool last, struct err *err)
{
	const struct counting_tick t = {
		.last = last, .time_ns = now_ns - r->start_ns, .begun_ns = r->read_ns - r->start_ns,
	};

	return r->ops->tick ? r->ops->tick(r->ops->ctx, &r->counting, &t, err) : 0;
}

static int on_timer(struct run *r, u32 timer, struct err *err)
{
	switch (timer) {
	case TIMER_DELAY:
		log_note("Events enabled");
		return enable(r, err);
	case TIMER_INTERVAL:
		if (r->c->interval_count && ++r->ticks >= r->c->interval_count)
			r->done = true;
		if (r->done)
			return 0;	/* the last one is read at the end */
		read_now(r);
		return tick(r, clock_ns(CLOCK_MONOTONIC), false, err);
	default:
		r->done = true;
		return 0;
	}
}

/* the terminal's Ctrl-C reaches the command as well, which may have last words */
static int on_signal(struct run *r, int sig, struct err *err)
{
	bool second = r->res->signal;

	r->res->signal = sig;
	if (second || !r->work.started || r->counting.target->kind != TARGET_WORKLOAD) {
		r->done = true;
		return 0;
	}
	return loop_set_timer(&r->loop, TIMER_GRACE, GRACE_NS, 0, err);
}

static int control_all(void *ctx, bool on, struct err *err)
{
	struct run *r = ctx;

	if (on && !r->enabled)
		return enable(r, err);
	return on ? open_enable(&r->counting.fds, r->c->set, err) : open_disable(&r->counting.fds, r->c->set, err);
}

static int on_control(struct run *r, struct err *err)
{
	const struct control_ops ops = { control_all, NULL, &r->done, r->c->set, &r->counting.fds };

	return control_serve(&r->control, &r->loop, &ops, r, err);
}

static int on_task_end(struct run *r, u32 nth)
{
	loop_del_fd(&r->loop, r->task_fd.v[nth]);
	r->done |= !--r->tasks;
	return 0;
}

static int on_event(struct run *r, const struct loop_event *e, struct err *err)
{
	switch (e->kind) {
	case LOOP_CHILD:
		r->done = true;
		r->end_ns = clock_ns(CLOCK_MONOTONIC);
		if (workload_exec_error(&r->work, err) == 0)
			return 0;
		r->res->exec_failed = true;
		return err->code;
	case LOOP_SIGNAL:
		return on_signal(r, e->id, err);
	case LOOP_TIMER:
		return on_timer(r, e->id, err);
	case LOOP_FD:
		return e->id >= FD_TASK ? on_task_end(r, e->id - FD_TASK) : on_control(r, err);
	default:
		return 0;
	}
}

static int run_loop(struct run *r, struct err *err)
{
	struct loop_event ev[16];

	while (!r->done) {
		int n = loop_wait(&r->loop, ev, ARRAY_SIZE(ev)), ret = 0;

		if (n < 0)
			return err_sys(err, -n, "cannot wait for events");
		for (int i = 0; i < n && !ret; i++)
			ret = on_event(r, &ev[i], err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* ---- the end ---- */

static u64 timeval_ns(const struct timeval *tv)
{
	return tv->tv_sec * 1000000000ull + tv->tv_usec * 1000ull;
}

/* one that does not heed SIGTERM is waited for until the next Ctrl-C */
static void end_command(struct run *r)
{
	struct workload *w = &r->work;

	workload_ask_to_end(w);
	if (w->pid && !w->reaped && !loop_wait_fd(&r->loop, w->pidfd, 1000)) {
		log_note("'%s' has been asked to end: waiting for it, Ctrl-C kills it", w->name);
		if (!loop_wait_fd(&r->loop, w->pidfd, -1))
			kill(w->pid, SIGKILL);
		r->res->signal = loop_take_signal(&r->loop) ?: r->res->signal;
	}
	workload_reap(w);
}

static int finish(struct run *r, struct err *err)
{
	struct counting_result *res = r->res;
	bool own = r->counting.target->kind == TARGET_WORKLOAD, over = r->work.reaped;

	read_now(r);
	/* a command's count ends with it, everything else's with the reading */
	if (!own || !r->end_ns)
		r->end_ns = clock_ns(CLOCK_MONOTONIC);
	if (r->tools) {
		tool_reader_end(r->tools, r->work.reaped ? &r->work.usage : NULL, r->end_ns);
		count_read_tools(&r->reader, &r->counting.counts);
	}
	/* what it does while it is ended is no part of the count */
	end_command(r);
	res->elapsed_ns = r->end_ns - r->start_ns;
	res->has_times = own && r->work.reaped;
	res->user_ns = timeval_ns(&r->work.usage.ru_utime);
	res->sys_ns = timeval_ns(&r->work.usage.ru_stime);
	if (over && WIFSIGNALED(r->work.status) && !res->signal)
		log_note("%s: %s", r->work.name, strsignal(WTERMSIG(r->work.status)));
	/* one that was ended because its time was over has not failed */
	res->exit_status = over ? workload_exit_status(&r->work) : 0;
	res->cut_short = res->signal && (!over || WIFSIGNALED(r->work.status));
	return tick(r, r->end_ns, true, err);
}

/* a command line of the user's: what shells make of it is wanted */
static int run_beside(const char *line, struct run *r, const char *option, struct err *err)
{
	const char *const argv[] = { "/bin/sh", "-c", line, NULL };
	const struct workload_opts o = { .mask = &r->loop.old_mask };
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
	r->res->signal = loop_take_signal(&r->loop) ?: r->res->signal;
	if (!ret && r->res->signal)
		return 0;	/* the terminal's Ctrl-C has ended it as well */
	return ret || !status ? ret : err_set(err, -ECANCELED, "%s '%s' ended with status %d", option, line, status);
}

static void release(struct run *r)
{
	workload_release(&r->work);
	if (r->reader_ready)
		count_reader_release(&r->reader);
	tool_reader_free(r->tools);
	counts_release(&r->counting.counts);
	open_release(&r->counting.fds);
	vec_foreach(&r->group_fd, fd)
		close(*fd);
	vec_foreach(&r->task_fd, fd)
		close(*fd);
	vec_release(&r->group_fd);
	vec_release(&r->task_fd);
	free(r->cgroup_fd);
	loop_release(&r->loop);
	control_close(&r->control);
	strbuf_release(&r->counting.notes);
}

static int run_all(struct run *r, struct err *err)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	/* first, so that a number is not taken for a descriptor of our own */
	int ret = r->c->control ? control_open(&r->control, r->c->control, err) : 0;

	if (!ret)
		ret = loop_init(&r->loop, err);
	if (!ret)
		ret = loop_add_signals(&r->loop, signals, ARRAY_SIZE(signals), err);
	if (!ret)
		ret = run_beside(r->c->pre, r, "--pre", err);
	if (!ret && r->res->signal)
		return 0;
	if (!ret && r->c->sync)
		sync();
	if (!ret)
		ret = start_workload(r, err);
	if (!ret)
		ret = open_all(r, err);
	if (!ret)
		ret = start(r, err);
	if (!ret)
		ret = run_loop(r, err);
	if (!ret)
		ret = finish(r, err);
	if (!ret)
		ret = run_beside(r->c->post, r, "--post", err);
	return ret;
}

int counting_run(const struct counting_config *c, const struct counting_ops *ops, struct counting_result *res, struct err *err)
{
	struct run r = {
		.c = c, .ops = ops, .res = res, .work = WORKLOAD_INIT, .control = CONTROL_INIT, .loop = { .epfd = -1, .sigfd = -1 },
		.counting = { .config = c, .set = c->set, .target = c->target },
	};
	int ret;

	*res = (struct counting_result){ 0 };
	ret = run_all(&r, err);
	release(&r);
	return ret;
}
