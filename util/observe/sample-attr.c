/* How record's options become attributes. */
#include "sample-attr.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include "../base/fs.h"
#include "../base/strbuf.h"
#include "../../arch/arch.h"

#define STACK_DUMP_DEFAULT 8192u

struct attr_config {
	struct evset *set;
	const struct sample_attr_opts *o;
	const struct target *target;
	struct strbuf *notes;
	u64 freq;		/* for events without terms of their own; 0: period */
	u64 max_rate;
	bool data_mmap;		/* the samples can only be used with mappings of data */
	bool defer;
	bool traces;		/* an event is that of a trace PMU */
};

u64 perf_max_sample_rate(void)
{
	u64 v = 0;

	return fs_read_u64("/proc/sys/kernel/perf_event_max_sample_rate", &v) ? 0 : v;
}

u64 perf_max_stack(void)
{
	u64 v = 0;

	return fs_read_u64("/proc/sys/kernel/perf_event_max_stack", &v) ? 0 : v;
}

__attribute__((format(printf, 2, 3)))
static void note(const struct attr_config *c, const char *fmt, ...)
{
	va_list ap;

	if (!c->notes)
		return;
	va_start(ap, fmt);
	strbuf_vaddf(c->notes, fmt, ap);
	va_end(ap);
	strbuf_addch(c->notes, '\n');
}

/* ---- period and frequency ---- */

static int resolve_freq(struct attr_config *c, struct err *err)
{
	const struct sample_attr_opts *o = c->o;

	c->max_rate = perf_max_sample_rate();
	if (o->freq && o->count)
		return err_set(err, -EINVAL, "cannot set frequency (-F) and period (-c) at the same time");
	c->freq = o->count ? 0 : o->freq ? o->freq : SAMPLE_FREQ_DEFAULT;
	if (c->freq == SAMPLE_FREQ_MAX) {
		c->freq = c->max_rate ? c->max_rate : SAMPLE_FREQ_DEFAULT;
		return 0;
	}
	if (!c->max_rate || c->freq <= c->max_rate)
		return 0;
	if (o->strict_freq) {
		err_set(err, -EINVAL,
			"frequency %llu Hz is above the limit of %llu Hz (kernel.perf_event_max_sample_rate)",
			(unsigned long long)c->freq, (unsigned long long)c->max_rate);
		err_hint(err, "use a lower -F, or as root: sysctl kernel.perf_event_max_sample_rate=%llu",
			 (unsigned long long)c->freq);
		return -EINVAL;
	}
	note(c, "frequency lowered from %llu to %llu Hz, the limit of kernel.perf_event_max_sample_rate (as "
	     "root: sysctl kernel.perf_event_max_sample_rate=%llu; --strict-freq refuses instead)",
	     (unsigned long long)c->freq, (unsigned long long)c->max_rate, (unsigned long long)c->freq);
	c->freq = c->max_rate;
	return 0;
}

/* every occurrence is a sample, unless options or terms say otherwise */
static bool samples_each(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_TRACEPOINT || ev->attr.type == PERF_TYPE_BREAKPOINT || ev->dummy ||
	       (ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_BPF_OUTPUT);
}

static void set_period(const struct attr_config *c, struct event *ev)
{
	struct pe_attr *a = &ev->attr;

	if (ev->trace) {	/* a period of its own, if it counts at all */
		if (!(ev->term_flags & EVENT_TERM_PERIOD))
			a->sample_period = a->sample_period > 1 && c->o->count ? c->o->count :
					   MAX(a->sample_period, 1ull);
	} else if (ev->term_flags & EVENT_TERM_FREQ) {
		if (c->max_rate && a->sample_period > c->max_rate) {
			note(c, "'%s': frequency lowered to %llu Hz, the limit of "
			     "kernel.perf_event_max_sample_rate", ev->name, (unsigned long long)c->max_rate);
			a->sample_period = c->max_rate;
		}
		a->flags |= ATTR_FREQ;
	} else if (!(ev->term_flags & EVENT_TERM_PERIOD)) {
		bool each = samples_each(ev) && (ev->dummy || !c->o->freq);

		a->sample_period = c->o->count ? c->o->count : each ? 1 : c->freq;
		if (!c->o->count && !each)
			a->flags |= ATTR_FREQ;
	}
	if ((a->flags & ATTR_FREQ) && c->o->freq_divisor)
		a->sample_period = MAX(a->sample_period / c->o->freq_divisor, 1);
	if (((a->flags & ATTR_FREQ) && !c->o->period_given) || c->o->period)
		a->sample_type |= PERF_SAMPLE_PERIOD;
	if (c->o->no_samples)
		a->sample_period = 0;
}

