/* Count-read: the plan of reads, and reading. */
#include "count-read.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tool-events.h"

#define OPS_WORTH_A_MOVE 4	/* fewer reads than this are cheaper from another CPU */

static count_read_call scripted;

void count_set_read_for_test(count_read_call fn)
{
	scripted = fn;
}

/* sets the states of what is not open, with the reason */
static void set_states(const struct open_fds *f, const struct evset *set, struct counts *c)
{
	for (u32 e = 0; e < f->nr_events; e++) {
		const struct event *ev = evset_at(set, e);
		size_t first = counts_at(c, e, 0, 0), per_event = (size_t)f->nr_cpus * f->nr_threads;
		bool any = false;

		if (event_is_tool(ev))
			continue;	/* tool events: reading them shows it */
		for (size_t i = first; i < first + per_event; i++)
			any |= f->fd[i] >= 0;
		c->refused[e] = any || !f->refused ? 0 : f->refused[e];
		for (size_t i = first; i < first + per_event; i++) {
			if (!event_wants_cpu(ev, f->cpu[(i - first) / f->nr_threads]))
				c->state[i] = COUNT_ABSENT;
			else if (f->fd[i] >= 0)
				c->state[i] = COUNT_READ;
			else
				c->state[i] = any ? COUNT_GONE : COUNT_UNSUPPORTED;
		}
	}
}

/* the members of e's group that are open here, with itself first */
static void add_group(struct count_reader *r, struct read_op *op)
{
	const struct open_fds *f = r->fds;

	op->first_member = r->member.nr;
	for (u32 e = op->leader;
	     e < f->nr_events && (e == op->leader || evset_at(r->set, e)->leader == op->leader); e++)
		if (f->fd[open_at(f, e, op->cpu, op->thread)] >= 0)
			vec_push(&r->member, e);
	op->nr_members = r->member.nr - op->first_member;
}

static bool is_group(const struct event *ev)
{
	return ev->attr.read_format & PERF_FORMAT_GROUP;
}

static void plan_cell(struct count_reader *r, u32 e, u32 cpu, u32 thread)
{
	const struct open_fds *f = r->fds;
	const struct event *ev = evset_at(r->set, e);
	struct read_op op = { .fd = f->fd[open_at(f, e, cpu, thread)], .cpu = cpu, .thread = thread,
			      .leader = e };

	if (op.fd < 0)
		return;
	if (is_group(ev) && ev->leader != e && f->fd[open_at(f, ev->leader, cpu, thread)] >= 0)
		return;		/* read together with its leader */
	if (is_group(ev) && ev->leader == e) {
		add_group(r, &op);
	} else {
		op.first_member = r->member.nr;
		op.nr_members = 1;
		vec_push(&r->member, e);
	}
	r->buf_size = MAX(r->buf_size, (3 + 3 * (size_t)op.nr_members) * sizeof(u64));
	vec_push(&r->op, op);
}

void count_reader_init(struct count_reader *r, const struct open_fds *f, const struct evset *set,
		       struct tool_reader *tools, bool follow_cpu, struct counts *c)
{
	*r = (struct count_reader){ .fds = f, .set = set, .tools = tools };
	counts_init(c, f->nr_events, f->cpu, f->nr_cpus, f->tid, f->nr_threads);
	set_states(f, set, c);
	for (u32 cpu = 0; cpu < f->nr_cpus; cpu++)
		for (u32 e = 0; e < f->nr_events; e++)
			for (u32 thread = 0; thread < f->nr_threads; thread++)
				plan_cell(r, e, cpu, thread);
	r->buf = xmalloc(r->buf_size);
	follow_cpu &= f->nr_cpus > 1 && r->op.nr / f->nr_cpus >= OPS_WORTH_A_MOVE && !scripted;
	affinity_init(&r->near, follow_cpu ? AFFINITY_CPU : AFFINITY_NONE);
}

long count_read_raw(int fd, void *buf, size_t size)
{
	long n;

	if (scripted)
		return scripted(fd, buf, size);
	do
		n = read(fd, buf, size);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

/*
 * puts the values of one read into their cells. Layout: PERF_EVENT_IOC docs in <linux/perf_event.h>, enum
 * perf_event_read_format
 */
static bool take(struct count_reader *r, const struct read_op *op, size_t bytes, struct counts *c)
{
	u64 fmt = evset_at(r->set, op->leader)->attr.read_format, nr = 1, ena = 0, run = 0;
	size_t words = bytes / sizeof(u64), each = 1 + !!(fmt & PERF_FORMAT_ID) + !!(fmt & PERF_FORMAT_LOST);
	const u64 *p = r->buf, *end = r->buf + words;
	bool group = fmt & PERF_FORMAT_GROUP;
	size_t head = (fmt & PERF_FORMAT_TOTAL_TIME_ENABLED ? 1 : 0) +
		      (fmt & PERF_FORMAT_TOTAL_TIME_RUNNING ? 1 : 0);
	u64 value;

	if (words < 1 + head)
		return false;
	value = group ? 0 : *p;
	nr = group ? *p : 1;
	p++;
	if (fmt & PERF_FORMAT_TOTAL_TIME_ENABLED)
		ena = *p++;
	if (fmt & PERF_FORMAT_TOTAL_TIME_RUNNING)
		run = *p++;
	if (nr != op->nr_members || (group && (size_t)(end - p) < nr * each))
		return false;
	for (u32 i = 0; i < nr; i++) {
		size_t at = counts_at(c, r->member.v[op->first_member + i], op->cpu, op->thread);

		c->v[at] = (struct count){ group ? p[i * each] : value, ena, run };
		c->state[at] = COUNT_READ;
	}
	return true;
}

static void read_tool(struct count_reader *r, const struct event *ev, struct counts *c)
{
	for (u32 cpu = 0; cpu < c->nr_cpus; cpu++)
		for (u32 th = 0; th < c->nr_threads; th++) {
			size_t at = counts_at(c, ev->idx, cpu, th);
			u64 val, time = tool_reader_elapsed(r->tools);
			int ret = tool_read(r->tools, ev, cpu, th, &val);

			if (ret) {
				c->state[at] = ret == -ENODATA ? COUNT_ABSENT :
					       ret == -ENOENT ? COUNT_UNSUPPORTED : COUNT_GONE;
				continue;
			}
			c->state[at] = COUNT_READ;
			c->v[at] = (struct count){ val, time, time };
		}
}

void count_read_tools(struct count_reader *r, struct counts *c)
{
	if (r->tools)
		vec_foreach(&r->set->ev, ev)
			if (event_is_tool(*ev))
				read_tool(r, *ev, c);
}

void count_read(struct count_reader *r, struct counts *c)
{
	vec_foreach(&r->op, op) {
		long n;

		affinity_follow(&r->near, r->fds->cpu[op->cpu]);
		n = count_read_raw(op->fd, r->buf, r->buf_size);
		/* 0: a pinned event that lost its counter; it keeps its last value */
		if (n == 0 || (n > 0 && take(r, op, n, c)))
			continue;
		for (u32 i = 0; i < op->nr_members; i++)
			c->state[counts_at(c, r->member.v[op->first_member + i], op->cpu,
					   op->thread)] = COUNT_GONE;
	}
	affinity_return(&r->near);
	count_read_tools(r, c);
}

void count_reader_release(struct count_reader *r)
{
	vec_release(&r->op);
	vec_release(&r->member);
	free(r->buf);
	affinity_release(&r->near);
	*r = (struct count_reader){ 0 };
}
