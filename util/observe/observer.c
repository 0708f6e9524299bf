/* Observer: start, loop, end. */
#include "observer.h"
#include "../base/alloc.h"
#include "../base/log.h"
#include "../base/units.h"
#include "../kernel/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum timer { TIMER_DELAY, TIMER_INTERVAL, TIMER_TIMEOUT, TIMER_GRACE, TIMER_OWN };
enum ring_id { RING_DATA };
/* tasks have numbers from FD_TASK on, above those that a command uses */
enum fd_id { FD_CONTROL, FD_TASK = 1 << 16 };

_Static_assert((int)TIMER_OWN == OBSERVE_OWN && LOOP_TIMERS > OBSERVE_OWN,
	       "the first timer of a command's own");

#define NS_PER_MS 1000000ull

/* an operation that the command does not have succeeds */
#define CALL(o, op, ...) ((o)->ops->op ? (o)->ops->op((o)->ctx, (o), __VA_ARGS__) : 0)

void observer_log_notes(struct observer *o)
{
	log_warn_lines(strbuf_str(&o->notes));
	strbuf_reset(&o->notes);
}

int observer_resolve(struct observer *o, const struct observe_opts *opts, struct err *err)
{
	struct target_opts target = opts->target;
	int ret;

	*o = (struct observer){ .opts = opts, .work = WORKLOAD_INIT, .control = CONTROL_INIT,
				.loop = LOOP_NONE };
	if (opts->samples)
		filter_choose_user(&target, opts->set, &o->notes);
	ret = target_resolve(&o->target, &target, &o->notes, err);
	observer_log_notes(o);
	return ret;
}

/* ---- start ---- */

int observe_realtime(int prio, struct err *err)
{
	int min = sched_get_priority_min(SCHED_FIFO), max = sched_get_priority_max(SCHED_FIFO);
	struct sched_param p = { .sched_priority = prio };

	if (prio && (prio < min || prio > max))
		return err_set(err, -EINVAL, "-r takes a real-time priority from %d to %d, not %d", min, max,
			       prio);
	if (!prio || !sched_setscheduler(0, SCHED_FIFO, &p))
		return 0;
	err_sys(err, errno, "cannot run with real-time priority %d: that needs CAP_SYS_NICE, "
		"or a limit (ulimit -r) of at least this value", prio);
	err_hint(err, "this works now: the same without -r");
	return err->code;
}

static int open_cgroups(struct observer *o, struct err *err)
{
	u32 nr = o->opts->set->ev.nr;

	if (!o->cgroup)
		return 0;
	if (o->target.kind != TARGET_SYSTEM)
		return err_set(err, -EINVAL,
			       "control groups select among the tasks of whole CPUs: use them with -a or -C");
	o->cgroup_fd = xcalloc(nr, sizeof(int));
	for (u32 i = 0; i < nr; i++) {
		u32 k = 0;

		o->cgroup_fd[i] = -1;
		if (!o->cgroup[i])
			continue;
		while (k < i && (!o->cgroup[k] || strcmp(o->cgroup[k], o->cgroup[i])))
			k++;
		if (k < i) {
			o->cgroup_fd[i] = o->cgroup_fd[k];
			continue;
		}
		o->cgroup_fd[i] = cgroup_open(o->cgroup[i], err);
		if (o->cgroup_fd[i] < 0)
			return err->code;
		vec_push(&o->group_fd, o->cgroup_fd[i]);
	}
	return 0;
}

static int start_workload(struct observer *o, struct err *err)
{
	const struct workload_opts w = { .mask = &o->loop.old_mask,
					 .stdout_to_stderr = o->opts->stdout_is_data };
	const char *const *argv = o->opts->argv;
	int ret;

	if (!argv)
		return 0;
	ret = workload_fork(&o->work, argv, &w, err);
	if (ret < 0)
		return ret;
	if (o->target.kind == TARGET_WORKLOAD) {
		workload_note_hidden(argv[0]);
		target_set_workload(&o->target, o->work.pid);
	}
	return loop_add_child(&o->loop, o->work.pidfd, err);
}

static int map_all(struct observer *o, u64 pages, struct err *err)
{
	int ret = rings_map(&o->rings, &o->fds, o->opts->set, pages, err);

	if (!ret && o->aux_pages)
		ret = rings_map_aux(&o->rings, &o->fds, o->opts->set, o->aux_pages, o->aux_overwrite, err);
	return ret;
}

static int map_rings(struct observer *o, struct err *err)
{
	u64 pages = o->opts->ring_pages ?: o->default_pages ?:
		    rings_default_pages((u64)o->fds.nr_cpus * o->fds.nr_threads);
	int ret = map_all(o, pages, err);

	if (ret != -EPERM || o->opts->ring_pages || o->aux_pages || pages <= rings_mlock_pages())
		return ret;
	/* root without CAP_IPC_LOCK, as in containers: has the limit of other users */
	err_clear(err);
	return map_all(o, rings_mlock_pages(), err);
}