/* a lower frequency has no effect on what has a period */
static int check_divisor(const struct attr_config *c, const struct evset *set, struct err *err)
{
	if (!c->o->freq_divisor)
		return 0;
	vec_foreach(&set->ev, ev)
		if ((*ev)->attr.flags & ATTR_FREQ)
			return 0;
	return err_set(err, -EINVAL, "--freq-divisor needs an event with a frequency: all have a period");
}

/* ---- call chains ---- */

/* the options of the command line, as changed by the event's own terms */
static struct callgraph_opts event_callgraph(const struct attr_config *c, const struct event *ev)
{
	struct callgraph_opts cg = c->o->callgraph;

	if (ev->term_flags & EVENT_TERM_CALL_GRAPH) {
		cg.mode = CALLGRAPH_NONE;
		parse_callgraph(ev->term_call_graph, &cg, NULL);
	}
	if (ev->term_stack_size)
		cg.dump_size = ev->term_stack_size;
	if (c->o->max_stack)
		cg.max_stack = c->o->max_stack;
	if (ev->term_flags & EVENT_TERM_MAX_STACK)
		cg.max_stack = ev->term_max_stack;
	return cg;
}

static void set_dwarf(struct attr_config *c, struct event *ev, const struct callgraph_opts *cg)
{
	const struct arch *arch = arch_native();
	struct pe_attr *a = &ev->attr;

	a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	a->sample_stack_user = cg->dump_size ? cg->dump_size : STACK_DUMP_DEFAULT;
	if (!cg->user_chain)
		a->flags |= ATTR_EXCLUDE_CALLCHAIN_USER;
	c->data_mmap = true;
	if (!arch)
		return;
	if (c->o->user_regs)	/* a subset: registers without which unwinding cannot start are added */
		a->sample_regs_user |= c->o->user_regs | 1ull << arch->reg_ip | 1ull << arch->reg_sp;
	else
		a->sample_regs_user |= arch->user_regs_default;
}

static void set_lbr(struct attr_config *c, struct event *ev)
{
	if (c->o->branch_sample_type) {
		note(c, "'%s': -b and -j take the branch records that --call-graph lbr needs: "
		     "frame pointers are used", ev->name);
		return;
	}
	if (ev->attr.flags & ATTR_EXCLUDE_USER) {
		note(c, "'%s': --call-graph lbr sees user space only: frame pointers are used", ev->name);
		return;
	}
	ev->attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	ev->attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
				      PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_NO_CYCLES |
				      PERF_SAMPLE_BRANCH_HW_INDEX;
}

static void set_chain_regs(struct event *ev)
{
	const struct arch *arch = arch_native();

	if (!arch || !arch->chain_regs)
		return;
	ev->attr.sample_type |= PERF_SAMPLE_REGS_USER;
	ev->attr.sample_regs_user |= arch->chain_regs;
}

static int set_callgraph(struct attr_config *c, struct event *ev, struct err *err)
{
	const struct callgraph_opts cg = event_callgraph(c, ev);
	u64 limit = perf_max_stack();

	if (cg.mode == CALLGRAPH_NONE)
		return 0;
	if (limit && cg.max_stack > limit) {
		err_set(err, -EOVERFLOW, "'%s': call chains of %u entries are above the limit of %llu "
			"(kernel.perf_event_max_stack)", ev->name, cg.max_stack, (unsigned long long)limit);
		err_hint(err, "this works now: --max-stack %llu", (unsigned long long)limit);
		err_hint(err, "to allow it, as root and while nothing records: "
			 "sysctl kernel.perf_event_max_stack=%u", cg.max_stack);
		return -EOVERFLOW;
	}
	ev->attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	ev->attr.sample_max_stack = cg.max_stack;
	if (cg.user_only)
		ev->attr.flags |= ATTR_EXCLUDE_CALLCHAIN_KERNEL;
	if (cg.kernel_only)
		ev->attr.flags |= ATTR_EXCLUDE_CALLCHAIN_USER;
	if (cg.mode == CALLGRAPH_DWARF)
		set_dwarf(c, ev, &cg);
	if (cg.mode == CALLGRAPH_LBR)
		set_lbr(c, ev);
	if (cg.mode == CALLGRAPH_FP && !(ev->attr.flags & (ATTR_EXCLUDE_USER | ATTR_EXCLUDE_CALLCHAIN_USER)))
		set_chain_regs(ev);
	if (cg.mode == CALLGRAPH_FP && cg.defer) {
		ev->attr.flags |= ATTR_DEFER_CALLCHAIN;
		c->defer = true;
	}
	return 0;
}

