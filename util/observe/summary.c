/* Summary: see summary.h. */
#include "summary.h"
#include "../base/units.h"
#include "../event/record.h"

#include <time.h>

#define MISC_EXACT_IP (1u << 14)	/* of samples */

void summary_count(struct summary *s, const struct rec_header *h)
{
	if (h->type != REC_SAMPLE)
		return;
	s->now.kernel += (h->misc & MISC_CPUMODE_MASK) == CPUMODE_KERNEL;
	s->now.exact += (h->misc & MISC_EXACT_IP) != 0;
}

int summary_read(struct summary *s, struct observer *o, ring_record_fn fn)
{
	int ret = rings_read(&o->rings, &s->now.rings, fn, o->ctx);

	if (!ret && o->rings.any_backward)
		ret = rings_read_backward(&o->rings, &s->now.rings, fn, o->ctx);
	s->now.time_ns = clock_ns(CLOCK_MONOTONIC);
	return ret;
}

void summary_target(const struct observer *o, struct strbuf *out)
{
	const struct target_opts *t = &o->opts->target;
	u32 nr = o->target.cpus.nr;

	if (t->pids)
		strbuf_addf(out, "(target_pid: %s", t->pids);
	else if (t->tids)
		strbuf_addf(out, "(target_tid: %s", t->tids);
	else if (t->user)
		strbuf_addf(out, "(uid: %s", t->user);
	else if (o->target.kind == TARGET_WORKLOAD)
		strbuf_addf(out, "(command: %s", o->opts->argv[0]);
	else
		strbuf_addstr(out, "(all");
	if (t->cpus)
		strbuf_addf(out, ", CPU%s: %s", strpbrk(t->cpus, ",-") ? "s" : "", t->cpus);
	else if (o->target.kind == TARGET_SYSTEM)
		strbuf_addf(out, ", %u CPU%s", nr, nr > 1 ? "s" : "");
	strbuf_addch(out, ')');
}

static u32 nr_shown(const struct evset *set)
{
	u32 nr = 0;

	vec_foreach(&set->ev, ev)
		nr += !(*ev)->dummy;
	return nr;
}

static void add_events(const struct evset *set, struct strbuf *out)
{
	const struct pe_attr *a = &evset_at(set, 0)->attr;
	bool first = true;

	if (nr_shown(set) == 1)
		strbuf_addf(out, "%lu%s ", a->sample_period, a->flags & ATTR_FREQ ? "Hz" : "");
	vec_foreach(&set->ev, ev) {
		if ((*ev)->dummy)
			continue;
		strbuf_addstr(out, first ? "" : ", ");
		strbuf_add_safe(out, (*ev)->name);
		first = false;
	}
}

static double percent_of(u64 part, u64 whole)
{
	return whole ? 100.0 * part / whole : 0;
}

static u64 lost(const struct summary_counts *c)
{
	return c->rings.lost + c->rings.lost_samples;
}

void summary_line(struct summary *s, const struct observer *o, struct strbuf *out)
{
	const struct summary_counts *now = &s->now, *was = &s->shown;
	u64 nr = now->rings.samples - was->rings.samples, since = MAX(was->time_ns, o->start_ns);
	double seconds = now->time_ns > since ? (now->time_ns - since) / 1e9 : 0;

	strbuf_addf(out,
		    "   PerfTop:%8.0f irqs/sec  kernel:%4.1f%%  exact: %4.1f%% lost: %lu/%lu drop: %lu/%lu [",
		    seconds > 0 ? nr / seconds : 0, percent_of(now->kernel - was->kernel, nr),
		    percent_of(now->exact - was->exact, nr), lost(now) - lost(was), lost(now),
		    now->dropped - was->dropped, now->dropped);
	add_events(o->opts->set, out);
	strbuf_addstr(out, "],  ");
	summary_target(o, out);
	strbuf_addch(out, '\n');
	s->shown = *now;
}

void summary_facts(struct summary *s, const struct observer *o, struct view_facts *facts)
{
	const struct summary_counts *now = &s->now, *was = &s->shown;
	u64 since = MAX(was->time_ns, o->start_ns);

	view_fact_number(facts, "interval-ns", now->time_ns > since ? now->time_ns - since : 0);
	view_fact_number(facts, "samples", now->rings.samples - was->rings.samples);
	view_fact_number(facts, "kernel-samples", now->kernel - was->kernel);
	view_fact_number(facts, "exact-samples", now->exact - was->exact);
	view_fact_number(facts, "lost", lost(now) - lost(was));
	view_fact_number(facts, "lost-total", lost(now));
	view_fact_number(facts, "dropped", now->dropped - was->dropped);
	view_fact_number(facts, "dropped-total", now->dropped);
	s->shown = *now;
}
