/* Wall-switches: see wall-switches.h. The programs are util/bpf/wall-switches.bpf.c. */
#include "wall-switches.h"
#include "bpf-event.h"
#include "synthesize.h"
#include "wall-encode.h"
#include "wall-names.h"
#include "wall-offsets.h"
#include "wall-places.h"
#include "wall-slots.h"
#include "../base/fs.h"
#include "../base/units.h"
#include "../bpf/functions.h"
#include "../bpf/ring.h"
#include "../bpf/wall-switches-types.h"
#include "../bpf/watched.h"
#include "../data/features-write.h"
#include "../event/abi.h"
#include "../event/record-type.h"
#include "../kernel/target.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RING_BYTES (4ull << 20)		/* of a CPU: 200 ms of 50,000 switches a second with long stacks */
#define WAKE_BYTES (RING_BYTES / 8)
#define SAMPLE_PROGRAM "perf_wall_sample"

static const u8 object[] = {
#include "../bpf/wall-switches.bpf.inc"
};

struct wall_switches {
	struct watched_opts tasks;
	struct bpf_set set;
	struct bpf_map rings, room, task, place;
	struct { VEC(struct bpf_ring); } ring;	/* by CPU; without mapping if it is not there */
	struct { VEC(struct wall_places); } places;	/* of each ring */
	struct cpulist cpus;
	u64 lost;				/* that were told */
	bool wakers, names, at_samples;
	u64 slot_ns;
	struct wall_slots *slots;		/* with slot_ns, once it has begun */
	u64 passing;				/* CLOCK_MONOTONIC, ns, of the last take */
	bool stopped;
	struct wall_names waker_names;
};

/* ---- loading ---- */

static int create_rings(struct wall_switches *w, struct err *err)
{
	struct bpf_ring model = BPF_RING_INIT;
	int ret = cpus_online(&w->cpus, err);

	if (!ret)
		ret = bpf_ring_create(&model, "perf_ring", page_size(), err);
	if (ret)
		return ret;
	ret = bpf_map_create_array_of(&w->rings, &model.map, "perf_rings", w->cpus.v[w->cpus.nr - 1] + 1,
				      err);
	bpf_ring_release(&model);
	for (u32 i = 0; i < w->cpus.nr && !ret; i++) {
		struct bpf_ring r = BPF_RING_INIT;
		u32 cpu = w->cpus.v[i];

		ret = bpf_ring_create(&r, "perf_ring", RING_BYTES, err);
		if (!ret) {
			vec_push(&w->ring, r);
			vec_push(&w->places, (struct wall_places){ 0 });
		}
		if (!ret && bpf_map_set(&w->rings, &cpu, &r.map.fd))
			ret = err_set(err, -EIO, "the ring buffers of BPF programs cannot be used");
	}
	return ret;
}

static int load(struct wall_switches *w, struct err *err)
{
	struct bpf_set_program programs[] = {
		WATCHED_END, WATCHED_FORK(&w->tasks),
		{ "perf_wall_wake", BPF_AT_TYPED_TRACEPOINT, "sched_waking" },
		{ "perf_wall_switch", BPF_AT_TYPED_TRACEPOINT, "sched_switch" },
		{ SAMPLE_PROGRAM, BPF_BY_CALLER },
	};
	struct wall_switches_settings c = { .wake_bytes = WAKE_BYTES, .wakers = w->wakers,
					     .names = w->names, .begins = w->names || w->slot_ns,
					     .slot_ns = w->slot_ns,
					     .seed = hash_u64(clock_ns(CLOCK_MONOTONIC)) };
	u32 cast = 0;
	int ret = bpf_set_open(&w->set, "--wall", object, sizeof(object), err);

	if (!ret)
		ret = wall_offsets_find(&c, &cast, err);
	if (!ret)
		ret = create_rings(w, err);
	if (!ret)
		ret = watched_prepare(&w->set, &w->tasks, &c.watched, err);
	if (ret)
		return ret;
	bpf_set_use_map(&w->set, "rings", &w->rings);
	bpf_set_resize(&w->set, "tasks", 0, w->slot_ns ? 0 : offsetof(struct wall_task, since),
		       w->slot_ns ? WALL_MAX_TASKS_SLOTS : WALL_MAX_TASKS);
	bpf_set_constants(&w->set, &c, sizeof(c));
	bpf_set_kernel_function(&w->set, BPF_FUNCTION_CAST, cast);
	w->at_samples = !w->names && c.task_switches && c.regs_flags;
	programs[ARRAY_SIZE(programs) - 1].left_out = !w->at_samples;
	ret = bpf_set_load(&w->set, programs, ARRAY_SIZE(programs), err);
	if (!ret)
		ret = watched_fill(&w->set, &w->tasks, err);
	if (!ret)
		bpf_set_get_map(&w->set, "room", &w->room);
	if (!ret)
		bpf_set_get_map(&w->set, "tasks", &w->task);
	if (!ret)
		bpf_set_get_map(&w->set, "places", &w->place);
	return ret;
}

