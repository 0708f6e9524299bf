/* Trace-setup: see trace-setup.h. */
#include "trace-setup.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "../event/record-put.h"
#include "../kernel/rights.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#define AUX_BYTES (4u << 20)		/* of an area: with the right to lock memory, and without it */
#define AUX_BYTES_OF_USERS (128u << 10)
#define RING_BYTES_OF_USERS (256u << 10)

static u64 pow2_at_least(u64 v)
{
	return v > 1 ? 1ull << (64 - __builtin_clzll(v - 1)) : 1;
}

/* ---- events ---- */

static bool is_in_sample(const struct event *ev)
{
	return ev->term_flags & EVENT_TERM_AUX_SAMPLE && ev->attr.aux_sample_size;
}

/* true if the kernel only opens it as a member of a trace's group */
static bool needs_trace(const struct event *ev)
{
	return !ev->trace && (is_in_sample(ev) || ev->attr.flags & ATTR_AUX_OUTPUT || ev->attr.aux_action);
}

static const char *term_of(const struct event *ev)
{
	return ev->attr.flags & ATTR_AUX_OUTPUT ? "aux-output" : ev->attr.aux_action ? "aux-action" :
	       "aux-sample-size";
}

/* moves an event after the last member of a group, which it joins; it was in no group */
static void join_group(struct evset *set, u32 at, u32 leader)
{
	struct event *ev = evset_at(set, at);
	u32 to = leader + 1;

	while (to < at && evset_at(set, to)->leader == leader)
		to++;
	memmove(&set->ev.v[to + 1], &set->ev.v[to], (at - to) * sizeof(set->ev.v[0]));
	set->ev.v[to] = ev;
	vec_foreach(&set->ev, p)
		if ((*p)->leader >= to && (*p)->leader < at)
			(*p)->leader++;
	for (u32 i = to; i <= at; i++)
		evset_at(set, i)->idx = i;
	ev->leader = leader;
}

static int join_groups(struct evset *set, struct event *trace, struct err *err)
{
	for (u32 i = 0; i < set->ev.nr; i++) {
		struct event *ev = evset_at(set, i);
		bool alone = ev->leader == i && (i + 1 == set->ev.nr || evset_at(set, i + 1)->leader != i);

		if (!needs_trace(ev) || evset_at(set, ev->leader)->trace)
			continue;
		if (!alone || i < trace->idx) {
			err_set(err, -EINVAL, "event '%s' has the term %s, so it must follow the event of "
				"the trace, '%s', in its group or alone", ev->name, term_of(ev), trace->name);
			return err->code;
		}
		join_group(set, i, trace->leader);
	}
	return 0;
}

static int find_trace(struct trace_setup *t, struct evset *set, struct err *err)
{
	vec_foreach(&set->ev, p) {
		const struct trace_pmu *row;
		const struct pmu *pmu;

		if (!(*p)->trace)
			continue;
		pmu = pmus_find(&t->pmus, (*p)->pmu, strlen((*p)->pmu));
		row = pmu ? trace_pmu_of(pmu) : NULL;
		if (!row)
			return err_set(err, -ENODEV, "PMU %s is not in sysfs any longer", (*p)->pmu);
		if (t->row && t->row != row)
			return err_set(err, -EINVAL, "a file has traces of one kind: %s and %s need two "
				       "recordings", t->row->title, row->title);
		if (t->row)
			continue;
		*t = (struct trace_setup){ .row = row, .ev = *p, .pmu = pmu, .pmus = t->pmus };
	}
	return 0;
}

static int check_without(const struct record_opts *o, struct evset *set, struct err *err)
{
	const char *option = o->snapshot.on ? "-S" : o->aux_sample ? "--aux-sample" :
			     o->observe.aux_pages ? "-m with a size of AUX areas" : NULL;

	vec_foreach(&set->ev, ev)
		if (!option && needs_trace(*ev))
			option = term_of(*ev);
	if (!option)
		return 0;
	err_set(err, -EINVAL, "%s needs the event of a trace PMU, and none is recorded", option);
	err_hint(err, "name it before the other events, like -e intel_pt//u");
	return err->code;
}

/* --aux-sample: all events but the trace and those that have a size of their own */
static void set_sample_sizes(struct trace_setup *t, const struct record_opts *o, struct evset *set,
			     struct strbuf *notes)
{
	u32 size = UINT32_MAX;

	vec_foreach(&set->ev, p) {
		struct event *ev = *p;

		if (o->aux_sample && !ev->trace && !ev->dummy && !(ev->term_flags & EVENT_TERM_AUX_SAMPLE)) {
			ev->attr.aux_sample_size = o->aux_sample;
			ev->term_flags |= EVENT_TERM_AUX_SAMPLE;
		}
		if (!is_in_sample(ev))
			continue;
		t->samples = true;
		size = MIN(size, ev->attr.aux_sample_size);
	}
	if (t->samples && t->row->sampled)
		t->row->sampled(t->pmu, &t->ev->attr, size, notes);
}

/* ---- sizes ---- */

static bool may_lock(void)
{
	s64 paranoid = 2;

	fs_read_s64(PARANOID_FILE, &paranoid);
	return (!rights_in_user_namespace() && (rights_perfmon() || rights_have(CAPABILITY_IPC_LOCK))) ||
	       paranoid < 0;
}

