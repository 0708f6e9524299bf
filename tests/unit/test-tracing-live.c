/* Handlers of tracepoints on ring buffers: the order of time, names by time, losses. */
#include "fake-root.h"
#include "test.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include "../../util/trace/trace-private.h"
#include "../../util/tracing/live.h"

#define RING_BYTES 65536u
#define TRAILER_SLOTS 4		/* TID, TIME, CPU, IDENTIFIER after records that are not samples */

struct live_ring {
	struct perf_event_mmap_page page;
	u8 data[RING_BYTES];
};

struct seen {
	u64 time[16], pid[16];
	char comm[16][16];
	u32 nr, stop_at;
	bool stop;
};

static void put(struct live_ring *r, u32 type, const void *body, u32 len)
{
	struct rec_header h = { .type = type, .size = sizeof(h) + len };

	memcpy(r->data + r->page.data_head, &h, sizeof(h));
	memcpy(r->data + r->page.data_head + sizeof(h), body, len);
	r->page.data_head += h.size;
}

/* a sample of the event "demo:tick" with one field, pid */
static void put_tick(struct live_ring *r, u32 tid, u64 time, u32 pid)
{
	struct {
		u64 id;
		u32 pid, tid;
		u64 time;
		u32 cpu, res, raw_size;
		u8 common[8];
		u32 field, pad[2];	/* records end at multiples of 8 bytes */
	} __attribute__((packed)) s = { .id = 7, .pid = tid, .tid = tid, .time = time, .raw_size = 20,
					.field = pid };

	put(r, PERF_RECORD_SAMPLE, &s, sizeof(s));
}

static void put_comm(struct live_ring *r, u32 tid, u64 time, const char *comm)
{
	struct {
		u32 pid, tid;
		char comm[8];
		u32 id_pid, id_tid;
		u64 time;
		u32 cpu, res;
		u64 id;
	} __attribute__((packed)) s = { .pid = tid, .tid = tid, .id_pid = tid, .id_tid = tid, .time = time,
					.id = 7 };

	memcpy(s.comm, comm, strlen(comm));
	put(r, PERF_RECORD_COMM, &s, sizeof(s));
}

static void on_tick(void *ctx, const struct tracing_sample *ts)
{
	struct seen *s = ctx;

	if (s->nr == ARRAY_SIZE(s->time))
		return;
	s->time[s->nr] = ts->sample->time;
	s->pid[s->nr] = ts->value[0];
	snprintf(s->comm[s->nr], sizeof(s->comm[0]), "%s",
		 machine_comm(ts->session->machine, tracing_ctx(ts)));
	s->stop |= ++s->nr == s->stop_at;
}

static const struct tracing_field tick_fields[] = { { .name = "pid" }, { .name = NULL } };
static const struct tracing_row tick_rows[] = { { "demo:tick", tick_fields, on_tick, false } };

struct demo {
	struct live_ring *ring[2];
	struct rings rings;
	struct evset *set;
	struct target target;
	struct seen seen;
	struct tracing_opts opts;
	struct tracing_live *live;
};

static void demo_begin(struct demo *d)
{
	static const u64 id = 7;
	struct err err = ERR_INIT;
	struct event *ev;

	memset(d, 0, sizeof(*d));
	fake_tracepoint("demo", "tick", "55");
	d->set = evset_new();
	ev = evset_add(d->set, "demo:tick");
	ev->tp_system = "demo";
	ev->tp_name = "tick";
	ev->attr.type = PERF_TYPE_TRACEPOINT;
	ev->attr.config = 55;
	ev->attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_RAW;
	ev->attr.flags = ATTR_SAMPLE_ID_ALL;
	evset_set_ids(d->set, ev, &id, 1);
	for (u32 i = 0; i < 2; i++) {
		d->ring[i] = xcalloc(1, sizeof(*d->ring[i]));
		vec_push(&d->rings.r, (struct ring){ .page = &d->ring[i]->page, .data = d->ring[i]->data,
						     .size = RING_BYTES, .fd = -1 });
	}
	d->opts = (struct tracing_opts){ .row = tick_rows, .nr_rows = 1, .record = "perf demo record",
					 .ctx = &d->seen, .stop = &d->seen.stop };
	d->target.kind = TARGET_TASKS;
	CHECK_INT(tracing_live_open(&d->live, &(struct tracing_live_opts){ .set = d->set,
				    .target = &d->target, .sym = SYM_OPTS_INIT }, &d->opts, &err), 0);
}