struct wall_switches *wall_switches_open(const struct wall_switches_opts *o, struct err *err)
{
	struct wall_switches *w = xcalloc(1, sizeof(*w));

	w->tasks = (struct watched_opts){ .all = o->all, .inherit = o->inherit };
	w->wakers = o->wakers;
	w->names = o->names;
	w->slot_ns = o->slot_ns;
	w->rings = (struct bpf_map)BPF_MAP_INIT;
	if (!load(w, err))
		return w;
	wall_switches_free(w);
	return NULL;
}

void wall_switches_at_samples(struct wall_switches *w, const struct evset *set, const struct open_fds *f)
{
	for (u32 i = 0; w->at_samples && i < set->ev.nr; i++) {
		const struct event *ev = evset_at(set, i);

		if (!ev->dummy && ev->attr.type != PERF_TYPE_TRACEPOINT && !wall_switches_is_event(ev) &&
		    !wall_slots_is_event(ev))
			open_set_bpf(f, i, bpf_set_program(&w->set, SAMPLE_PROGRAM)->fd);
	}
}

int wall_switches_watch(struct wall_switches *w, const struct target *t, s32 pid, struct err *err)
{
	int ret = watched_add_target(&w->set, &w->tasks, t, err);

	/* with -p, a command only says how long */
	if (!ret && pid > 0 && t->kind == TARGET_WORKLOAD && watched_add(&w->set, pid))
		ret = err_set(err, -EIO, "task %d cannot be observed by BPF", pid);
	return ret;
}

int wall_switches_start(struct wall_switches *w, struct loop *loop, u32 id, struct err *err)
{
	int ret = 0;

	w->passing = clock_ns(CLOCK_MONOTONIC);
	if (w->slot_ns)
		w->slots = wall_slots_new(w->slot_ns, w->passing);
	for (size_t i = 0; i < w->ring.nr && !ret; i++)
		ret = loop_add_wakeups(loop, w->ring.v[i].map.fd, id, err);
	return ret ? ret : bpf_set_attach(&w->set, err);
}

void wall_switches_stop(struct wall_switches *w)
{
	bpf_set_detach(&w->set);
	w->stopped = true;
}

void wall_switches_free(struct wall_switches *w)
{
	if (!w)
		return;
	bpf_set_close(&w->set);
	wall_slots_free(w->slots);
	vec_foreach(&w->ring, r)
		bpf_ring_release(r);
	vec_release(&w->ring);
	vec_foreach(&w->places, p)
		wall_places_release(p);
	vec_release(&w->places);
	bpf_map_release(&w->rings);
	vec_release(&w->cpus);
	wall_names_release(&w->waker_names);
	free(w);
}

/* ---- the event and its samples ---- */

struct event *wall_switches_add_event(struct evset *set, bool slots)
{
	return bpf_event_add(set, slots ? WALL_SLOT_NAME : WALL_SWITCH_NAME);
}

static bool is_event(const struct event *ev, const char *name)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_BPF_OUTPUT &&
	       ev->attr.sample_type & PERF_SAMPLE_RAW && !strcmp(ev->name, name);
}

bool wall_switches_is_event(const struct event *ev)
{
	return is_event(ev, WALL_SWITCH_NAME);
}

bool wall_slots_is_event(const struct event *ev)
{
	return is_event(ev, WALL_SLOT_NAME);
}

void wall_switches_configure(struct event *ev)
{
	bpf_event_configure(ev, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			    PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW);
}

