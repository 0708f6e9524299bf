/* Wall-switches: see wall-switches.h. The programs are util/bpf/wall-switches.bpf.c. */
#include "wall-switches.h"
#include "wall-names.h"
#include "bpf-event.h"
#include "wall-places.h"
#include "wall-slots.h"
#include "../event/record-type.h"
#include "synthesize.h"
#include "../base/fs.h"
#include "../base/units.h"
#include "../bpf/ring.h"
#include "../bpf/wall-switches-types.h"
#include "../bpf/watched.h"
#include "../data/features-write.h"
#include "../event/abi.h"
#include "../kernel/target.h"
#include "../obj/btf.h"
#include "../syscall/syscall.h"
#include "../wall/reasons.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/btf.h>
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

/* where the preemption count is; what is not found stays 0 */
static void find_count(const struct btf *b, struct wall_switches_settings *c)
{
	u32 info, at, se, queues, count, member = 0;

	/* elsewhere than on x86 it is the task's */
	if (!btf_offset(b, "task_struct", "thread_info", &info, NULL) &&
	    !btf_offset(b, "thread_info", "preempt_count", &at, NULL)) {
		c->task_count = info + at;
		return;
	}
	if (btf_offset(b, "task_struct", "se", &se, NULL) ||
	    btf_offset(b, "sched_entity", "cfs_rq", &at, NULL) ||
	    btf_offset(b, "cfs_rq", "rq", &c->cfs_rq_rq, NULL) || !btf_cpu_variable(b, "runqueues", &queues))
		return;
	/* Linux 6.2 to 6.14 have it in a struct */
	if (!btf_cpu_variable(b, "__preempt_count", &count) &&
	    (!btf_cpu_variable(b, "pcpu_hot", &count) ||
	     btf_offset(b, "pcpu_hot", "preempt_count", &member, NULL)))
		return;
	c->task_cfs_rq = se + at;
	c->count_from_rq = (s64)count + member - queues;
}

/* registers of 64-bit programs on x86; elsewhere their stacks are the kernel's to unwind */
static void find_registers(const struct btf *b, struct wall_switches_settings *c)
{
	const u32 user_cs = 0x33;

	if (!btf_offset(b, "pt_regs", "ip", &c->regs_ip, NULL) &&
	    !btf_offset(b, "pt_regs", "sp", &c->regs_sp, NULL) &&
	    !btf_offset(b, "pt_regs", "bp", &c->regs_bp, NULL) &&
	    !btf_offset(b, "pt_regs", "cs", &c->regs_cs, NULL) &&
	    !btf_offset(b, "pt_regs", "orig_ax", &c->regs_call, NULL) &&
	    !btf_offset(b, "pt_regs", "di", &c->regs_arg, NULL))
		c->user_cs = user_cs;
}

static void find_file_calls(struct wall_switches_settings *c)
{
	const struct syscall_table *t = syscall_table_native();
	const struct syscall_row *row;
	u32 nr;

	for (size_t i = 0; t && (row = syscall_table_row(t, i, &nr)); i++)
		if (nr < WALL_FILE_CALLS && wall_call_arg(row->name) == WALL_ARG_FILE)
			c->file_calls[nr / 64] |= 1ull << nr % 64;
}