static int open_all(struct observer *o, struct err *err)
{
	struct evset *set = o->opts->set;
	struct open_opts open = { .target = &o->target, .notes = &o->notes };
	int ret;

	if (!set->ev.nr)
		return 0;
	ret = CALL(o, configure, err);
	if (!ret)
		ret = open_cgroups(o, err);
	open.event_cgroup_fd = o->cgroup_fd;
	if (!ret)
		ret = o->ops->open ? o->ops->open(o->ctx, o, &open, err) :
				     open_events(&o->fds, set, &open, err);
	if (!ret && o->ops->drain)
		ret = open_read_ids(&o->fds, set, err);
	if (!ret)
		ret = open_set_filters(&o->fds, set, err);
	if (!ret)
		ret = filter_events(&o->filtered, &o->fds, set, &o->target, err);
	if (!ret && o->ops->drain && !o->opts->dry_run)
		ret = map_rings(o, err);
	return ret;
}

/* for each task and CPU one descriptor reports when its ring has data and when its task has ended */
static int watch_rings(struct observer *o, struct err *err)
{
	const struct open_fds *f = &o->fds;

	for (u32 cpu = 0; cpu < f->nr_cpus; cpu++)
		for (u32 th = 0; th < f->nr_threads; th++)
			for (u32 ev = 0; ev < f->nr_events; ev++) {
				int fd = f->fd[open_at(f, ev, cpu, th)], ret;

				if (fd < 0 || (evset_at(o->opts->set, ev)->attr.flags & ATTR_WRITE_BACKWARD))
					continue;
				ret = o->ops->beside ? loop_add_ring_hup(&o->loop, fd, RING_DATA, err) :
						       loop_add_ring(&o->loop, fd, RING_DATA, err);
				if (ret < 0)
					return ret;
				o->rings_live++;
				break;
			}
	return 0;
}

/* PIDFD_THREAD of linux 6.9: a thread that is not the first of its process */
#define PIDFD_THREAD_FLAG O_EXCL

/*
 * existing tasks: the run ends when the last one ends. On a kernel that cannot watch threads, these are
 * observed until Ctrl-C
 */
static int watch_tasks(struct observer *o, struct err *err)
{
	const struct target *t = &o->target;

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
			continue;	/* has ended already, or cannot be watched */
		ret = loop_add_fd(&o->loop, fd, FD_TASK + o->task_fd.nr, err);
		vec_push(&o->task_fd, fd);
		if (ret < 0)
			return ret;
		o->tasks_live++;
	}
	return 0;
}

static int begin(struct observer *o, struct err *err)
{
	o->start_ns = clock_ns(CLOCK_MONOTONIC);
	return CALL(o, begin, err);
}

static int start_interval(struct observer *o, struct err *err)
{
	u64 ns = o->opts->interval_ms * NS_PER_MS;

	return ns ? loop_set_timer(&o->loop, TIMER_INTERVAL, ns, ns, err) : 0;
}

static int enable(struct observer *o, struct err *err)
{
	int ret = open_enable(&o->fds, o->opts->set, err);

	return ret ? ret : CALL(o, enabled, err);
}

/*
 * the clock starts before the counters do, and stops after them: no CPU is busier than the elapsed time
 * allows
 */
static int let_go(struct observer *o, struct err *err)
{
	int ret;

	o->enabled = true;	/* with -D this tells `begin` that the delay is over */
	ret = begin(o, err);
	if (!ret)
		ret = start_interval(o, err);
	return ret || !o->fds.nr_events ? ret : enable(o, err);
}

int observer_enable(struct observer *o, bool on, struct err *err)
{
	if (on && !o->enabled)
		return let_go(o, err);
	return on ? enable(o, err) : open_disable(&o->fds, o->opts->set, err);
}

static int start_timers(struct observer *o, struct err *err)
{
	const struct observe_opts *p = o->opts;
	int ret = 0;

	if (p->control)
		ret = loop_add_fd(&o->loop, o->control.fd, FD_CONTROL, err);
	if (!ret && p->timeout_ms)
		ret = loop_set_timer(&o->loop, TIMER_TIMEOUT, p->timeout_ms * NS_PER_MS, 0, err);
	if (!ret && p->delay.nr)
		ret = loop_set_timer(&o->loop, TIMER_DELAY, MAX(p->delay.v[0].on_ns, 1), 0, err);
	return ret;
}