struct switch_reader {
	struct strbuf *out;
	struct wall_places *places;	/* of the ring that is read */
	u64 id, last;
	struct wall_names *names;
	u32 trailer;
};

static void name_waker(struct switch_reader *r, const struct wall_switch *s)
{
	wall_names_know(r->names, s->tid);
	wall_names_know(r->names, s->next_tid);
	if (s->woken && !(s->flags & (WALL_WAKES | WALL_BY_INTERRUPT)))
		wall_names_ask(r->names, s->waker_pid, s->waker_tid, r->out, r->trailer);
}

/* fields in the order of perf_event_open(2); chain and raw data follow */
struct switch_sample {
	struct rec_header h;
	u64 id, ip;
	u32 pid, tid;
	u64 time, cpu, period;
};

static void add_sample(void *ctx, const void *record, u32 len)
{
	struct switch_reader *r = ctx;
	const struct wall_switch *s = record;
	const u64 *ip = wall_places_take(r->places, s, len);
	struct switch_sample head = { .h = { .type = REC_SAMPLE }, .id = r->id, .period = 1 };
	size_t begin;

	if (!ip)
		return;
	name_waker(r, s);
	begin = r->out->len;
	r->last = MAX(r->last, s->time);
	head.ip = s->nr_kernel + s->nr_user ? ip[0] : 0;
	head.pid = s->tid ? s->pid : 0;
	head.tid = s->tid;
	head.time = s->time;
	head.cpu = s->cpu;
	head.h.misc = s->nr_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	strbuf_add(r->out, &head, sizeof(head));
	wall_switch_put_chain(r->out, s, ip);
	wall_switch_put_raw(r->out, s, wall_file_after(s, ip));
	head.h.size = r->out->len - begin;
	memcpy(r->out->buf + begin, &head.h, sizeof(head.h));
}

static u64 nr_lost(const struct wall_switches *w)
{
	struct wall_room *room = xcalloc(1, bpf_map_bytes(&w->room));
	u64 lost = 0;

	for (u32 which = 0; which < WALL_NR_ROOMS; which++) {
		if (bpf_map_get(&w->room, &which, room))
			continue;
		for (u32 i = 0; i < w->room.nr_cpus; i++)
			lost += room[i].lost;
	}
	free(room);
	return lost;
}

struct event_reader {
	void (*fn)(void *ctx, const struct wall_switch_event *s);
	void *ctx;
	bool names;
};

static void give_event(void *ctx, const void *record, u32 len)
{
	const struct event_reader *r = ctx;
	const struct wall_switch *s = record;
	struct wall_switch_event e;

	if (len < offsetof(struct wall_switch, ip))
		return;
	e = (struct wall_switch_event){ .time = s->time, .pid = s->pid, .tid = s->tid, .cpu = s->cpu,
					.raw = wall_switch_raw_of(s) };
	if (r->names && s->nr_user == 2 * WALL_NAME_WORDS &&
	    len >= offsetof(struct wall_switch, ip) + sizeof(e.name) + sizeof(e.next_name)) {
		if (s->tid)
			memcpy(e.name, s->ip, sizeof(e.name) - 1);
		if (s->flags & WALL_BEGAN)
			memcpy(e.next_name, s->ip + WALL_NAME_WORDS, sizeof(e.next_name) - 1);
	}
	r->fn(r->ctx, &e);
}

u64 wall_switches_read(struct wall_switches *w, void (*fn)(void *ctx, const struct wall_switch_event *s),
		       void *ctx)
{
	struct event_reader r = { .fn = fn, .ctx = ctx, .names = w->names };
	u64 before = w->lost;

	vec_foreach(&w->ring, ring)
		bpf_ring_read(ring, give_event, &r);
	w->lost = nr_lost(w);
	return w->lost - before;
}

struct slots_reader {
	struct wall_slots *slots;
	struct wall_places *places;	/* of the ring that is read */
};

static void add_turns(struct wall_slots *slots, const struct wall_turns *t)
{
	const struct wall_switch s = { .state = t->state, .flags = t->flags };

	wall_slots_add_turns(slots, t, wall_switch_letter(&s));
}

