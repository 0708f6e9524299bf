/* Live tasks: the state of all tasks, from /proc and from records that come after that. */
#include "side.h"
#include "test.h"
#include "../../util/event/event.h"
#include "../../util/event/record.h"
#include "../../util/record/live-tasks.h"
#include "../../util/record/synthesize.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#define TRAILER 40u	/* tid, time, id, cpu, identifier */
#define SECOND 1000000000ull

static const struct live_mark mark = { .cpus = 2 };

struct tasks_test {
	struct evset *set;
	struct live_tasks *t;
	u64 now_ns;
};

static void end(struct tasks_test *x)
{
	live_tasks_free(x->t);
	evset_free(x->set);
}

/* a record of the kernel, with its time */
static void put(struct strbuf *out, u32 type, u16 misc, u64 time, struct side_rec *r)
{
	u64 trailer[TRAILER / 8] = { 0, time, 7, 0, 7 };
	struct rec_header h = { type, misc, r->n + TRAILER };

	memcpy(r->b, &h, sizeof(h));
	strbuf_add(out, r->b, r->n);
	strbuf_add(out, trailer, sizeof(trailer));
}

static void task(struct strbuf *out, u32 type, u64 time, s32 pid, s32 ppid, s32 tid, s32 ptid)
{
	struct side_rec r = { .n = 8 };

	side_put(&r, (u32)pid, 4);
	side_put(&r, (u32)ppid, 4);
	side_put(&r, (u32)tid, 4);
	side_put(&r, (u32)ptid, 4);
	side_put(&r, time, 8);
	put(out, type, 0, time, &r);
}

static void comm(struct strbuf *out, u64 time, s32 pid, s32 tid, const char *name, bool exec)
{
	struct side_rec r = { .n = 8 };

	side_put(&r, (u32)pid, 4);
	side_put(&r, (u32)tid, 4);
	side_str(&r, name);
	put(out, REC_COMM, exec ? MISC_COMM_EXEC : 0, time, &r);
}

static void map(struct strbuf *out, u64 time, s32 pid, u64 addr, u64 len, const char *name)
{
	struct side_rec r = { .n = 8 };

	side_put(&r, (u32)pid, 4);
	side_put(&r, (u32)pid, 4);
	side_put(&r, addr, 8);
	side_put(&r, len, 8);
	side_put(&r, 0, 8);
	side_str(&r, name);
	put(out, REC_MMAP, CPUMODE_USER, time, &r);
}

static void live_map(struct tasks_test *x, u64 time, s32 pid, u64 addr, u64 len, const char *name)
{
	map(live_tasks_log(x->t), time, pid, addr, len, name);
}

static void live_comm(struct tasks_test *x, u64 time, s32 pid, s32 tid, const char *name, bool exec)
{
	comm(live_tasks_log(x->t), time, pid, tid, name, exec);
}

static void fork_of(struct tasks_test *x, u64 time, s32 pid, s32 tid, s32 ppid, s32 ptid)
{
	task(live_tasks_log(x->t), REC_FORK, time, pid, ppid, tid, ptid);
}

static void exit_of(struct tasks_test *x, u64 time, s32 pid, s32 tid)
{
	task(live_tasks_log(x->t), REC_EXIT, time, pid, 1, tid, 1);
}

static void read_process(void *ctx, s32 pid, struct strbuf *out)
{
	comm(out, 0, pid, pid, "again", false);
}

static void begin_with(struct tasks_test *x, bool sampled)
{
	struct live_opts o = { .maps = true, .sampled = sampled, .read_process = read_process };
	struct event *ev;

	*x = (struct tasks_test){ .set = evset_new(), .now_ns = SECOND };
	ev = evset_add(x->set, "cpu-clock");
	ev->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
	ev->attr.flags = ATTR_SAMPLE_ID_ALL;
	x->t = live_tasks_new(x->set, &o);
	REQUIRE(x->t);
}

static void begin(struct tasks_test *x)
{
	begin_with(x, false);
}

/* init, a server (10) with a thread (11), which has two maps, and its child (20) */
static void load(struct tasks_test *x)
{
	struct strbuf sb = STRBUF_INIT;

	task(&sb, REC_FORK, 0, 1, 0, 1, 0);
	comm(&sb, 0, 1, 1, "init", false);
	task(&sb, REC_FORK, 0, 10, 1, 10, 1);
	comm(&sb, 0, 10, 10, "server", false);
	map(&sb, 0, 10, 0x1000, 0x1000, "/bin/server");
	map(&sb, 0, 10, 0x5000, 0x1000, "/lib/a");
	task(&sb, REC_FORK, 0, 10, 10, 11, 10);
	comm(&sb, 0, 10, 11, "worker", false);
	task(&sb, REC_FORK, 0, 20, 10, 20, 10);
	comm(&sb, 0, 20, 20, "child", false);
	live_tasks_load(x->t, sb.buf, sb.len, &mark, x->now_ns);
	strbuf_release(&sb);
	for (u64 i = 1; i <= 4; i++)	/* what comes from now on must be of known tasks */
		live_tasks_pass(x->t, i);
}