/* ---- what is sampled ---- */

static void set_sample_type(const struct attr_config *c, struct event *ev)
{
	const struct sample_attr_opts *o = c->o;
	struct pe_attr *a = &ev->attr;
	bool raw = !ev->dummy && samples_each(ev) && a->type != PERF_TYPE_BREAKPOINT;
	bool sampled = !ev->dummy && !ev->trace;	/* it has samples with what users ask for */
	const struct {
		bool on;
		u64 bits;
	} rules[] = {
		{ true, PERF_SAMPLE_IP | PERF_SAMPLE_TID },
		/* the ring of a single thread is in order anyway */
		{ o->timestamp || o->streams || (!c->target->per_thread && !o->timestamp_given),
		  PERF_SAMPLE_TIME },
		{ raw, PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW },
		{ o->raw && sampled, PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW },
		{ c->target->kind == TARGET_SYSTEM, PERF_SAMPLE_CPU },
		/* traces are ordered by the times of records, and of CPUs */
		{ c->traces, PERF_SAMPLE_TIME | PERF_SAMPLE_CPU },
		{ o->data, PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC },
		{ ev->retire_lat, PERF_SAMPLE_WEIGHT_STRUCT },
		{ o->all_cgroups, PERF_SAMPLE_CGROUP },
		{ ev->sample_read, PERF_SAMPLE_READ },
		{ ev->term_flags & EVENT_TERM_AUX_SAMPLE, PERF_SAMPLE_AUX },
		{ o->user_regs && sampled, PERF_SAMPLE_REGS_USER },
		{ o->intr_regs && sampled, PERF_SAMPLE_REGS_INTR },
		{ (o->branch_sample_type || ev->term_flags & EVENT_TERM_BRANCH) && sampled,
		  PERF_SAMPLE_BRANCH_STACK },
		{ ev->term_flags & EVENT_TERM_TIME, PERF_SAMPLE_TIME },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].on)
			a->sample_type |= rules[i].bits;
	for (size_t i = 0; i < ARRAY_SIZE(o->sample); i++)
		a->sample_type |= (u64)o->sample[i] << i;
	if (ev->term_flags & EVENT_TERM_TIME_OFF)
		a->sample_type &= ~PERF_SAMPLE_TIME;
	if (a->sample_type & PERF_SAMPLE_REGS_USER)
		a->sample_regs_user |= o->user_regs;
	if (a->sample_type & PERF_SAMPLE_REGS_INTR)
		a->sample_regs_intr |= o->intr_regs;
	if (o->branch_sample_type && sampled && !(ev->term_flags & EVENT_TERM_BRANCH))
		a->branch_sample_type = o->branch_sample_type;
}

