/* BPF: programs that are written instruction by instruction, and maps. */
#include "test.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "../../util/kernel/rights.h"
#include "../../util/bpf/inplace.h"
#include "../../util/bpf/kernel-waits-types.h"
#include "../../util/bpf/map.h"
#include "../../util/bpf/off-cpu-types.h"
#include "../../util/bpf/program.h"
#include "../../util/bpf/ring.h"
#include "../../util/bpf/set.h"
#include "../../util/bpf/functions.h"
#include "../../util/bpf/wall-switches-types.h"
#include "../../util/record/wall-offsets.h"
#include "../../util/base/fs.h"
#include "../../util/base/log.h"
#include "../../util/base/plugin.h"
#include "../../util/base/strbuf.h"
#include "../../util/kernel/bpf-programs.h"

TEST(jumps_get_their_distance)
{
	struct bpf_code c = { 0 };
	struct err err = ERR_INIT;
	u32 end = bpf_label(&c), back = bpf_label(&c);

	bpf_place(&c, back);
	bpf_jump_imm(&c, BPF_JEQ, BPF_REG_1, 0, end);
	bpf_set64(&c, BPF_REG_2, 0x123456789abcdef0);
	bpf_jump_always(&c, back);
	bpf_place(&c, end);
	bpf_exit(&c);
	REQUIRE(!bpf_code_finish(&c, &err));
	CHECK_INT(c.insn.v[0].off, 3);
	CHECK_INT(c.insn.v[1].imm, (s32)0x9abcdef0);
	CHECK_INT(c.insn.v[2].imm, 0x12345678);
	CHECK_INT(c.insn.v[3].off, -4);
	bpf_code_release(&c);
}

TEST(wrong_jumps_are_refused)
{
	struct bpf_code c = { 0 };
	struct err err = ERR_INIT;

	bpf_jump_always(&c, bpf_label(&c));
	CHECK_INT(bpf_code_finish(&c, &err), -EINVAL);
	for (u32 i = 0; i < 40000; i++)
		bpf_exit(&c);
	bpf_place(&c, 0);
	CHECK_INT(bpf_code_finish(&c, &err), -E2BIG);
	bpf_code_release(&c);
}

static int refusal;
static long refuse(int cmd UNUSED, void *attr, unsigned int size UNUSED)
{
	static const char log[] = "0: (95) exit\nR0 !read_ok\nprocessed 1 insns\n";
	const union bpf_attr *a = attr;

	if (cmd == BPF_PROG_LOAD && a->log_level)
		memcpy((void *)(uintptr_t)a->log_buf, log, sizeof(log));
	return -refusal;
}

TEST(refusals_say_why)
{
	struct bpf_prog p = BPF_PROG_INIT;
	struct bpf_map m = BPF_MAP_INIT;
	struct bpf_code c = { 0 };
	struct err err = ERR_INIT;

	bpf_set_syscall_for_test(refuse);
	bpf_exit(&c);
	refusal = EACCES;
	CHECK_INT(bpf_prog_load(&p, BPF_PROG_TYPE_RAW_TRACEPOINT, "perf_x", &c, &err), -EACCES);
	CHECK_STR(err.msg, "the kernel refuses the BPF program perf_x: R0 !read_ok");
	refusal = EPERM;
	CHECK_INT(bpf_map_create(&m, BPF_MAP_TYPE_HASH, "perf_m", 4, 8, 10, 0, &err), -EPERM);
	CHECK_STR(err.msg, "no permission to load a BPF map");
	CHECK_INT(err.nr_hints, 1);
	CHECK_INT(m.fd, -1);
	bpf_set_syscall_for_test(NULL);
	bpf_code_release(&c);
}

static u32 nr_loads, nr_interrupted;

static long interrupt(int cmd UNUSED, void *attr UNUSED, unsigned int size UNUSED)
{
	return nr_loads++ < nr_interrupted ? -EAGAIN : -EPERM;
}

TEST(an_interrupted_load_is_tried_again)
{
	struct bpf_prog p = BPF_PROG_INIT;
	struct bpf_code c = { 0 };

	bpf_set_syscall_for_test(interrupt);
	bpf_exit(&c);
	nr_interrupted = 2;
	CHECK_INT(bpf_prog_load(&p, BPF_PROG_TYPE_RAW_TRACEPOINT, "perf_x", &c, NULL), -EPERM);
	CHECK_INT(nr_loads, 3);
	nr_interrupted = 1000;
	CHECK_INT(bpf_prog_load(&p, BPF_PROG_TYPE_RAW_TRACEPOINT, "perf_x", &c, NULL), -EAGAIN);
	CHECK(nr_loads < 20);
	bpf_set_syscall_for_test(NULL);
	bpf_code_release(&c);
}

static u32 nr_batches, nr_single;
static bool knows_batches;

