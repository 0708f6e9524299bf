/* perf lock contention on what runs now: rings of the events, or BPF programs that add the waits up. */
#include "builtin-lock.h"
#include "builtin-status.h"
#include "util/lock/kernel-waits.h"
#include "util/tracing/observe.h"

#include <stdlib.h>
#include <unistd.h>

struct lock_live {
	struct lock_cmd *c;
	bool opened;			/* the analysis has begun */
	struct contention contention;
	struct futex_opts futex_opts;
	struct futex futex;
	/* by BPF */
	struct kernel_waits waits;
	struct watched_opts tasks;
	struct cpulist cpus;		/* of -C */
};

/* ---- kernel locks ---- */

/* CPUs as the user named them: the events watch tasks on all of them */
static int note_target(void *ctx, const struct target *t, struct err *err UNUSED)
{
	struct lock_live *l = ctx;

	l->tasks = (struct watched_opts){ .all = t->kind == TARGET_SYSTEM, .inherit = !t->by_tid,
					    .not_pid = getpid() };
	for (u32 i = 0; t->cpu_list && i < t->cpus.nr; i++)
		cpulist_add(&l->cpus, t->cpus.v[i]);
	return 0;
}

static int open_contention(void *ctx, struct session *s, struct err *err)
{
	struct lock_live *l = ctx;
	int ret = contention_init(&l->contention, s, &l->c->contention, err);

	l->opened = true;
	if (ret || !l->c->bpf)
		return ret;
	return contention_open_kernel(&l->contention, &l->waits, &l->tasks, &l->cpus, err);
}

static int begin_waits(void *ctx, const struct target *t, struct err *err)
{
	struct lock_live *l = ctx;
	int ret = watched_add_target(&l->waits.set, &l->tasks, t, err);

	return ret ? ret : kernel_waits_attach(&l->waits, err);
}

static void stop_waits(void *ctx)
{
	kernel_waits_detach(&((struct lock_live *)ctx)->waits);
}

static int show_contention(void *ctx, struct session *s, struct err *err)
{
	struct lock_live *l = ctx;

	if (l->c->bpf)
		contention_add_kernel(&l->contention, &l->waits);
	return lock_show(l->c, contention_view(&l->contention, lock_form(l->c), err), s, err);
}

static const struct tracing_observe_ops events_of_kernel = {
	.ready = open_contention, .end = show_contention,
};
static const struct tracing_observe_ops bpf_of_kernel = {
	.before = note_target, .ready = open_contention, .begin = begin_waits, .stop = stop_waits,
	.end = show_contention,
};

/* ---- programs ---- */

static int open_futex(void *ctx, struct session *s, struct err *err UNUSED)
{
	struct lock_live *l = ctx;

	futex_init(&l->futex, s, &l->futex_opts);
	l->opened = true;
	return 0;
}

static int show_futex(void *ctx, struct session *s, struct err *err)
{
	struct lock_live *l = ctx;

	return lock_show(l->c, futex_view(&l->futex, lock_form(l->c), err), s, err);
}

static const struct tracing_observe_ops events_of_programs = { .ready = open_futex, .end = show_futex };

/* ---- the command ---- */

static void settle_target(const struct lock_cmd *c, struct tracing_observe *t)
{
	t->observe.target = (struct target_opts){ .pids = c->tracing.filter.pid_list, .cpus = c->cpus,
						  .tids = c->tracing.filter.tid_list,
						  .all_cpus = c->all_cpus };
	t->observe.argv = c->argv;
	t->observe.ring_pages = c->ring_pages ? c->ring_pages : 1024;
	t->observe.stdout_is_data = !c->output;
	t->sym = c->session.sym;
}

static int settle_kernel(struct lock_live *l, struct tracing_observe *t, struct err *err)
{
	struct lock_cmd *c = l->c;
	int ret = lock_contention_opts(c, err);

	c->contention.auto_skip = !c->skip_given;
	t->kernel = true;
	t->cgroups = c->by_cgroup;
	t->ops = c->bpf ? &bpf_of_kernel : &events_of_kernel;
	t->attr.callgraph = (struct callgraph_opts){ .mode = c->bpf ? CALLGRAPH_NONE : CALLGRAPH_FP,
						     .max_stack = c->contention.max_stack,
						     .kernel_only = true };
	/* an event that never occurs gets no samples for a handler, but needs one */
	lock_set_rows(c, contention_rows, c->bpf ? 0 : CONTENTION_NR_ROWS, &l->contention,
		      "perf lock record");
	return ret;
}

static int settle_programs(struct lock_live *l, struct tracing_observe *t, struct err *err)
{
	bool raw = !tracing_has_event("syscalls:sys_enter_futex");

	t->maps = true;
	t->ops = &events_of_programs;
	t->attr.callgraph.mode = CALLGRAPH_FP;
	lock_set_rows(l->c, futex_rows, raw ? FUTEX_NR_ROWS : FUTEX_NR_WITHOUT_RAW, &l->futex,
		      "perf lock record --user");
	return lock_futex_opts(l->c, &l->futex_opts, err);
}

static void ignore(void *ctx UNUSED, const struct tracing_sample *ts UNUSED)
{
}

int lock_live(struct lock_cmd *c)
{
	struct lock_live l = { .c = c };
	struct tracing_observe t;
	struct err err = ERR_INIT;
	int ret;

	tracing_observe_init(&t, &c->tracing);
	settle_target(c, &t);
	t.ctx = &l;
	c->tracing.other = ignore;
	c->tracing.filter.pid_list = c->tracing.filter.tid_list = NULL;
	ret = c->user ? settle_programs(&l, &t, &err) : settle_kernel(&l, &t, &err);
	if (!ret)
		ret = tracing_observe(&t, &err);
	kernel_waits_close(&l.waits);
	vec_release(&l.cpus);
	if (l.opened && c->user)
		futex_release(&l.futex);
	else if (l.opened)
		contention_release(&l.contention);
	tracing_observe_release(&t);
	return command_status(ret, &err, &t.command);
}
