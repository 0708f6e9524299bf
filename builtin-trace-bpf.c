/* perf trace by BPF programs: they record calls, or count them where a summary alone is wanted. */
#include "builtin-trace-live.h"
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/pmu/parse-events.h"
#include "util/trace/kernel-lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *trace_why_not_recorded(const struct trace_observer *l)
{
	const struct trace_cmd *c = l->c;

	if (!c->bpf)
		return "not with --no-bpf";
	/* the kernel's frames would begin with the program itself */
	if (c->trace.kernel_chains)
		return "not with --kernel-syscall-graph";
	if (c->cgroups && strchr(c->cgroups, ','))
		return "not with several groups (-G)";
	return c->trace.print_sample ? "not with --print-sample" : NULL;
}

const char *trace_why_not_counted(const struct trace_observer *l)
{
	const struct trace_cmd *c = l->c;
	const struct trace_opts *o = &c->trace;

	/* where lines are recorded, they can be counted as well */
	if (!c->only_summary && !(c->with_summary && c->bpf_summary))
		return "only for a summary (-s, -S)";
	/* the programs run on all CPUs */
	if (c->observe.target.cpus)
		return "not with -C";
	if (o->sched || c->faults || l->nr_typed)
		return "not with --sched, -F and events";
	if (o->failures || o->min_duration_ns || o->max_events)
		return "not with --failure, --duration and --max-events";
	return trace_why_not_recorded(l);
}

static struct watched_opts tasks_of(const struct trace_observer *l)
{
	const struct target *t = &l->ob.target;

	return (struct watched_opts){ .not_pid = getpid(), .all = t->kind == TARGET_SYSTEM,
				      .not_tid = l->c->left_out.v, .nr_not_tid = l->c->left_out.nr,
				      .inherit = !l->c->attr.no_inherit && !t->by_tid,
				      .cgroup = l->c->cgroups };
}

int trace_add_counting(struct trace_observer *l, struct err *err)
{
	struct kernel_call_rule *rule = xcalloc(2 * KERNEL_CALLS_NR_MAX, sizeof(*rule));
	const struct syscall_set none = { 0 };
	struct kernel_summary_opts so = { .rule = rule, .mode = l->c->trace.mode,
					  .all_wanted = !l->c->trace.selected, .tasks = tasks_of(l) };
	int ret;

	trace_kernel_rules(&l->c->trace, &none, rule);
	ret = kernel_summary_open(&l->summary, &so, err);
	free(rule);
	if (ret)
		return ret;
	/* it tells when the tasks have ended */
	ret = parse_events(l->c->observe.set, "dummy:u", NULL, err);
	if (ret < 0)
		return ret;
	l->counted = true;
	l->c->trace.counted = true;
	return 0;
}

/* of a ring of BPF programs; 0: what lines show comes with samples alone */
static u64 ring_bytes(const struct trace_observer *l)
{
	const struct trace_cmd *c = l->c;
	u64 pages = c->observe.ring_pages;

	if (c->trace.chains || c->trace.mode == TRACE_BY_CGROUP)
		return 0;
	/* programs write faster than the kernel writes samples */
	return page_size() * (pages ? pages : 4 * rings_default_pages(l->ob.target.cpus.nr));
}

/* -m is for rings that have calls: those of events have names of tasks alone, and new pages take long */
static void limit_event_rings(const struct trace_observer *l)
{
	u64 *pages = &l->c->observe.ring_pages;

	if (l->kernel.ring.nr)
		*pages = MIN(*pages, rings_default_pages(l->ob.target.cpus.nr));
}