static int start(struct observer *o, struct err *err)
{
	/* a command's events are enabled by its exec */
	bool by_exec = o->target.kind == TARGET_WORKLOAD, delayed = observe_delayed(o->opts);
	int ret = start_timers(o, err);

	if (delayed && o->opts->tell_delay)
		log_note("Events disabled");
	if (!ret && (delayed || by_exec))
		ret = begin(o, err);
	else if (!ret)
		ret = let_go(o, err);
	if (!ret && by_exec && !delayed) {
		ret = start_interval(o, err);
		o->enabled = true;
	}
	if (!ret && o->opts->argv)
		ret = workload_start(&o->work, err);
	o->running = !ret;
	return ret;
}

/* ---- while it runs ---- */

/* -D: switches on and off alternately */
static int on_delay(struct observer *o, struct err *err)
{
	const struct delay_range *d = o->opts->delay.v;
	size_t step = o->delay_step++;
	bool on = !(step % 2);
	u64 at, next;
	int ret;

	if (o->opts->tell_delay)
		log_note("Events %s", on ? "enabled" : "disabled");
	ret = observer_enable(o, on, err);
	if (ret < 0)
		return ret;
	at = on ? d[step / 2].on_ns : d[step / 2].off_ns;
	step++;
	if (step / 2 >= o->opts->delay.nr)
		return 0;
	next = step % 2 ? d[step / 2].off_ns : d[step / 2].on_ns;
	return next > at ? loop_set_timer(&o->loop, TIMER_DELAY, next - at, 0, err) : 0;
}

static int on_timer(struct observer *o, const struct loop_event *e, struct err *err)
{
	switch (e->id) {
	case TIMER_DELAY:
		return on_delay(o, err);
	case TIMER_INTERVAL:
		o->done |= o->opts->interval_count && ++o->ticks >= o->opts->interval_count;
		/* the last tick is that of the end */
		return o->done ? 0 : CALL(o, tick, err);
	case TIMER_TIMEOUT:
	case TIMER_GRACE:
		o->done = true;
		return 0;
	default:
		return CALL(o, event, e, err);
	}
}

/* the terminal's Ctrl-C reaches the command as well, which may print something before it ends */
static int on_signal(struct observer *o, int sig, struct err *err)
{
	bool second = o->signal;

	if (sig == SIGUSR2)
		return CALL(o, signal, err);
	o->signal = sig;
	if (!o->opts->grace_ms || second || !o->work.started || o->target.kind != TARGET_WORKLOAD) {
		o->done = true;
		return 0;
	}
	return loop_set_timer(&o->loop, TIMER_GRACE, o->opts->grace_ms * NS_PER_MS, 0, err);
}

static int control_all(void *ctx, bool on, struct err *err)
{
	return observer_enable(ctx, on, err);
}

static int control_snapshot(void *ctx, struct err *err)
{
	struct observer *o = ctx;

	return o->ops->snapshot(o->ctx, o, err);
}

static int on_control(struct observer *o, struct err *err)
{
	const struct control_ops ops = {
		control_all, o->ops->snapshot ? control_snapshot : NULL, &o->done, o->opts->set, &o->fds,
	};

	return control_serve(&o->control, &o->loop, &ops, o, err);
}

static void on_task_end(struct observer *o, u32 nth)
{
	loop_del_fd(&o->loop, o->task_fd.v[nth]);
	o->done |= !--o->tasks_live;
}

static int on_child(struct observer *o, struct err *err)
{
	o->done = true;
	o->end_ns = clock_ns(CLOCK_MONOTONIC);
	if (workload_exec_error(&o->work, err) == 0)
		return 0;
	o->exec_failed = true;
	return err->code;
}

static int on_event(struct observer *o, const struct loop_event *e, bool *drain, struct err *err)
{
	switch (e->kind) {
	case LOOP_RING:
	case LOOP_RING_HUP:
		if (e->id != RING_DATA)
			return CALL(o, event, e, err);
		*drain = true;
		/* a command's end is reported by its own descriptor */
		if (e->kind == LOOP_RING_HUP && !--o->rings_live && o->target.kind == TARGET_TASKS)
			o->done = true;
		return 0;
	case LOOP_CHILD:
		return on_child(o, err);
	case LOOP_SIGNAL:
		return on_signal(o, e->id, err);
	case LOOP_TIMER:
		return on_timer(o, e, err);
	case LOOP_FD:
		if (e->id == FD_CONTROL)
			return on_control(o, err);
		if (e->id < FD_TASK)
			return CALL(o, event, e, err);
		on_task_end(o, e->id - FD_TASK);
		return 0;
	}
	return 0;
}