static void set_switches(const struct attr_config *c, struct event *ev)
{
	const struct sample_attr_opts *o = c->o;
	bool sampled = !ev->dummy && !ev->trace;
	bool leader = ev->leader == ev->idx && !ev->all_tasks;
	bool inherits = target_has_tasks(c->target) && !ev->all_tasks;
	bool on_exec = c->target->kind == TARGET_WORKLOAD && (!o->delayed || ev->dummy);
	struct pe_attr *a = &ev->attr;
	/* not where the event says so itself; and a dummy tells of the host's tasks */
	bool sides = o->only_guest != o->only_host && !ev->dummy &&
		     !(a->flags & (ATTR_EXCLUDE_GUEST | ATTR_EXCLUDE_HOST));
	const struct {
		bool on;
		u64 bits;
	} rules[] = {
		{ true, ATTR_SAMPLE_ID_ALL },
		/* a dummy counts nothing, so it may run from the start */
		{ leader && (!ev->dummy || on_exec), ATTR_DISABLED },
		{ leader && on_exec, ATTR_ENABLE_ON_EXEC },
		{ inherits && !c->target->per_thread && !c->target->by_tid && !o->no_inherit, ATTR_INHERIT },
		{ ev->term_flags & EVENT_TERM_INHERIT, ATTR_INHERIT },
		{ o->inherit_stat, ATTR_INHERIT_STAT },
		{ (o->write_backward && sampled) || ev->term_flags & EVENT_TERM_OVERWRITE,
		  ATTR_WRITE_BACKWARD },
		{ o->use_clockid, ATTR_USE_CLOCKID },
		{ o->all_user, ATTR_EXCLUDE_KERNEL },
		{ o->all_kernel, ATTR_EXCLUDE_USER },
		{ o->only_guest && sides, ATTR_EXCLUDE_HOST },
		{ o->only_host && sides, ATTR_EXCLUDE_GUEST },
	};

	if (o->all_user)
		a->flags &= ~ATTR_EXCLUDE_USER;
	if (o->all_kernel)
		a->flags &= ~ATTR_EXCLUDE_KERNEL;
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].on)
			a->flags |= rules[i].bits;
	if (ev->term_flags & EVENT_TERM_NO_INHERIT)
		a->flags &= ~ATTR_INHERIT;
	if (ev->term_flags & EVENT_TERM_NO_OVERWRITE)
		a->flags &= ~ATTR_WRITE_BACKWARD;
	a->clockid = o->use_clockid ? o->clockid : 0;
	a->wakeup_events = o->no_buffering;
	if (o->watermark && !o->no_buffering) {
		a->flags |= ATTR_WATERMARK;
		a->wakeup_events = o->watermark;
	}
	a->read_format |= PERF_FORMAT_ID | PERF_FORMAT_LOST;
	if (o->inherit_stat)
		a->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
}

/* the event that reports maps, forks, names and loaded code */
static void set_sideband(const struct attr_config *c, struct event *ev)
{
	const struct sample_attr_opts *o = c->o;

	ev->attr.flags |= ATTR_MMAP | ATTR_COMM | ATTR_TASK | ATTR_MMAP2 | ATTR_COMM_EXEC | ATTR_KSYMBOL |
		(o->no_bpf_event ? 0 : ATTR_BPF_EVENT) | (o->no_buildid_mmap ? 0 : ATTR_BUILD_ID) |
		(o->namespaces ? ATTR_NAMESPACES : 0) | (o->all_cgroups ? ATTR_CGROUP : 0) |
		(o->switch_events ? ATTR_CONTEXT_SWITCH : 0) | (o->text_poke ? ATTR_TEXT_POKE : 0) |
		(o->data || o->data_mmap || c->data_mmap ? ATTR_MMAP_DATA : 0) |
			  (c->defer ? ATTR_DEFER_OUTPUT : 0);
}

/* ---- the set ---- */

/* with S only the leader samples; its samples contain the counts of the members */
static void set_group_reads(struct evset *set)
{
	vec_foreach(&set->ev, p) {
		struct event *ev = *p, *leader = evset_at(set, ev->leader);

		if (!leader->sample_read)
			continue;
		if (ev != leader) {
			leader->attr.read_format |= PERF_FORMAT_GROUP;
			ev->attr.read_format |= PERF_FORMAT_GROUP;
			ev->attr.sample_period = 0;
			ev->attr.flags &= ~ATTR_FREQ;
		}
	}
}

/*
 * Records must identify their event if there are several. If all samples have the same fields, the id may
 * stay at its old position (which readers of any age know); otherwise it must be the first field
 * (IDENTIFIER). In a pipe some readers need an id even if there is one event only.
 */
static void set_ids(struct evset *set, bool always, bool pipe)
{
	bool same = true, read = false;
	u64 bit;

	vec_foreach(&set->ev, ev) {
		same &= (*ev)->attr.sample_type == evset_at(set, 0)->attr.sample_type;
		read |= (*ev)->attr.sample_type & PERF_SAMPLE_READ;
	}
	bit = always || !same ? PERF_SAMPLE_IDENTIFIER : set->ev.nr > 1 || read || pipe ? PERF_SAMPLE_ID : 0;
	vec_foreach(&set->ev, ev)
		(*ev)->attr.sample_type |= bit;
}

