/* Kernel-calls: system calls recorded by BPF programs of this kernel. */
#include "fake-root.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../../util/event/abi.h"
#include "../../util/kernel/open.h"
#include "../../util/kernel/tracefs.h"
#include "../../util/trace/kernel-calls.h"

TEST(records_of_calls_are_checked)
{
	struct { struct kernel_call head; char data[8]; } r = { .head.len = { 0, 6, 2 } }, out;
	struct kernel_call_data data;

	CHECK(kernel_call_decode(&r, sizeof(r), &out.head, &data));
	CHECK(!data.arg[0]);
	CHECK(data.arg[1] == (const void *)r.data);
	CHECK(data.arg[2] == (const void *)(r.data + 6));
	CHECK(!kernel_call_decode(&r, sizeof(r) - 1, &out.head, &data));
	CHECK(!kernel_call_decode(&r, sizeof(r.head) - 1, &out.head, &data));
}

TEST(parts_of_records_are_checked)
{
	struct { struct kernel_call head; u64 arg; struct kernel_call_part part; u64 bytes; } r = {
		.head = { .len = { 0, 8 }, .nr_parts = 1 }, .part = { .addr = 0x1000, .len = 8 } };
	struct kernel_call_data data;
	struct kernel_call head;

	CHECK(kernel_call_decode(&r, sizeof(r), &head, &data));
	CHECK_INT(data.nr_parts, 1);
	CHECK_INT(data.part[0].addr, 0x1000);
	CHECK(data.part[0].p == (const void *)&r.bytes);
	CHECK_INT(data.part[0].len, 8);
	CHECK(!kernel_call_decode(&r, sizeof(r) - 1, &head, &data));
	CHECK(!kernel_call_decode(&r, sizeof(r) - 9, &head, &data));
	r.part.len = UINT32_MAX;
	CHECK(!kernel_call_decode(&r, sizeof(r), &head, &data));
	r.part.len = 0;
	r.head.nr_parts = KERNEL_CALLS_PARTS_MAX + 1;
	CHECK(!kernel_call_decode(&r, sizeof(r), &head, &data));
}

TEST(offsets_of_fields_are_checked)
{
	static const char path[] = "/sys/kernel/tracing/events/demo/fork/format";
	u32 offset = 1;

	fake_tracepoint("demo", "fork", "1");
	fake_file(path, "name: fork\n\tfield:pid_t child_pid;\toffset:44;\tsize:4;\tsigned:1;\n"
		  "\tfield:pid_t early;\toffset:4;\n\tfield:pid_t word;\toffset:4x4;\n"
		  "\tfield:pid_t large;\toffset:99999999999;\n\tfield:pid_t open;\toffset:12");
	CHECK_INT(tracefs_field_offset("demo", "fork", "child_pid", &offset), 0);
	CHECK_INT(offset, 44);
	CHECK_INT(tracefs_field_offset("demo", "fork", "early", &offset), -EBADMSG);
	CHECK_INT(tracefs_field_offset("demo", "fork", "word", &offset), -EBADMSG);
	CHECK_INT(tracefs_field_offset("demo", "fork", "large", &offset), -EBADMSG);
	CHECK_INT(tracefs_field_offset("demo", "fork", "open", &offset), -EBADMSG);
	CHECK_INT(tracefs_field_offset("demo", "fork", "gone", &offset), -ENOENT);
	CHECK_INT(tracefs_field_offset("demo", "gone", "child_pid", &offset), -ENOENT);
	CHECK_INT(offset, 44);
}

#define PAGES 64
struct output {
	int fd[64];
	void *ring[64];
};

/* the records that CPU wrote, one after the other; returns how many were of this number */
static u32 find_calls(const struct output *o, u32 nr, struct kernel_call *ret, char *ret_text)
{
	u32 found = 0;

	for (u32 cpu = 0; cpu < 64; cpu++) {
		const struct perf_event_mmap_page *page = o->ring[cpu];
		const u8 *base = (const u8 *)page + 4096;

		for (u64 at = 0; page && at < page->data_head; at += *(const u16 *)(base + at + 6)) {
			const u8 *raw = base + at + 8 + 4;
			struct kernel_call_data data;
			struct kernel_call call;

			if (*(const u32 *)(base + at) != PERF_RECORD_SAMPLE)
				continue;
			if (!kernel_call_decode(raw, *(const u32 *)(raw - 4), &call, &data) || call.nr != nr)
				continue;
			*ret = call;
			for (u32 i = 0; i < KERNEL_CALLS_ARGS; i++)
				if (data.arg[i])
					snprintf(ret_text, 64, "%.*s", call.len[i],
						 (const char *)data.arg[i]);
			found++;
		}
	}
	return found;
}