static void add_line(struct strbuf *text, const struct rec *rec, u64 time)
{
	struct record_view v;

	REQUIRE(!record_decode(rec, &v));
	if (time)
		strbuf_addf(text, "at %lu ", time);
	if (rec->type == REC_COMM)
		strbuf_addf(text, "%d/%d %s\n", v.comm.pid, v.comm.tid, v.comm.comm);
	else if (rec->type == REC_MMAP)
		strbuf_addf(text, "%d %lx-%lx %s\n", v.mmap.pid, v.mmap.addr, v.mmap.addr + v.mmap.len,
			    v.mmap.filename);
	else
		strbuf_addf(text, "%s %d/%d of %d\n", rec->type == REC_FORK ? "fork" : "exit", v.task.pid,
			    v.task.tid, v.task.ppid);
}

/* records, a line each */
static const char *lines(const struct strbuf *out)
{
	static char ret[4096];
	struct strbuf text = STRBUF_INIT;
	struct rec_header *h;
	u64 time;

	for (size_t at = 0; at < out->len; at += h->size) {
		h = (void *)(out->buf + at);
		REQUIRE(h->size <= out->len - at);
		memcpy(&time, out->buf + at + h->size - TRAILER + 8, sizeof(time));
		add_line(&text, &(struct rec){ .p = (void *)h, .size = h->size, .type = h->type,
					       .misc = h->misc }, time);
	}
	snprintf(ret, sizeof(ret), "%s", strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

/* what the next file begins with */
static const char *state(struct tasks_test *x, const struct live_mark *m)
{
	struct strbuf out = STRBUF_INIT;
	const char *ret = live_tasks_put(x->t, &out, m, x->now_ns) ? lines(&out) : "read /proc";

	strbuf_release(&out);
	return ret;
}

/* what comes into the file after a pass with a sample of a process */
static const char *sample(struct tasks_test *x, u64 time, s32 pid)
{
	const char *ret;

	strbuf_add(live_tasks_pids(x->t), &pid, sizeof(pid));
	live_tasks_pass(x->t, time);
	ret = lines(live_tasks_out(x->t));
	strbuf_reset(live_tasks_out(x->t));
	return ret;
}

#define FIRST_TASKS "fork 1/1 of 0\n1/1 init\nfork 10/10 of 1\n10/10 server\n" \
	"10 1000-2000 /bin/server\n10 5000-6000 /lib/a\nfork 10/11 of 10\n10/11 worker\n"

TEST(a_state_is_read_once)
{
	struct tasks_test x;

	begin(&x);
	CHECK_STR(state(&x, &mark), "read /proc");
	load(&x);
	CHECK_STR(state(&x, &mark), FIRST_TASKS "fork 20/20 of 10\n20/20 child\n");
	end(&x);
}

TEST(records_change_the_state)
{
	struct tasks_test x;

	begin(&x);
	load(&x);
	/* a child that has the maps until it has a program of its own; another one ends; a map covers two */
	fork_of(&x, 100, 30, 30, 10, 11);
	fork_of(&x, 101, 31, 31, 10, 10);
	live_comm(&x, 102, 31, 31, "ls", true);
	live_map(&x, 103, 31, 0x8000, 0x1000, "/bin/ls");
	exit_of(&x, 104, 20, 20);
	live_map(&x, 105, 10, 0, 0x10000, "/lib/all");
	exit_of(&x, 106, 10, 11);
	live_tasks_pass(x.t, 200);
	live_tasks_pass(x.t, 300);
	CHECK_STR(state(&x, &mark), "fork 1/1 of 0\n1/1 init\nfork 10/10 of 1\n10/10 server\n"
		  "10 0-10000 /lib/all\n"
		  "fork 30/30 of 10\n30/30 worker\n30 1000-2000 /bin/server\n30 5000-6000 /lib/a\n"
		  "fork 31/31 of 10\n31/31 ls\n31 8000-9000 /bin/ls\n");
	/* its number is used again, by a task that is not the parent of the others */
	exit_of(&x, 400, 10, 10);
	fork_of(&x, 401, 10, 10, 1, 1);
	live_tasks_pass(x.t, 500);
	live_tasks_pass(x.t, 600);
	CHECK_STR(state(&x, &mark), "fork 1/1 of 0\n1/1 init\nfork 10/10 of 1\n10/10 init\n"
		  "fork 30/30 of 1\n30/30 worker\n30 1000-2000 /bin/server\n30 5000-6000 /lib/a\n"
		  "fork 31/31 of 1\n31/31 ls\n31 8000-9000 /bin/ls\n");
	end(&x);
}

TEST(a_late_record_finds_its_place)
{
	struct tasks_test x;

	begin(&x);
	load(&x);
	/* the ring with the fork was read before that with the end: another pass brings the fork */
	exit_of(&x, 150, 40, 40);
	live_tasks_pass(x.t, 150);
	CHECK_STR(state(&x, &mark), FIRST_TASKS "fork 20/20 of 10\n20/20 child\nat 150 exit 40/40 of 1\n");
	fork_of(&x, 140, 40, 40, 10, 10);
	live_tasks_pass(x.t, 160);
	live_tasks_pass(x.t, 170);
	CHECK_STR(state(&x, &mark), FIRST_TASKS "fork 20/20 of 10\n20/20 child\n");
	end(&x);
}

TEST(a_thread_that_executes_a_program_is_the_leader)
{
	struct tasks_test x;

	begin(&x);
	load(&x);
	exit_of(&x, 100, 10, 10);
	live_comm(&x, 101, 10, 10, "next", true);
	live_tasks_pass(x.t, 200);
	live_tasks_pass(x.t, 300);
	CHECK_STR(state(&x, &mark), "fork 1/1 of 0\n1/1 init\nfork 10/10 of 1\n10/10 next\n"
		  "fork 20/20 of 10\n20/20 child\n");
	end(&x);
}

static void check_read_again(struct tasks_test *x, const struct live_mark *m)
{
	CHECK_STR(state(x, m), "read /proc");
	load(x);
	x->now_ns += SECOND;
	CHECK_STR(state(x, &mark), FIRST_TASKS "fork 20/20 of 10\n20/20 child\n");
}

TEST(proc_is_read_again_when_records_may_be_missing)
{
	struct tasks_test x;

	begin(&x);
	load(&x);
	check_read_again(&x, &(struct live_mark){ .cpus = 2, .lost = 1 });
	check_read_again(&x, &(struct live_mark){ .cpus = 2, .stops = 1 });
	check_read_again(&x, &(struct live_mark){ .cpus = 3 });
	/* maps that are gone */
	x.now_ns += 1000 * SECOND;
	check_read_again(&x, &mark);
	/* a task that nobody told of; but not at once after /proc was read, which lacks what has ended */
	live_comm(&x, 100, 77, 77, "unknown", false);
	live_tasks_pass(x.t, 200);
	live_tasks_pass(x.t, 300);
	check_read_again(&x, &mark);
	end(&x);
}

TEST(a_file_gets_the_tasks_that_are_sampled)
{
	struct tasks_test x;

	begin_with(&x, true);
	load(&x);
	CHECK_STR(state(&x, &mark), "");
	CHECK_STR(sample(&x, 100, 20), "fork 20/20 of 10\n20/20 child\n");
	CHECK_STR(sample(&x, 110, 20), "");
	CHECK_STR(sample(&x, 120, 77), "");
	/* and those that records are of, as they were before these */
	live_comm(&x, 130, 1, 1, "renamed", false);
	CHECK_STR(sample(&x, 140, 20), "fork 1/1 of 0\n1/1 init\n");
	fork_of(&x, 150, 30, 30, 10, 10);
	CHECK_STR(sample(&x, 160, 30), "fork 10/10 of 1\n10/10 server\n10 1000-2000 /bin/server\n"
		  "10 5000-6000 /lib/a\nfork 10/11 of 10\n10/11 worker\n");
	CHECK_STR(sample(&x, 170, 30), "");
	/* the next file knows nothing yet; what has come in the last pass may be followed by what is late */
	exit_of(&x, 180, 30, 30);
	live_tasks_pass(x.t, 180);
	CHECK_STR(state(&x, &mark), "at 180 exit 30/30 of 1\n");
	CHECK_STR(sample(&x, 190, 1), "fork 30/30 of 10\n30/30 server\n30 1000-2000 /bin/server\n"
		  "30 5000-6000 /lib/a\nfork 1/1 of 0\n1/1 renamed\n");
	/* a sample of a task that has ended, as it gives back its memory; then nobody knows it */
	exit_of(&x, 200, 20, 20);
	CHECK_STR(sample(&x, 201, 20), "fork 20/20 of 10\n20/20 child\n");
	live_tasks_pass(x.t, 202);
	CHECK_STR(state(&x, &mark), "");
	CHECK_STR(sample(&x, 203, 20), "fork 20/20 of 10\n20/20 child\n");
	for (u64 i = 0; i < 5; i++)
		live_tasks_pass(x.t, 204 + i);
	CHECK_STR(state(&x, &mark), "");
	CHECK_STR(sample(&x, 210, 20), "");
	CHECK_STR(sample(&x, 211, 1), "fork 1/1 of 0\n1/1 renamed\n");
	end(&x);
}

TEST(events_without_times_have_no_state)
{
	struct evset *set = evset_new();

	evset_add(set, "cpu-clock")->attr.sample_type = PERF_SAMPLE_TID;
	CHECK(!live_tasks_new(set, &(struct live_opts){ .maps = true }));
	evset_free(set);
}