static void add_to_slots(void *ctx, const void *record, u32 len)
{
	const struct slots_reader *r = ctx;
	const struct wall_switch *s = record;
	const struct wall_file *f;
	struct wall_switch_raw raw;
	struct wall_file_raw file;
	const u64 *ip;

	if (len >= sizeof(struct wall_turns) && s->flags & WALL_TURNS) {
		add_turns(r->slots, record);
		return;
	}
	ip = wall_places_take(r->places, s, len);
	if (!ip)
		return;
	raw = wall_switch_raw_of(s);
	f = wall_file_after(s, ip);
	if (f)
		file = wall_file_raw_of(f);
	if (s->flags & WALL_STACK)
		wall_slots_add_stack(r->slots, s->woken, s, ip, f ? &file : NULL);
	else
		wall_slots_add(r->slots, s, ip, &raw, f ? &file : NULL);
}

/* what the programs keep of threads. If one ends meanwhile, the kernel begins again, so not for ever */
static void each_task(struct wall_switches *w, void (*fn)(void *ctx, struct wall_task *t), void *ctx)
{
	struct wall_task t;
	u32 tid, most = 4 * WALL_MAX_TASKS_SLOTS, *last = NULL;

	for (; most-- && !bpf_map_next(&w->task, last, &tid); last = &tid)
		if (!bpf_map_get(&w->task, &tid, &t))
			fn(ctx, &t);
}

/* the sums that are still with a thread, and where it is */
static void add_task(void *ctx, struct wall_task *t)
{
	struct wall_switches *w = ctx;

	if (!t->since)
		return;
	for (u32 i = 0; i < WALL_NR_TURNS; i++) {
		t->turns[i].time = w->passing++;
		if (t->turns[i].nr)
			add_turns(w->slots, &t->turns[i]);
	}
	t->now.time = w->passing++;
	t->now.begin = t->since;
	t->now.pid = t->pid;
	t->now.tid = t->tid;
	t->now.flags |= WALL_TURNS;
	t->now.nr = 0;
	add_turns(w->slots, &t->now);
}

struct kept_hashes {
	VEC(u64);
};

static void keep_hashes(void *ctx, struct wall_task *t)
{
	struct kept_hashes *k = ctx;

	vec_push(k, t->now.hash);
	for (u32 i = 0; i < WALL_NR_TURNS; i++)
		vec_push(k, t->turns[i].hash);
}

/* the programs tell all stacks again from now on */
static void forget_stacks(struct wall_switches *w)
{
	void *none = xcalloc(1, bpf_map_bytes(&w->place));
	struct kept_hashes k = { 0 };

	for (u32 i = 0; i < WALL_NR_PLACES; i++)
		bpf_map_set(&w->place, &i, none);
	each_task(w, keep_hashes, &k);
	wall_slots_forget(w->slots, k.v, k.nr);
	vec_release(&k);
	free(none);
}

/* rings are read one after the other: what came since the last take may have older switches in another one */
static void take_slots(struct wall_switches *w, u64 id, struct strbuf *out)
{
	u64 until = w->passing, lost;

	w->passing = clock_ns(CLOCK_MONOTONIC);
	for (size_t i = 0; i < w->ring.nr; i++)
		bpf_ring_read(&w->ring.v[i], add_to_slots,
			      &(struct slots_reader){ w->slots, &w->places.v[i] });
	if (w->stopped)
		each_task(w, add_task, w);
	lost = nr_lost(w);
	if (lost > w->lost)
		wall_slots_lost(w->slots);
	wall_slots_put(w->slots, w->stopped ? w->passing : until, w->stopped, id, out);
	if (wall_slots_is_full(w->slots))
		forget_stacks(w);
}

void wall_switches_take(struct wall_switches *w, const struct event *ev, const struct open_fds *f,
			struct strbuf *out)
{
	struct switch_reader r = { .out = out, .id = bpf_event_id(ev, f), .last = w->passing,
				   .names = &w->waker_names, .trailer = synth_trailer_size(&ev->attr) };
	u64 lost;

	if (w->slots)
		take_slots(w, r.id, out);
	for (size_t i = 0; i < w->ring.nr && !w->slots; i++) {
		r.places = &w->places.v[i];
		bpf_ring_read(&w->ring.v[i], add_sample, &r);
	}
	lost = nr_lost(w);
	if (lost > w->lost)
		synth_lost_samples(out, ev, r.id, -1, -1, 0, r.last, lost - w->lost);
	w->lost = lost;
}
