/* Off-cpu: see off-cpu.h. The program is util/bpf/off-cpu.bpf.c. */
#include "off-cpu.h"
#include "bpf-event.h"
#include "../base/units.h"
#include "../bpf/watched.h"
#include "../event/abi.h"
#include "../event/record-type.h"
#include "../kernel/perf-clock.h"
#include "../kernel/tracefs.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define EVENT_NAME "offcpu-time"

static const u8 object[] = {
#include "../bpf/off-cpu.bpf.inc"
};

struct off_cpu {
	const struct event *event;
	u32 max_frames;
	bool with_chain;
	u64 long_ns;
	struct bpf_set set;
	struct bpf_map totals;
	struct perf_clock clock;
};

static u32 key_size(const struct off_cpu *o)
{
	return offsetof(struct off_cpu_key, ip) + o->max_frames * sizeof(u64);
}

/* --- loading */

static int prepare(struct off_cpu *o, const struct watched_opts *tasks, struct err *err)
{
	struct off_cpu_settings c = { .max_frames = o->max_frames, .long_ns = o->long_ns };
	int ret = watched_prepare(&o->set, tasks, &c.watched, err);

	if (ret)
		return ret;
	ret = tracefs_field_offset("sched", "sched_switch", "prev_state", &c.prev_state);
	if (!ret)
		ret = tracefs_field_offset("sched", "sched_switch", "next_pid", &c.next_pid);
	bpf_set_constants(&o->set, &c, sizeof(c));
	bpf_set_resize(&o->set, "sleeps", 0, offsetof(struct off_cpu_sleep, key) + key_size(o), 0);
	bpf_set_resize(&o->set, "totals", key_size(o), 0, 0);
	return ret ? err_set(err, ret, "--off-cpu needs tracepoint sched:sched_switch, which cannot be read: "
			     "mount tracefs (mount -t tracefs nodev /sys/kernel/tracing)") : 0;
}

static int load(struct off_cpu *o, const struct target *t, s32 pid, struct err *err)
{
	const struct watched_opts tasks = {
		.all = t->kind == TARGET_SYSTEM, .inherit = true, .not_pid = getpid(),
	};
	const struct bpf_set_program programs[] = {
		WATCHED_END, WATCHED_FORK(&tasks),
		{ "perf_off_cpu", BPF_AT_TRACEPOINT, "sched:sched_switch" },
	};
	int ret = bpf_set_open(&o->set, "off-cpu", object, sizeof(object), err);

	if (!ret)
		ret = prepare(o, &tasks, err);
	if (!ret)
		ret = bpf_set_load(&o->set, programs, ARRAY_SIZE(programs), err);
	if (!ret)
		ret = watched_fill(&o->set, &tasks, err);
	if (!ret)
		ret = watched_add_target(&o->set, &tasks, t, err);
	if (!ret && pid > 0 && !tasks.all && watched_add(&o->set, pid))
		ret = err_set(err, -EIO, "task %d cannot be observed by BPF", pid);
	if (!ret)
		bpf_set_get_map(&o->set, "totals", &o->totals);
	return ret;
}

struct off_cpu *off_cpu_open(const struct event *ev, const struct target *t, s32 pid, u64 long_ns,
			     struct err *err)
{
	bool with_chain = ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
	struct off_cpu *o = xcalloc(1, sizeof(*o));

	*o = (struct off_cpu){
		.max_frames = with_chain ? OFF_CPU_FRAMES : 1, .with_chain = with_chain,
		.event = ev, .long_ns = long_ns, .totals = BPF_MAP_INIT, .clock = PERF_CLOCK_NONE,
	};
	if (!load(o, t, pid, err) && !perf_clock_open(&o->clock, &ev->attr, err))
		return o;
	off_cpu_free(o);
	return NULL;
}

int off_cpu_start(struct off_cpu *o, struct err *err)
{
	return bpf_set_attach(&o->set, err);
}

void off_cpu_free(struct off_cpu *o)
{
	if (!o)
		return;
	bpf_set_close(&o->set);
	perf_clock_close(&o->clock);
	free(o);
}

/* --- the event and its samples */

struct event *off_cpu_add_event(struct evset *set)
{
	return bpf_event_add(set, EVENT_NAME);
}

#define SAMPLE_ALWAYS \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)

void off_cpu_configure(struct event *ev, bool with_chain)
{
	bpf_event_configure(ev, SAMPLE_ALWAYS | (with_chain ? PERF_SAMPLE_CALLCHAIN : 0));
}

/* fields in the order of perf_event_open(2) */
static void add_sample(const struct off_cpu *o, u64 id, u64 time, const struct off_cpu_key *key, u64 ns,
		       struct strbuf *out)
{
	u64 nr = 0, context = key->in_kernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER, count;
	struct rec_header h = {
		.type = REC_SAMPLE, .misc = key->in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
	};

	while (nr < o->max_frames && key->ip[nr])
		nr++;
	count = nr + 1;
	h.size = sizeof(h) + 5 * sizeof(u64) + (o->with_chain ? (nr + 2) * sizeof(u64) : 0);
	strbuf_add(out, &h, sizeof(h));
	strbuf_add(out, &id, sizeof(id));
	strbuf_add(out, &key->ip[0], sizeof(u64));
	strbuf_add(out, &key->pid, sizeof(u32));
	strbuf_add(out, &key->tid, sizeof(u32));
	strbuf_add(out, &time, sizeof(time));
	strbuf_add(out, &ns, sizeof(ns));
	if (!o->with_chain)
		return;
	strbuf_add(out, &count, sizeof(count));
	strbuf_add(out, &context, sizeof(context));
	strbuf_add(out, key->ip, nr * sizeof(u64));
}

void off_cpu_take(struct off_cpu *o, const struct open_fds *f, struct strbuf *out)
{
	u64 id = bpf_event_id(o->event, f), offset = perf_clock_now(&o->clock) - clock_ns(CLOCK_MONOTONIC);
	struct off_cpu_key *key = xcalloc(1, key_size(o));

	/* each entry is removed, so the next one is the first */
	for (u32 i = 0; i < o->totals.nr && !bpf_map_next(&o->totals, NULL, key); i++) {
		struct off_cpu_total t;

		if (!bpf_map_get(&o->totals, key, &t) && t.ns)
			add_sample(o, id, t.last + offset, key, t.ns, out);
		if (bpf_map_delete(&o->totals, key))
			break;
	}
	free(key);
}

u64 off_cpu_lost(const struct off_cpu *o)
{
	struct bpf_map map;
	u32 first = 0;
	u64 lost;

	bpf_set_get_map(&o->set, "lost", &map);
	return bpf_map_get(&map, &first, &lost) ? 0 : lost;
}