/* a map of values by number, 8 bytes each */
static long set_values(int cmd, void *attr, unsigned int size UNUSED)
{
	const union bpf_attr *a = attr;
	static u64 value[4];

	if (cmd == BPF_MAP_UPDATE_BATCH) {
		nr_batches++;
		return knows_batches && a->batch.count == 3 ? 0 : -EINVAL;
	}
	nr_single++;
	memcpy(&value[*(u32 *)(uintptr_t)a->key], (void *)(uintptr_t)a->value, 8);
	return value[nr_single] == 7 * nr_single ? 0 : -EIO;
}

TEST(many_values_are_set_at_once)
{
	const struct bpf_map m = { .fd = 3, .key_size = 4, .value_size = 8 };
	const u32 key[] = { 1, 2, 3 };
	const u64 value[] = { 7, 14, 21 };

	bpf_set_syscall_for_test(set_values);
	for (u32 i = 0; i < 2; i++) {
		knows_batches = !i;
		CHECK_INT(bpf_map_set_all(&m, key, value, 3), 0);
		CHECK_INT(bpf_map_set_all(&m, key, value, 0), 0);
		CHECK_INT(nr_batches, i + 1);
		CHECK_INT(nr_single, 3 * i);
	}
	bpf_set_syscall_for_test(NULL);
}