static void choose_sizes(struct trace_setup *t, const struct record_opts *o)
{
	bool lock = may_lock();
	u64 bytes = o->snapshot.bytes ? o->snapshot.bytes : lock ? AUX_BYTES : AUX_BYTES_OF_USERS;

	t->ring_pages = o->observe.ring_pages;
	t->aux_pages = o->observe.aux_pages;
	if (!t->aux_pages)
		t->aux_pages = pow2_at_least((bytes + page_size() - 1) / page_size());
	if (!t->ring_pages && !lock)
		t->ring_pages = MAX(RING_BYTES_OF_USERS / page_size(), 1ull);
	t->snapshot_bytes = o->snapshot.bytes ? o->snapshot.bytes : t->aux_pages * page_size();
}

static int check_sizes(const struct trace_setup *t, const struct record_opts *o, struct err *err)
{
	if (o->snapshot.on && t->snapshot_bytes > t->aux_pages * page_size())
		return err_set(err, -EINVAL, "snapshots of %llu bytes do not fit into AUX areas of %llu "
			       "(-m ,%llu)", (unsigned long long)t->snapshot_bytes,
			       (unsigned long long)(t->aux_pages * page_size()),
			       (unsigned long long)t->aux_pages);
	if (o->snapshot.on && t->samples)
		return err_set(err, -EINVAL, "-S takes snapshots of the whole trace: it cannot be combined "
			       "with samples that have parts of it (--aux-sample, aux-sample-size)");
	if (trace_overwrites(t, o) && o->threads)
		return err_set(err, -EINVAL, "%s cannot be combined with --threads", o->snapshot.on ? "-S" :
			       "--aux-sample");
	if (o->rewrite)
		return err_set(err, -EINVAL, "--unwind-live cannot be combined with a trace");
	return 0;
}

/* ---- all of it ---- */

int trace_setup(struct trace_setup *t, const struct record_opts *o, struct sample_attr_opts *attr,
		const struct target *target, struct strbuf *notes, struct err *err)
{
	struct evset *set = o->observe.set;
	int ret = find_trace(t, set, err);

	if (ret)
		return ret;
	if (!t->row)
		return check_without(o, set, err);
	set_sample_sizes(t, o, set, notes);
	ret = join_groups(set, t->ev, err);
	if (ret)
		return ret;
	choose_sizes(t, o);
	/* what ran on a CPU; a thread's own area needs no such records */
	attr->switch_events |= t->row->switches && !target->per_thread;
	vec_foreach(&set->ev, p) {
		struct pe_attr *a = &(*p)->attr;

		if (!(*p)->trace)
			continue;
		attr->text_poke |= t->row->walks_code && !(a->flags & ATTR_EXCLUDE_KERNEL) &&
				   !o->attr.all_user;
		if (!trace_overwrites(t, o))
			a->aux_watermark = MIN(t->aux_pages * page_size() / 4, (u64)UINT32_MAX);
	}
	log_vv("AUX areas of %llu pages, snapshots of %llu bytes", (unsigned long long)t->aux_pages,
	       (unsigned long long)t->snapshot_bytes);
	return check_sizes(t, o, err);
}

/* TIME_CONV, which readers want before AUXTRACE_INFO */
static void put_clock(const struct observer *ob, struct strbuf *out)
{
	const struct perf_event_mmap_page *page = ob->rings.aux.nr ? ob->rings.aux.v[0].page : NULL;
	struct trace_times t = trace_times_of(page);

	if (!t.known)
		return;
	record_put(out, &(struct record_view){
		.type = REC_TIME_CONV, .time_conv = {
			.shift = t.shift, .mult = t.mult, .zero = t.zero, .has_cycles = true,
			.cycles = t.cycles, .mask = t.mask, .cap_zero = t.known, .cap_short = t.is_short } },
		NULL, 0);
}

void trace_put_info(const struct trace_setup *t, const struct record_opts *o, const struct observer *ob,
		    struct strbuf *out)
{
	const struct rings *rs = &ob->rings;
	const struct trace_info in = {
		.pmus = (struct pmus *)&t->pmus, .pmu = t->pmu, .ev = t->ev, .set = o->observe.set,
		.page = rs->aux.nr ? rs->aux.v[0].page : NULL,
		.cpu = ob->fds.cpu, .nr_cpus = ob->fds.nr_cpus,
		.per_cpu = ob->fds.nr_cpus && ob->fds.cpu[0] >= 0,
		.system_wide = ob->target.kind == TARGET_SYSTEM, .snapshot = o->snapshot.on,
	};
	struct strbuf words = STRBUF_INIT;

	put_clock(ob, out);
	t->row->words(&in, &words);
	record_put(out, &(struct record_view){
		.type = REC_AUXTRACE_INFO, .auxtrace_info = {
			.auxtrace_type = t->row->type,
			.priv = { .p = (const u8 *)words.buf, .nr = words.len / 8, .size = 8 } } }, NULL, 0);
	strbuf_release(&words);
}

void trace_setup_release(struct trace_setup *t)
{
	pmus_release(&t->pmus);
	*t = (struct trace_setup){ 0 };
}