static int run_loop(struct observer *o, struct err *err)
{
	struct loop_event ev[64];
	/* a ring that filled up before it was watched has woken nobody, and never will */
	int ret = CALL(o, drain, err);

	while (!ret && !o->done) {
		int n = loop_wait(&o->loop, ev, ARRAY_SIZE(ev));
		bool drain = false;

		if (n < 0)
			return err_sys(err, -n, "cannot wait for events");
		for (int i = 0; i < n && !ret; i++)
			ret = on_event(o, &ev[i], &drain, err);
		if (drain && !ret) {
			o->wakeups++;
			ret = CALL(o, drain, err);
		}
		alloc_give_back_sometimes(&o->gave_back_ns, clock_ns(CLOCK_MONOTONIC));
	}
	return ret;
}

struct observe_job {
	struct observer *o;
	struct err *err;
	int ret;
};

static void job(void *arg)
{
	struct observe_job *j = arg;

	j->ret = start(j->o, j->err);
	if (!j->ret)
		j->ret = run_loop(j->o, j->err);
}

static int observe(struct observer *o, struct err *err)
{
	struct observe_job j = { o, err, 0 };

	if (o->ops->beside)
		o->ops->beside(o->ctx, job, &j);
	else
		job(&j);
	return j.ret;
}

/* ---- the end ---- */

/* a command that ignores SIGTERM is awaited until the next Ctrl-C */
void observer_end_command(struct observer *o)
{
	struct workload *w = &o->work;

	o->command_over = w->reaped;
	workload_ask_to_end(w);
	if (w->pid && !w->reaped && !loop_wait_fd(&o->loop, w->pidfd, 1000)) {
		log_note("'%s' was asked to end: waiting for it; Ctrl-C kills it", w->name);
		if (!loop_wait_fd(&o->loop, w->pidfd, -1))
			kill(w->pid, SIGKILL);
		o->signal = loop_take_signal(&o->loop) ?: o->signal;
	}
	workload_reap(w);
}

static void close_fds(int *fd, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		close(fd[i]);
}

static void close_run(struct observer *o)
{
	workload_release(&o->work);
	rings_unmap(&o->rings);
	open_release(&o->fds);
	filter_counts_release(&o->filtered);
	close_fds(o->group_fd.v, o->group_fd.nr);
	close_fds(o->task_fd.v, o->task_fd.nr);
	vec_release(&o->group_fd);
	vec_release(&o->task_fd);
	free(o->cgroup_fd);
	o->cgroup_fd = NULL;
	affinity_release(&o->near);
	if (o->opts->repeats)
		loop_clear(&o->loop);
	else
		loop_release(&o->loop);
	control_close(&o->control);
}

static int open_loop(struct observer *o, struct err *err)
{
	/* SIGUSR2 last: it ends commands that do not use it */
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR2 };
	/* first, so that the given number cannot be a descriptor of ours */
	int ret = o->opts->control ? control_open(&o->control, o->opts->control, err) : 0;

	if (ret)
		return ret;
	ret = loop_reopen(&o->loop, err);
	if (!ret && !o->loop.masked)
		ret = loop_add_signals(&o->loop, signals, ARRAY_SIZE(signals) - !o->ops->signal, err);
	if (!ret && o->opts->repeats)
		o->signal = loop_take_signal(&o->loop);
	return ret;
}

static int run_all(struct observer *o, struct err *err)
{
	int ret = open_loop(o, err), end;

	if (!ret && !o->signal)
		ret = CALL(o, before, err);
	if (ret || o->signal)
		return ret;
	ret = start_workload(o, err);
	if (!ret)
		ret = open_all(o, err);
	if (!ret)
		ret = CALL(o, start, err);
	if (ret || o->opts->dry_run)
		return ret;
	ret = o->ops->drain ? watch_rings(o, err) : watch_tasks(o, err);
	if (!ret)
		ret = observe(o, err);
	if (ret && (!o->running || o->exec_failed))
		return ret;
	/* also after an error: the recorded part must be readable */
	end = CALL(o, end, ret, ret ? NULL : err);
	return ret ? ret : end;
}

int observer_run(struct observer *o, const struct observer_ops *ops, void *ctx, struct err *err)
{
	const struct target target = o->target;
	const char *const *cgroup = o->cgroup;
	const struct loop loop = o->loop;
	int ret;

	strbuf_release(&o->notes);
	*o = (struct observer){
		.opts = o->opts, .target = target, .cgroup = cgroup, .ops = ops, .ctx = ctx,
		.work = WORKLOAD_INIT, .control = CONTROL_INIT, .loop = loop,
	};
	affinity_init(&o->near, o->opts->affinity);
	ret = run_all(o, err);
	close_run(o);
	return ret;
}

struct workload_result observer_result(const struct observer *o)
{
	return (struct workload_result){
		.exec_failed = o->exec_failed,
		.status = o->command_over ? workload_exit_status(&o->work) : 0,
	};
}

void observer_release(struct observer *o)
{
	if (o->loop.masked)
		loop_release(&o->loop);
	strbuf_release(&o->notes);
	target_release(&o->target);
}