/* from an open file to its name, or to a socket's peer; false: the kernel's types lack something */
static bool find_files(const struct btf *b, struct wall_switches_settings *c)
{
	u32 inode, path = 0, dentry = 0, hash_name = 0, name = 0;
	const struct {
		const char *type, *member;
		u32 *ret;
	} rows[] = {
		{ "task_struct", "files", &c->task_files }, { "files_struct", "fdt", &c->files_table },
		{ "fdtable", "max_fds", &c->table_max }, { "fdtable", "fd", &c->table_files },
		{ "file", "f_inode", &inode }, { "file", "f_path", &path }, { "path", "dentry", &dentry },
		{ "file", "private_data", &c->file_data }, { "inode", "i_mode", &c->inode_mode },
		{ "inode", "i_ino", &c->inode_number }, { "dentry", "d_name", &hash_name },
		{ "qstr", "name", &name }, { "socket", "sk", &c->socket_sock },
		{ "sock_common", "skc_family", &c->sock_family },
		{ "sock_common", "skc_dport", &c->sock_port },
		{ "sock_common", "skc_num", &c->sock_own_port },
		{ "sock_common", "skc_daddr", &c->sock_address },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (btf_offset(b, rows[i].type, rows[i].member, rows[i].ret, NULL))
			return false;
	/* kernels may be built without IPv6; the common part is the first one of a struct sock */
	if (btf_offset(b, "sock_common", "skc_v6_daddr", &c->sock_address6, NULL))
		c->sock_address6 = c->sock_address;
	c->file_dentry = path + dentry;
	c->dentry_name = hash_name + name;
	c->file_inode = inode;
	return true;
}

/* how tasks are throttled; what is not found stays 0 */
static void find_quotas(const struct btf *b, struct wall_switches_settings *c)
{
	u32 se, queue;

	if (btf_offset(b, "task_struct", "se", &se, NULL) ||
	    btf_offset(b, "sched_entity", "cfs_rq", &queue, NULL))
		return;
	c->task_queue = se + queue;
	/* Linux 6.18 and newer take tasks from their queues one by one, when they return to their programs */
	if (btf_offset(b, "task_struct", "throttled", &c->task_throttled, NULL) &&
	    btf_offset(b, "cfs_rq", "throttle_count", &c->queue_throttled, NULL))
		return;
	if (btf_offset(b, "cfs_rq", "throttled_clock_self", &c->queue_since, NULL) ||
	    btf_offset(b, "cfs_rq", "rq", &c->queue_rq, NULL) ||
	    btf_offset(b, "rq", "clock", &c->rq_clock, NULL) ||
	    btf_offset(b, "cfs_rq", "throttled_clock_self_time", &c->queue_sum, NULL))
		c->queue_sum = 0;
}

/* how often a thread left CPUs, in two numbers that follow each other; what is not found stays 0 */
static void find_counts(const struct btf *b, struct wall_switches_settings *c)
{
	u32 voluntary, others;

	if (!btf_offset(b, "task_struct", "nvcsw", &voluntary, NULL) &&
	    !btf_offset(b, "task_struct", "nivcsw", &others, NULL) && others == voluntary + sizeof(u64))
		c->task_switches = voluntary;
	if (c->user_cs && btf_offset(b, "pt_regs", "flags", &c->regs_flags, NULL))
		c->regs_flags = 0;
}

static int find_offsets(struct wall_switches_settings *c, struct err *err)
{
	u32 space = 0, inode = 0;
	const struct {
		const char *type, *member;
		u32 *ret;
	} rows[] = {
		{ "task_struct", "pid", &c->task_pid }, { "task_struct", "tgid", &c->task_tgid },
		{ "task_struct", "thread_pid", &c->task_thread_pid },
		{ "task_struct", "group_leader", &c->task_leader }, { "pid", "level", &c->pid_level },
		{ "pid", "numbers", &c->pid_numbers }, { "upid", "nr", &c->number_nr },
		{ "upid", "ns", &c->number_space }, { "pid_namespace", "ns", &space },
		{ "ns_common", "inum", &inode }, { "task_struct", "start_time", &c->task_start },
		{ "task_struct", "comm", &c->task_name },
	};
	struct btf *b = btf_read_kernel(err);
	int ret = b ? 0 : -ENOTSUP;

	for (size_t i = 0; i < ARRAY_SIZE(rows) && !ret; i++)
		ret = btf_offset(b, rows[i].type, rows[i].member, rows[i].ret, err);
	if (!ret) {
		c->number_size = btf_size(b, btf_find(b, BTF_KIND_STRUCT, "upid"));
		c->space_inode = space + inode;
		find_count(b, c);
		find_quotas(b, c);
		find_registers(b, c);
		find_counts(b, c);
		if (c->user_cs && find_files(b, c))
			find_file_calls(c);
	}
	btf_free(b);
	return ret;
}

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
	int ret = bpf_set_open(&w->set, "--wall", object, sizeof(object), err);

	if (!ret)
		ret = find_offsets(&c, err);
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

/* as sched:sched_switch has them, but what the kernel keeps for itself */
static char letter_of(const struct wall_switch *s)
{
	static const char letters[] = "SDTtXZPX";
	const u32 no_load = 0x400;

	if (s->flags & WALL_THROTTLED)
		return WALL_RAW_THROTTLED;
	if (s->flags & WALL_PREEMPTED)
		return 'R';
	if (s->state & 2 && s->state & no_load)
		return 'I';
	for (u32 i = 0; i < sizeof(letters) - 1; i++)
		if (s->state & 1u << i)
			return letters[i];
	return 'R';
}

static struct wall_switch_raw raw_of(const struct wall_switch *s)
{
	return (struct wall_switch_raw){
		.flags = (s->flags & WALL_WAKES ? WALL_RAW_WAKES : s->flags & WALL_HERE ? WALL_RAW_HERE :
			  s->tid ? WALL_RAW_HAS_LEFT : 0) |
			 (s->flags & WALL_UNSEEN ? WALL_RAW_UNSEEN : 0) |
			 (s->flags & WALL_NEXT_UNSEEN ? WALL_RAW_NEXT_UNSEEN : 0) |
			 (s->flags & WALL_BY_INTERRUPT ? WALL_RAW_BY_INTERRUPT : 0) |
			 (s->flags & WALL_BEGAN ? WALL_RAW_BEGAN : 0) |
			 (s->flags & WALL_MISSED ? WALL_RAW_MISSED : 0),
		.letter = letter_of(s), .next_pid = s->next_pid, .next_tid = s->next_tid,
		.waker_pid = s->waker_pid, .waker_tid = s->waker_tid,
		.woken = { s->woken, s->woken >> 32 },
		.arg = { s->arg, s->arg >> 32 },
	};
}

static struct wall_file_raw file_raw_of(const struct wall_file *f)
{
	struct wall_file_raw ret = { .inode = { f->inode, f->inode >> 32 }, .mode = f->mode,
				     .family = f->family };

	if (f->family) {
		ret.port = ntohs(f->port);
		ret.own_port = f->own_port;
		memcpy(ret.address, f->address, sizeof(ret.address));
	} else {
		memcpy(ret.name, f->name, strnlen(f->name, sizeof(f->name)));
	}
	return ret;
}

u32 wall_file_raw_bytes(const struct wall_file_raw *f)
{
	return f->family || *f->name ? sizeof(*f) : offsetof(struct wall_file_raw, address);
}

struct switch_reader {
	struct strbuf *out;
	struct wall_places *places;	/* of the ring that is read */
	u64 id, last;
	struct wall_names *names;
	u32 trailer;
};

/* raw data with its size before it */
static void put_raw(struct strbuf *out, const struct wall_switch *s, const struct wall_file *f)
{
	const struct wall_switch_raw raw = raw_of(s);
	struct wall_file_raw file;
	u32 bytes = 0;

	if (f) {
		file = file_raw_of(f);
		bytes = wall_file_raw_bytes(&file);
	}
	put_u32(out, sizeof(raw) + bytes);
	strbuf_add(out, &raw, sizeof(raw));
	strbuf_add(out, &file, bytes);
}

static void put_chain(struct strbuf *out, const struct wall_switch *s, const u64 *ip)
{
	u64 kernel = s->nr_kernel, user = s->nr_user;

	put_u64(out, kernel + !!kernel + user + !!user);
	if (kernel)
		put_u64(out, PERF_CONTEXT_KERNEL);
	strbuf_add(out, ip, kernel * sizeof(u64));
	if (user)
		put_u64(out, PERF_CONTEXT_USER);
	strbuf_add(out, ip + kernel, user * sizeof(u64));
}

/* after the frames; NULL: it has none */
static const struct wall_file *file_after(const struct wall_switch *s, const u64 *ip)
{
	return s->has_file ? (const void *)(ip + s->nr_kernel + s->nr_user) : NULL;
}

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
	put_chain(r->out, s, ip);
	put_raw(r->out, s, file_after(s, ip));
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
					.raw = raw_of(s) };
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

	wall_slots_add_turns(slots, t, letter_of(&s));
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
	raw = raw_of(s);
	f = file_after(s, ip);
	if (f)
		file = file_raw_of(f);
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