static void demo_end(struct demo *d)
{
	tracing_live_close(d->live);
	vec_release(&d->rings.r);
	evset_free(d->set);
	free(d->ring[0]);
	free(d->ring[1]);
}

TEST(tracing_live_order)
{
	struct demo d;

	demo_begin(&d);
	put_tick(d.ring[0], 1, 100, 11);
	put_tick(d.ring[0], 1, 300, 13);
	put_tick(d.ring[1], 2, 200, 12);
	tracing_live_read(d.live, &d.rings);
	CHECK_INT(d.seen.nr, 0);	/* older ones may still come */
	/* older than what is there, and within its ring in the wrong order */
	put_tick(d.ring[1], 2, 260, 26);
	put_tick(d.ring[1], 2, 250, 25);
	put_tick(d.ring[0], 1, 400, 14);
	tracing_live_read(d.live, &d.rings);
	CHECK_INT(d.seen.nr, 5);
	tracing_live_end(d.live, &d.rings);
	CHECK_INT(d.seen.nr, 6);
	for (u32 i = 1; i < d.seen.nr; i++)
		CHECK(d.seen.time[i] > d.seen.time[i - 1]);
	CHECK_INT(d.seen.pid[2], 25);
	CHECK_INT(d.seen.pid[3], 26);
	CHECK_INT(d.seen.pid[5], 14);
	CHECK_INT(tracing_live_session(d.live)->nr_samples, 6);
	demo_end(&d);
}

TEST(tracing_live_gives_room_back)
{
	size_t burst;
	struct demo d;

	demo_begin(&d);
	for (u32 i = 0; i < 700; i++)
		put_tick(d.ring[0], 1, 100 + i, 1);
	tracing_live_read(d.live, &d.rings);
	burst = tracing_live_memory(d.live);
	for (u32 i = 0; i < 1000; i++)
		tracing_live_read(d.live, &d.rings);
	CHECK(burst > 50000);
	CHECK(tracing_live_memory(d.live) < 30000);
	tracing_live_end(d.live, &d.rings);
	CHECK_INT(tracing_live_session(d.live)->nr_samples, 700);
	demo_end(&d);
}

TEST(tracing_live_names_by_time)
{
	struct demo d;

	demo_begin(&d);
	put_comm(d.ring[0], 1, 50, "first");
	put_tick(d.ring[0], 1, 100, 1);
	put_tick(d.ring[1], 1, 300, 1);
	tracing_live_read(d.live, &d.rings);
	put_comm(d.ring[0], 1, 200, "second");
	put_comm(d.ring[0], 1, 400, "third");
	tracing_live_read(d.live, &d.rings);
	CHECK_INT(d.seen.nr, 2);
	CHECK_STR(d.seen.comm[0], "first");
	CHECK_STR(d.seen.comm[1], "second");
	put_tick(d.ring[1], 1, 500, 1);
	tracing_live_end(d.live, &d.rings);
	CHECK_STR(d.seen.comm[2], "third");
	demo_end(&d);
}

static void put_exit(struct live_ring *r, u32 tid, u64 time)
{
	const struct {
		u32 pid, ppid, tid, ptid;
		u64 time;
		u32 id_pid, id_tid;
		u64 id_time;
		u32 cpu, res;
		u64 id;
	} s = { .pid = tid, .tid = tid, .time = time, .id_pid = tid, .id_tid = tid, .id_time = time,
		.id = 7 };

	put(r, PERF_RECORD_EXIT, &s, sizeof(s));
}