/* covers only one kind of cores, or one CPU per package */
static bool misses_cpus(const struct event *ev, const struct target *t)
{
	struct cpulist cpus = { .nr = ev->nr_cpus, .v = (int *)ev->cpus };

	if (!ev->nr_cpus)
		return false;
	for (size_t i = 0; i < t->cpus.nr; i++)
		if (t->cpus.v[i] >= 0 && !cpulist_has(&cpus, t->cpus.v[i]))
			return true;
	return false;
}

static int bind_to_cpus(struct evset *set, struct event *ev, const struct cpulist *cpus, struct err *err)
{
	const struct cpulist own = { .nr = ev->nr_cpus, .v = (int *)ev->cpus };
	int *both = arena_alloc(&set->arena, cpus->nr * sizeof(*both));
	u32 nr = 0;

	for (size_t i = 0; i < cpus->nr; i++)
		if (!own.nr || cpulist_has(&own, cpus->v[i]))
			both[nr++] = cpus->v[i];
	if (!nr)
		return err_set(err, -EINVAL, "event '%s' cannot be counted on the CPUs of -C", ev->name);
	ev->cpus = both;
	ev->nr_cpus = nr;
	return 0;
}

int sample_attr_watch_cpus(struct evset *set, struct target *t, struct err *err)
{
	struct cpulist all = { 0 };
	int ret;

	if (t->kind != TARGET_SYSTEM || !t->cpu_list)
		return 0;
	ret = cpus_online(&all, err);
	for (u32 i = 0; !ret && i < set->ev.nr; i++)
		ret = bind_to_cpus(set, evset_at(set, i), &t->cpus, err);
	if (ret) {
		vec_release(&all);
		return ret;
	}
	vec_release(&t->cpus);
	t->cpus = all;
	return 0;
}

static bool needs_dummy(const struct attr_config *c)
{
	/* side-band must not be overwritten together with the samples, nor end while a trace is stopped */
	return c->traces || c->target->kind == TARGET_SYSTEM || c->o->delayed || c->o->write_backward ||
	       misses_cpus(evset_at(c->set, 0), c->target);
}

static void add_dummy(struct evset *set)
{
	struct event *ev = evset_add(set, "dummy:u");

	ev->dummy = true;
	ev->attr.type = PERF_TYPE_SOFTWARE;
	ev->attr.config = PERF_COUNT_SW_DUMMY;
	ev->attr.flags = ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV | ATTR_EXCLUDE_GUEST;
}

int sample_attr_config(struct evset *set, const struct sample_attr_opts *o, const struct target *target,
		       struct strbuf *notes, struct err *err)
{
	struct attr_config c = { .set = set, .o = o, .target = target, .notes = notes };
	int ret;

	if (!set->ev.nr)
		return err_set(err, -EINVAL, "there is no event to record");
	vec_foreach(&set->ev, ev)
		c.traces |= (*ev)->trace;
	ret = resolve_freq(&c, err);
	if (!ret && o->callgraph.mode == CALLGRAPH_DWARF && o->user_regs)
		note(&c, "--user-regs with --call-graph dwarf: unwinding may need more registers than "
		     "these, IP and SP");
	if (needs_dummy(&c))
		add_dummy(set);
	for (u32 i = 0; !ret && i < set->ev.nr; i++) {
		struct event *ev = evset_at(set, i);

		set_sample_type(&c, ev);
		set_switches(&c, ev);
		set_period(&c, ev);
		if (!ev->dummy && !ev->trace)
			ret = set_callgraph(&c, ev, err);
	}
	if (!ret)
		ret = check_divisor(&c, set, err);
	if (ret)
		return ret;
	/* the dummy if there is one, else the first event */
	set_sideband(&c, evset_at(set, evset_at(set, set->ev.nr - 1)->dummy ? set->ev.nr - 1 : 0));
	set_group_reads(set);
	set_ids(set, o->identifier || c.traces, o->pipe);
	return 0;
}
