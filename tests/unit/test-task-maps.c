/* Task maps: what maps of several processes have in common is kept once, and freed with the last of them. */
#include "test.h"
#include "../../util/event/abi.h"
#include "../../util/event/record.h"
#include "../../util/record/task-maps.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#define TRAILER 8u

/* a MMAP record without trailer */
struct map_rec {
	struct rec_header h;
	s32 pid, tid;
	u64 addr, len, pgoff;
	char name[16];
};

static struct task_maps *add(struct map_bodies *b, struct task_maps *m, s32 pid, u64 addr, u64 len,
			     const char *name)
{
	struct map_rec r = { { REC_MMAP, CPUMODE_USER, sizeof(r) }, pid, pid, addr, len, 0, "" };

	snprintf(r.name, sizeof(r.name), "%s", name);
	return task_maps_add(b, m, &r, sizeof(r));
}

/* "7 1000+20 a|7 2000+20 b|" */
static const char *text(const struct task_maps *m, s32 pid)
{
	static char ret[256];
	struct strbuf out = STRBUF_INIT;
	size_t len = 0;

	ret[0] = '\0';
	task_maps_put(m, pid, TRAILER, &out);
	for (size_t at = 0; at < out.len; at += sizeof(struct map_rec) + TRAILER) {
		struct map_rec r;
		u64 trailer;

		memcpy(&r, out.buf + at, sizeof(r));
		memcpy(&trailer, out.buf + at + sizeof(r), sizeof(trailer));
		CHECK(r.h.type == REC_MMAP && r.h.size == sizeof(r) + TRAILER && !trailer && r.tid == r.pid);
		len += snprintf(ret + len, sizeof(ret) - len, "%d %lx+%lx %s|", r.pid, r.addr, r.len, r.name);
	}
	strbuf_release(&out);
	return ret;
}

TEST(maps_of_processes_share_their_bodies)
{
	struct map_bodies b = { 0 };
	struct task_maps *m[1000] = { NULL };

	for (u32 i = 0; i < ARRAY_SIZE(m); i++) {
		m[i] = add(&b, NULL, i + 1, 0x1000 * i, 0x20, "libc");
		m[i] = add(&b, m[i], i + 1, 0x100000000 + 0x1000 * i, 0x20, "libm");
	}
	CHECK_INT(b.nr, 2);
	CHECK_STR(text(m[0], 1), "1 0+20 libc|1 100000000+20 libm|");
	CHECK_STR(text(m[999], 5), "5 3e7000+20 libc|5 1003e7000+20 libm|");
	CHECK_INT(task_maps_bytes(m[3]), 2 * sizeof(struct map_rec));
	for (u32 i = 0; i < ARRAY_SIZE(m); i++)
		task_maps_drop(&b, m[i]);
	CHECK_INT(b.nr, 0);
	map_bodies_release(&b);
}

TEST(maps_of_processes_that_come_and_go_are_freed)
{
	struct map_bodies b = { 0 };
	char name[16];

	for (u32 i = 0; i < 10000; i++) {
		snprintf(name, sizeof(name), "jit-%u", i);
		task_maps_drop(&b, add(&b, NULL, i, 0x1000, 0x20, name));
	}
	CHECK_INT(b.nr, 0);
	CHECK(b.nr_buckets < 100);
	map_bodies_release(&b);
}

TEST(a_forked_process_gets_maps_of_its_own)
{
	struct map_bodies b = { 0 };
	struct task_maps *parent = add(&b, NULL, 1, 0x1000, 0x20, "a"), *child;

	parent = add(&b, parent, 1, 0x2000, 0x20, "b");
	child = task_maps_share(parent);
	CHECK(child == parent);
	/* covers a */
	child = add(&b, child, 2, 0x0, 0x1800, "c");
	CHECK_STR(text(parent, 1), "1 1000+20 a|1 2000+20 b|");
	CHECK_STR(text(child, 2), "2 2000+20 b|2 0+1800 c|");
	task_maps_drop(&b, parent);
	CHECK_INT(b.nr, 2);
	task_maps_drop(&b, child);
	CHECK_INT(b.nr, 0);
	CHECK_INT(task_maps_bytes(NULL), 0);
	CHECK_STR(text(NULL, 1), "");
	map_bodies_release(&b);
}
