/* Wall marks: which threads of a fake /proc sleep, where, and what for. */
#include "fake-root.h"
#include "test.h"

#include <linux/perf_event.h>
#include <string.h>
#include "../../util/base/strbuf.h"
#include "../../util/record/wall-events.h"
#include "../../util/record/wall-marks.h"

struct marks_test {
	struct wall_marks m;
	struct evset *set;
	struct open_fds f;
	struct target t;
	struct strbuf out;
};

static int fd[] = { -1 }, cpu[] = { -1 };
static u64 id[] = { 77 };
static s32 tid[] = { 7 };

static void task(const char *which, const char *stat, const char *stack, const char *call)
{
	struct strbuf path = STRBUF_INIT;
	const char *const text[][2] = { { "stat", stat }, { "stack", stack }, { "syscall", call } };

	for (size_t i = 0; i < ARRAY_SIZE(text); i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "/proc/7/task/%s/%s", which, text[i][0]);
		fake_file(path.buf, text[i][1]);
	}
	strbuf_release(&path);
}

static void begin(struct marks_test *x)
{
	*x = (struct marks_test){
		.set = evset_new(), .t.kind = TARGET_TASKS,
		.f = { .nr_events = 1, .nr_cpus = 1, .nr_threads = 1,
		       .fd = fd, .id = id, .cpu = cpu, .tid = tid },
	};
	wall_add_dummy(x->set, false);
	/* their own clock, so that no event is opened for the time */
	evset_at(x->set, 0)->attr.flags |= ATTR_USE_CLOCKID;
	evset_at(x->set, 0)->attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID;
	vec_push(&x->t.tids, 7);
	vec_push(&x->t.pids, 7);
	fake_file("/proc/kallsyms", "1000 T _text\n2000 t do_wait\n3000 t do_wait\n4000 t io\t[disk]\n");
	fake_file("/proc/7/stat", "7 (a) b) S 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 3 0");
	task("7", "7 (a) b) S 1 7", "[<0>] do_wait+0x10/0x20\n[<0>] unknown+0x1/0x2\n",
	     "61 0xffffffff00000001 0x0 0x0 0x0 0x0 0x0 0x7ffd 0x5555");
	task("8", "8 (runs) R 1 7", "", "running");
	task("9", "9 (c) D 1 7", "[<0>] io+0x8/0x20 [disk]\nnonsense\n", "-1 0x7ffd 0x6666");
}

static void end(struct marks_test *x)
{
	wall_marks_release(&x->m);
	evset_free(x->set);
	target_release(&x->t);
	strbuf_release(&x->out);
}

static const u8 *at(const struct marks_test *x, size_t pos)
{
	REQUIRE(pos < x->out.len);
	return (const u8 *)x->out.buf + pos;
}

static u64 word(const struct marks_test *x, size_t pos)
{
	u64 v;

	memcpy(&v, at(x, pos), sizeof(v));
	return v;
}

static void check_pair(const struct marks_test *x, size_t pos, u32 first, u32 second)
{
	u32 v[2];

	memcpy(v, at(x, pos), sizeof(v));
	CHECK_U64(v[0], first);
	CHECK_U64(v[1], second);
}

TEST(wall_marks_of_threads_that_sleep)
{
	struct marks_test x;
	struct rec_header h;

	begin(&x);
	wall_marks_configure(x.set);
	CHECK(wall_marks_is_event(evset_at(x.set, 0)));
	wall_marks_put(&x.m, x.set, &x.f, &x.t, false, &x.out);
	memcpy(&h, at(&x, 0), sizeof(h));
	CHECK_INT(h.size, 80);
	CHECK_INT(h.misc, PERF_RECORD_MISC_KERNEL);
	CHECK_U64(word(&x, 8), 77);
	check_pair(&x, 16, 7, 7);
	CHECK_U64(word(&x, 24), 4);
	CHECK_U64(word(&x, 32), PERF_CONTEXT_KERNEL);
	CHECK_U64(word(&x, 40), 0x2010);
	CHECK_U64(word(&x, 48), PERF_CONTEXT_USER);
	CHECK_U64(word(&x, 56), 0x5555);
	check_pair(&x, 64, 12, 'S');
	check_pair(&x, 72, 1, 0xffffffff);	/* low half first */
	/* 8 runs; 9 is in no system call */
	memcpy(&h, at(&x, 80), sizeof(h));
	check_pair(&x, 96, 7, 9);
	CHECK_U64(word(&x, 120), 0x4008);
	check_pair(&x, 144, 12, 'D');
	check_pair(&x, 152, 0, 0);
	CHECK_U64(x.out.len, 160);
	end(&x);
}

TEST(wall_marks_of_named_threads_alone)
{
	struct marks_test x;

	begin(&x);
	wall_marks_configure(x.set);
	x.t.by_tid = true;
	x.t.tids.v[0] = 9;
	wall_marks_put(&x.m, x.set, &x.f, &x.t, true, &x.out);
	check_pair(&x, 16, 7, 9);
	CHECK_U64(x.out.len, 80);
	end(&x);
}

/* the kernel would write samples of it otherwise than they are written here */
TEST(wall_marks_need_fields_that_are_known)
{
	struct marks_test x;

	begin(&x);
	evset_at(x.set, 0)->attr.sample_type |= PERF_SAMPLE_ADDR;
	wall_marks_configure(x.set);
	CHECK(!wall_marks_is_event(evset_at(x.set, 0)));
	wall_marks_put(&x.m, x.set, &x.f, &x.t, false, &x.out);
	CHECK_U64(x.out.len, 0);
	end(&x);
}