/* counts the system calls of this thread in a map, by a program of this kernel */
TEST(a_program_counts_in_a_map)
{
	struct bpf_prog p = BPF_PROG_INIT;
	struct bpf_map m = BPF_MAP_INIT;
	struct bpf_code c = { 0 };
	struct err err = ERR_INIT;
	u32 tid = gettid(), next, out = bpf_label(&c);
	u64 value = 0, before, dev, inode;

	if (rights_in_pid_namespace(&dev, &inode))
		SKIP("this program asks for numbers of the first PID namespace");
	if (bpf_map_create(&m, BPF_MAP_TYPE_HASH, "perf_test", 4, 8, 16, 0, &err))
		SKIP("%s", err.msg);
	REQUIRE(!bpf_map_set(&m, &tid, &value));
	bpf_call_helper(&c, BPF_FUNC_get_current_pid_tgid);
	bpf_store(&c, BPF_W, BPF_REG_10, -4, BPF_REG_0);
	bpf_lookup(&c, m.fd, -4);
	bpf_jump_imm(&c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_set(&c, BPF_REG_1, 1);
	bpf_add_to(&c, BPF_REG_0, 0, BPF_REG_1);
	bpf_place(&c, out);
	bpf_set(&c, BPF_REG_0, 0);
	bpf_exit(&c);
	if (bpf_prog_load(&p, BPF_PROG_TYPE_RAW_TRACEPOINT, "perf_test", &c, &err) ||
	    bpf_prog_attach_raw(&p, "sys_enter", &err))
		SKIP("%s", err.msg);
	REQUIRE(!bpf_map_get(&m, &tid, &before));
	for (int i = 0; i < 100; i++)
		getppid();
	REQUIRE(!bpf_map_get(&m, &tid, &value));
	CHECK(value - before >= 100 && value - before < 110);
	CHECK_INT(bpf_map_next(&m, NULL, &next), 0);
	CHECK_U64(next, tid);
	CHECK_INT(bpf_map_next(&m, &tid, &next), -ENOENT);
	CHECK_INT(bpf_map_delete(&m, &tid), 0);
	bpf_prog_release(&p);
	bpf_map_release(&m);
	bpf_code_release(&c);
}

#define ROOM_BYTES 128u
#define RING_BYTES 4096u

static void see_record(void *ctx, const void *record UNUSED, u32 len UNUSED)
{
	++*(u32 *)ctx;
}

/* kernel-calls: what programs write there */
TEST(a_length_that_no_program_writes_ends_the_reading)
{
	struct bpf_inplace r = BPF_INPLACE_INIT;
	struct err err = ERR_INIT;
	u32 seen = 0;

	CHECK_INT(bpf_inplace_create(&r, "perf_test", 3 * ROOM_BYTES, ROOM_BYTES, NULL), -E2BIG);
	if (bpf_inplace_create(&r, "perf_test", RING_BYTES, ROOM_BYTES, &err))
		SKIP("%s", err.msg);
	memset(r.head + 1, 0xff, RING_BYTES);
	*(u64 *)(r.head + 1) = 16;
	r.head->written = 2 * RING_BYTES + 100;
	r.head->read = 2 * RING_BYTES;
	bpf_inplace_read(&r, see_record, &seen);
	CHECK_INT(seen, 1);
	CHECK_U64(r.head->read, r.head->written);
	bpf_inplace_release(&r);
}

static const u8 off_cpu[] = {
#include "../../util/bpf/off-cpu.bpf.inc"
};

TEST(an_object_that_does_not_fit_is_refused)
{
	static const struct bpf_set_program rows[] = { { "perf_nobody", .left_out = true } };
	struct off_cpu_settings settings = { 0 };
	struct err err = ERR_INIT;
	struct bpf_set s;

	if (!plugin_find("libbpf", NULL))
		SKIP("the plug-in libbpf is not there");
	CHECK(bpf_set_open(&s, "nothing", (const u8 *)"no ELF file", 11, &err) < 0);
	CHECK(strstr(err.msg, "libbpf cannot read the BPF programs of nothing"));
	bpf_set_close(&s);
	/* constants of another size, a map and a program that it does not have */
	for (u32 i = 0; i < 3; i++) {
		REQUIRE(!bpf_set_open(&s, "off-cpu", off_cpu, sizeof(off_cpu), &err));
		bpf_set_constants(&s, &settings, sizeof(settings) - (i == 0));
		bpf_set_resize(&s, i == 1 ? "wakes" : "sleeps", 0, 0, 16);
		CHECK_INT(bpf_set_load(&s, rows, i == 2, &err), -EINVAL);
		CHECK(strstr(err.msg, i == 0 ? "(constants)" : i == 1 ? "(wakes)" : "(perf_nobody)"));
		bpf_set_close(&s);
	}
}

static const u8 wall_switches[] = {
#include "../../util/bpf/wall-switches.bpf.inc"
};

/* the programs of --wall, without rings; returns what the kernel says */
static int load_wall(bool in_place, bool calls, struct err *err)
{
	static const struct bpf_set_program rows[] = {
		{ "perf_end", .left_out = true }, { "perf_fork", .left_out = true },
		{ "perf_wall_wake" }, { "perf_wall_switch" }, { "perf_wall_sample", .left_out = true },
	};
	struct wall_switches_settings c = { .watched.all = 1 };
	struct bpf_ring ring = BPF_RING_INIT;
	struct bpf_map rings = BPF_MAP_INIT;
	struct bpf_set s;
	u32 cast;
	int ret = bpf_set_open(&s, "tests", wall_switches, sizeof(wall_switches), err);

	if (ret || wall_offsets_find(&c, &cast, err) || bpf_ring_create(&ring, "ring", page_size(), err) ||
	    bpf_map_create_array_of(&rings, &ring.map, "rings", 1, err))
		SKIP("%s", err->msg);
	if (in_place && !cast)
		SKIP("the kernel has no bpf_rdonly_cast()");
	if (!in_place)
		c.word_type = cast = 0;
	bpf_set_use_map(&s, "rings", &rings);
	bpf_set_constants(&s, &c, sizeof(c));
	if (calls)
		bpf_set_kernel_function(&s, BPF_FUNCTION_CAST, cast);
	ret = bpf_set_load(&s, rows, ARRAY_SIZE(rows), err);
	bpf_set_close(&s);
	bpf_ring_release(&ring);
	bpf_map_release(&rings);
	return ret;
}

TEST(functions_of_the_kernel_are_called_where_it_has_them)
{
	struct err err = ERR_INIT;

	/* older kernels: the calls are gone, also where no program comes to them */
	CHECK_INT(load_wall(false, true, &err), 0);
	CHECK(load_wall(false, false, &err) < 0);
	CHECK_INT(load_wall(true, true, &err), 0);
}

static const u8 kernel_waits[] = {
#include "../../util/bpf/kernel-waits.bpf.inc"
};

/* lines of the log of a load that the verifier refuses, as the value of a map has no room for a stack */
static u32 refuse_at(int level, const char *path, struct err *err)
{
	static const struct kernel_waits_settings settings = {
		.watched.all = 1, .by = KERNEL_WAITS_CHAIN, .max_stack = KERNEL_WAITS_STACK_MAX };
	static const struct bpf_set_program rows[] = {
		{ "perf_end", .left_out = true }, { "perf_fork", .left_out = true },
		{ "perf_wait_end", .left_out = true }, { "perf_delay", .left_out = true },
		{ "perf_begin" },
	};
	struct strbuf text = STRBUF_INIT;
	struct bpf_set s;
	u32 nr = 0;

	if (bpf_set_open(&s, "tests", kernel_waits, sizeof(kernel_waits), err))
		SKIP("%s", err->msg);
	REQUIRE(!log_open(path));
	log_level = level;
	bpf_set_constants(&s, &settings, sizeof(settings));
	CHECK(bpf_set_load(&s, rows, ARRAY_SIZE(rows), err) < 0);
	bpf_set_close(&s);
	REQUIRE(!fs_read(path, &text));
	for (const char *p = strbuf_str(&text); (p = strchr(p, '\n')); p++)
		nr++;
	strbuf_release(&text);
	return nr;
}

TEST(a_refusal_shows_the_log_of_the_verifier)
{
	struct err err = ERR_INIT;
	u32 end = refuse_at(1, "end.log", &err), whole;

	if (err.code == -EPERM || err.code == -ENOSYS)
		SKIP("%s", err.msg);
	CHECK(strstr(err.msg, "the kernel refuses the BPF programs of tests: "));
	CHECK(end > 3 && end <= 24);
	whole = refuse_at(3, "whole.log", &err);
	CHECK(whole > 2 * end);
}