int trace_add_kernel(struct trace_observer *l, struct err *err)
{
	const struct target *t = &l->ob.target;
	const struct trace_opts *o = &l->c->trace;
	struct evset *set = l->c->observe.set;
	struct kernel_calls_opts ko = {
		.tasks = tasks_of(l), .failed_only = o->failures, .all_wanted = !o->selected,
		.min_ns = o->min_duration_ns, .nr_cpus = t->cpus.v[t->cpus.nr - 1] + 1,
		.ring_bytes = ring_bytes(l) };
	int ret = kernel_calls_open(&l->kernel, &ko, err);

	if (ret)
		return ret;
	l->in_kernel = true;
	/* an event of the tasks comes first: it tells when they have ended */
	if (!set->ev.nr) {
		ret = parse_events(set, "dummy:u", NULL, err);
		limit_event_rings(l);
	}
	if (ret >= 0)
		ret = parse_events(set, "bpf-output", NULL, err);
	if (ret < 0)
		return ret;
	l->kernel_event = set->ev.nr - 1;
	evset_at(set, l->kernel_event)->attr.sample_period = 1;
	evset_at(set, l->kernel_event)->term_flags |= EVENT_TERM_PERIOD;
	/* the clock that BPF programs can read */
	l->c->attr.use_clockid = true;
	l->c->attr.clockid = CLOCK_MONOTONIC;
	return 0;
}

int trace_set_rules(struct trace_observer *l, struct err *err)
{
	struct kernel_call_rule *rule = xcalloc(2 * KERNEL_CALLS_NR_MAX, sizeof(*rule));
	struct syscall_set followed = { 0 };
	int ret;

	if (l->c->trace.lines)
		trace_fd_calls(&followed);
	trace_kernel_rules(&l->c->trace, &followed, rule);
	ret = kernel_calls_set_rules(&l->kernel, rule, err);
	free(rule);
	return ret;
}

int trace_refuse_force_btf(const struct err *why, struct err *err)
{
	return err_set(err, why->code, "--force-btf needs BPF programs, which copy what arguments point to: "
		       "%s", why->msg);
}

static void add_call(void *ctx, u32 cpu, const struct kernel_call *k, u32 len)
{
	const struct trace_observer *l = ctx;
	struct tracing_given *g = tracing_live_room(l->tracing, cpu, k->end_ns, len);

	g->pid = k->pid;
	g->tid = k->tid;
	g->cpu = cpu;
	memcpy(g->raw, k, len);
}

void trace_read_calls(struct trace_observer *l)
{
	kernel_calls_read(&l->kernel, add_call, l);
}

/* where the programs write on this CPU: a ring of their own, or that of the event */
static int add_output(struct trace_observer *l, struct observer *ob, u32 cpu, int event_fd, struct err *err)
{
	struct kernel_calls *k = &l->kernel;
	int ret;

	if (event_fd < 0 || (!k->ring.nr && kernel_calls_set_output(k, cpu, event_fd)))
		return err_set(err, -EIO, "the records of CPU %u cannot be read", cpu);
	if (!k->ring.nr)
		return 0;
	ret = kernel_calls_add_ring(k, cpu, err);
	return ret ? ret : loop_add_wakeups(&ob->loop, k->ring.v[cpu].map.fd, OBSERVE_OWN, err);
}

/* the event of BPF output gets the records of all tasks: the programs choose them */
int trace_open_kernel_output(struct trace_observer *l, struct observer *ob, struct err *err)
{
	const struct event *ev = evset_at(l->c->observe.set, l->kernel_event);
	const struct cpulist only = { .nr = ev->nr_cpus, .v = (int *)ev->cpus };
	struct pe_attr attr = ev->attr;
	struct open_fds *f = &ob->fds;

	attr.flags &= ~(ATTR_DISABLED | ATTR_ENABLE_ON_EXEC | ATTR_INHERIT);
	for (u32 cpu = 0; cpu < f->nr_cpus; cpu++)
		for (u32 th = 0; th < f->nr_threads; th++) {
			int *fd = &f->fd[open_at(f, l->kernel_event, cpu, th)];

			if (*fd >= 0)
				close_raw(*fd);
			*fd = -1;
			/* calls that end on a CPU that -C leaves out have nowhere to go; side-band has */
			if (th || (only.nr && !cpulist_has(&only, f->cpu[cpu])))
				continue;
			*fd = open_raw(&attr, -1, f->cpu[cpu], -1, PERF_FLAG_FD_CLOEXEC);
			if (add_output(l, ob, f->cpu[cpu], *fd, err))
				return err->code;
		}
	return 0;
}

void trace_end_counting(struct trace_observer *l)
{
	kernel_summary_add(&l->summary, &l->c->t);
	if (kernel_summary_missed(&l->summary))
		log_warn("%llu calls or times were not counted: the tables of the kernel are full",
			 (unsigned long long)kernel_summary_missed(&l->summary));
}