static bool open_output(struct output *o, struct kernel_calls *k, u32 nr_cpus)
{
	struct pe_attr attr = { .size = PE_ATTR_SIZE_MIN, .type = PERF_TYPE_SOFTWARE,
				.config = PERF_COUNT_SW_BPF_OUTPUT, .sample_type = PERF_SAMPLE_RAW,
				.sample_period = 1, .wakeup_events = 1 };

	for (u32 cpu = 0; cpu < nr_cpus; cpu++) {
		o->fd[cpu] = open_raw(&attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
		if (o->fd[cpu] < 0)
			return false;
		o->ring[cpu] = mmap(NULL, (PAGES + 1) * 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
				    o->fd[cpu], 0);
		if (o->ring[cpu] == MAP_FAILED || kernel_calls_set_output(k, cpu, o->fd[cpu]))
			return false;
	}
	return true;
}

/* runs fn in a child that waits until it is traced */
static s32 run_traced(struct kernel_calls *k, void (*fn)(void))
{
	struct err err = ERR_INIT;
	int go[2];
	s32 pid;
	char c;

	REQUIRE(!pipe(go));
	pid = fork();
	if (!pid) {
		if (read(go[0], &c, 1) == 1)
			fn();
		_exit(0);
	}
	REQUIRE(!watched_add(&k->set, pid));
	if (kernel_calls_attach(k, &err))
		SKIP("%s", err.msg);
	REQUIRE(write(go[1], "x", 1) == 1);
	waitpid(pid, NULL, 0);
	return pid;
}

static void make_calls(void)
{
	char buf[4];
	int fd = open("/dev/zero", O_RDONLY);

	if (!fork()) {
		close(77);
		execl("/nonexistent/program", "x", NULL);
		_exit(0);
	}
	wait(NULL);
	if (pread(fd, buf, 3, 0) != 3 || !access("/nonexistent", F_OK))
		_exit(1);
	getppid();
}

static struct kernel_call_rule rule[2 * KERNEL_CALLS_NR_MAX];

static void set_rules(void)
{
	static const u16 strings[][2] = { { SYS_openat, 1 }, { SYS_execve, 0 }, { SYS_faccessat, 1 } };

	rule[SYS_close].wanted = rule[SYS_pread64].wanted = rule[SYS_exit_group].wanted = 1;
	rule[SYS_exit_group].flags = KERNEL_CALL_NO_RETURN;
	rule[SYS_execve].flags = KERNEL_CALL_REPLACES_MEMORY;
	for (u32 i = 0; i < ARRAY_SIZE(strings); i++) {
		rule[strings[i][0]].wanted = 1;
		rule[strings[i][0]].arg[strings[i][1]] = (struct kernel_call_copy){
			.count = KERNEL_CALL_STRING, .max = 64 };
	}
#ifdef SYS_access
	rule[SYS_access] = rule[SYS_execve];
	rule[SYS_access].flags = 0;
#endif
	rule[SYS_pread64].arg[1] = (struct kernel_call_copy){ .count = KERNEL_CALL_BY_RESULT, .by_arg = 2,
							    .size = 1, .max = 32, .on_success = 1 };
}

TEST(calls_are_paired_and_what_they_point_to_is_read)
{
	u32 nr_cpus = MIN((u32)sysconf(_SC_NPROCESSORS_CONF), 64u);
	const struct kernel_calls_opts o = { .rule = rule, .tasks.inherit = true, .nr_cpus = nr_cpus };
	static struct output out;
	struct kernel_calls k;
	struct kernel_call call;
	struct err err = ERR_INIT;
	char text[64] = "";
	s32 pid;

	set_rules();
	if (kernel_calls_open(&k, &o, &err))
		SKIP("%s", err.msg);
	if (!open_output(&out, &k, nr_cpus))
		SKIP("BPF output cannot be opened");
	pid = run_traced(&k, make_calls);
	kernel_calls_detach(&k);
	CHECK_INT(find_calls(&out, SYS_openat, &call, text), 1);
	CHECK_STR(text, "/dev/zero");
	CHECK_U64(call.pid, pid);
	CHECK(call.ret >= 0);
	CHECK_INT(find_calls(&out, SYS_pread64, &call, text), 1);
	CHECK_U64(call.len[1], 3);
	/* of the child that it created, which fails */
	CHECK_INT(find_calls(&out, SYS_execve, &call, text), 2);
	CHECK_STR(text, "/nonexistent/program");
	CHECK_INT(call.ret, -ENOENT);
	CHECK(call.pid != (u32)pid);
	CHECK_INT(find_calls(&out, SYS_close, &call, text), 1);
	CHECK_U64(call.arg[0], 77);
	CHECK_INT(call.ret, -EBADF);
	CHECK_INT(find_calls(&out, SYS_exit_group, &call, text), 2);
	CHECK(call.flags & KERNEL_CALL_IS_OPEN);
	/* these are not asked for */
	CHECK_INT(find_calls(&out, SYS_getppid, &call, text), 0);
	CHECK_U64(kernel_calls_missed(&k), 0);
	kernel_calls_close(&k);
}

struct seen_calls {
	u32 nr[KERNEL_CALLS_NR_MAX], records;
	u64 last_ns[64];
	char opened[64];
	bool in_order;
};

static void see(void *ctx, u32 cpu, const struct kernel_call *k, u32 len)
{
	struct kernel_call_data data;
	struct kernel_call call;
	struct seen_calls *s = ctx;

	if (!kernel_call_decode(k, len, &call, &data))
		return;
	s->records++;
	/* others are those of the test itself */
	s->nr[call.nr] += call.nr != SYS_close || call.arg[0] == 77;
	s->in_order &= call.end_ns >= s->last_ns[cpu] && call.end_ns >= call.enter_ns;
	s->last_ns[cpu] = call.end_ns;
	if (call.nr == SYS_openat && data.arg[1])
		snprintf(s->opened, sizeof(s->opened), "%.*s", call.len[1], (const char *)data.arg[1]);
}

static void close_often(void)
{
	for (int i = 0; i < 2000; i++)
		close(77);
}

/* fn's calls through rings of that size; returns how many were lost */
static u64 read_rings(u64 bytes, void (*fn)(void), struct seen_calls *s)
{
	u32 nr_cpus = MIN((u32)sysconf(_SC_NPROCESSORS_CONF), 64u);
	const struct kernel_calls_opts o = { .rule = rule, .tasks.inherit = true, .nr_cpus = nr_cpus,
					     .ring_bytes = bytes };
	struct err err = ERR_INIT;
	struct kernel_calls k;
	u64 lost;

	*s = (struct seen_calls){ .in_order = true };
	set_rules();
	if (kernel_calls_open(&k, &o, &err))
		SKIP("%s", err.msg);
	if (!k.ring.nr)
		SKIP("the kernel has no ring buffers for BPF programs");
	for (u32 cpu = 0; cpu < nr_cpus; cpu++)
		REQUIRE(!kernel_calls_add_ring(&k, cpu, &err));
	run_traced(&k, fn);
	kernel_calls_detach(&k);
	kernel_calls_read(&k, see, s);
	lost = kernel_calls_lost(&k);
	kernel_calls_close(&k);
	return lost;
}

/* programs do not write in place to rings of the smaller size */
TEST(records_of_calls_come_through_rings)
{
	static const u64 sizes[] = { 1 << 20, 4096 };

	for (u32 i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct seen_calls s;

		CHECK_U64(read_rings(sizes[i], make_calls, &s), 0);
		CHECK_INT(s.nr[SYS_openat], 1);
		CHECK_INT(s.nr[SYS_execve], 2);
		CHECK_INT(s.nr[SYS_close], 1);
		CHECK_INT(s.nr[SYS_getppid], 0);
		CHECK_STR(s.opened, "/dev/zero");
		CHECK(s.in_order);
	}
}

TEST(what_finds_no_room_in_a_ring_is_counted)
{
	static const u64 sizes[] = { 64 << 10, 4096 };

	for (u32 i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct seen_calls s;
		u64 lost = read_rings(sizes[i], close_often, &s);

		CHECK(lost > 1000);
		/* with that of exit */
		CHECK_U64(s.records + lost, 2001);
	}
}

/* the rings are read while they are written, often enough: around one twenty times */
TEST(rings_are_written_around_their_end)
{
	u32 nr_cpus = MIN((u32)sysconf(_SC_NPROCESSORS_CONF), 64u);
	const struct kernel_calls_opts o = { .rule = rule, .nr_cpus = nr_cpus, .ring_bytes = 64 << 10 };
	struct seen_calls s = { .in_order = true };
	struct err err = ERR_INIT;
	struct kernel_calls k;

	rule[SYS_close].wanted = 1;
	if (kernel_calls_open(&k, &o, &err))
		SKIP("%s", err.msg);
	if (!k.ring.nr)
		SKIP("the kernel has no ring buffers for BPF programs");
	for (u32 cpu = 0; cpu < nr_cpus; cpu++)
		REQUIRE(!kernel_calls_add_ring(&k, cpu, &err));
	REQUIRE(!watched_add(&k.set, gettid()));
	if (kernel_calls_attach(&k, &err))
		SKIP("%s", err.msg);
	for (u32 i = 0; i < 20000; i++) {
		close(77);
		if (i % 100 == 0)
			kernel_calls_read(&k, see, &s);
	}
	kernel_calls_detach(&k);
	kernel_calls_read(&k, see, &s);
	CHECK_INT(s.nr[SYS_close], 20000);
	CHECK(s.in_order);
	CHECK_U64(kernel_calls_lost(&k), 0);
	kernel_calls_close(&k);
}