/* perf trace on a system where processes come and go */
TEST(tracing_live_trace_forgets_ended)
{
	const struct trace_opts o = { .lines = true }, summary = { .summary = true },
				total = { .summary = true, .mode = TRACE_TOTAL };
	struct err err = ERR_INIT;
	struct trace t;
	struct demo d;

	demo_begin(&d);
	CHECK_INT(trace_init(&t, &o, tracing_live_session(d.live), &err), 0);
	put_comm(d.ring[0], 500, 50, "lives");
	put_comm(d.ring[0], 501, 60, "ends");
	put_exit(d.ring[0], 501, 70);
	put_tick(d.ring[0], 500, 100, 1);
	tracing_live_end(d.live, &d.rings);
	for (s32 tid = 1; tid <= 1000; tid++)
		trace_thread_counted(&t, tid, tid)->label = arena_strdup(&t.labels, "gone/1 ");
	CHECK(!trace_forgets(&t));
	for (s32 tid = 1001; tid <= 3000; tid++)
		trace_thread_counted(&t, tid, tid);
	CHECK(trace_forgets(&t));
	t.o = &summary;
	CHECK(!trace_forgets(&t));	/* its rows are those threads */
	t.o = &total;
	CHECK(trace_forgets(&t));
	t.o = &o;
	trace_thread_counted(&t, 500, 500)->nr_events = 5;
	t.current = trace_thread_counted(&t, 700, 700);
	trace_forget_ended(&t);
	CHECK_INT(t.thread.nr, 2);
	CHECK_INT(trace_thread_counted(&t, 500, 500)->nr_events, 5);
	CHECK(trace_thread_counted(&t, 700, 700) == t.current);
	CHECK_STR(t.current->label, "gone/1 ");
	CHECK_INT(t.thread.nr, 2);
	CHECK(!trace_forgets(&t));
	trace_release(&t);
	demo_end(&d);
}

/* a descriptor of each of many processes, of which one lives */
TEST(tracing_live_trace_forgets_descriptors)
{
	const struct trace_opts o = { .lines = true, .live = true };
	const struct syscall_row *row = syscall_by_name("openat");
	static const char path[] = "/a/file";
	struct err err = ERR_INIT;
	struct trace t;
	struct demo d;

	demo_begin(&d);
	CHECK_INT(trace_init(&t, &o, tracing_live_session(d.live), &err), 0);
	put_comm(d.ring[0], 500, 50, "lives");
	put_comm(d.ring[0], 501, 60, "ends");
	put_exit(d.ring[0], 501, 70);
	tracing_live_end(d.live, &d.rings);
	t.now = 1000000000;
	for (s32 pid = 500; pid < 1500; pid++) {
		const struct syscall_call call = { .pid = pid, .tid = pid, .ret = 3,
						   .data[1] = { path, sizeof(path) } };

		trace_fds_follow(&t, &call, row, true);
	}
	CHECK_INT(trace_fds_nr(t.fds), 1000);
	trace_forget_ended(&t);
	CHECK_INT(trace_fds_nr(t.fds), 1);
	/* closed: unknown, and then so old that /proc would be asked anyway */
	trace_fds_follow(&t, &(struct syscall_call){ .pid = 500, .tid = 500, .arg[0] = 3 },
			 syscall_by_name("close"), true);
	trace_forget_ended(&t);
	CHECK_INT(trace_fds_nr(t.fds), 1);
	t.now += 1000000000;
	trace_forget_ended(&t);
	CHECK_INT(trace_fds_nr(t.fds), 0);
	trace_release(&t);
	demo_end(&d);
}

TEST(tracing_live_stop_and_loss)
{
	const u64 lost[2 + TRAILER_SLOTS] = { 7, 42, 1ull << 32 | 1, 150, 0, 7 };
	struct demo d;

	demo_begin(&d);
	d.seen.stop_at = 2;
	for (u32 i = 1; i <= 4; i++)
		put_tick(d.ring[i % 2], 1, 100 * i, i);
	put(d.ring[0], PERF_RECORD_LOST, lost, sizeof(lost));
	tracing_live_end(d.live, &d.rings);
	CHECK_INT(d.seen.nr, 2);
	CHECK_INT(tracing_nr_lost(tracing_live_session(d.live)), 42);
	CHECK_INT(tracing_live_counts(d.live)->lost, 42);
	demo_end(&d);
}
