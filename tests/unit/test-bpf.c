/* BPF: programs that are written instruction by instruction, and maps. */
#include "test.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>
#include "../../util/bpf/inplace.h"
#include "../../util/bpf/map.h"
#include "../../util/bpf/program.h"
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
	u64 value = 0, before;

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

struct seen_records {
	u64 next;
	u32 bad;
};

/* record number n has n at its beginning and at its end, and a length of its own */
static void see_record(void *ctx, const void *record, u32 len)
{
	struct seen_records *s = ctx;
	u64 first, last;

	memcpy(&first, record, 8);
	memcpy(&last, (const u8 *)record + len - 8, 8);
	s->bad += first != s->next || last != first || len != 16 + (first * 8 & 0x38);
	s->next = first + 1;
}

/* a record for each system call of this thread, whose number is counted in the map */
static void write_records(struct bpf_code *c, const struct bpf_map *m, const struct bpf_inplace *r,
			  const struct bpf_map *rings)
{
	u32 out = bpf_label(c);

	bpf_call_helper(c, BPF_FUNC_get_current_pid_tgid);
	bpf_store(c, BPF_W, BPF_REG_10, -4, BPF_REG_0);
	bpf_lookup(c, m->fd, -4);
	bpf_jump_imm(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_copy(c, BPF_REG_7, BPF_REG_0);
	bpf_inplace_begin(c, r, rings, BPF_REG_9, -16, -4, out);
	bpf_load(c, BPF_DW, BPF_REG_8, BPF_REG_7, 0);
	bpf_store(c, BPF_DW, BPF_REG_9, 0, BPF_REG_8);
	bpf_copy(c, BPF_REG_3, BPF_REG_8);
	bpf_alu_imm(c, BPF_LSH, BPF_REG_3, 3);
	bpf_alu_imm(c, BPF_AND, BPF_REG_3, 0x38);
	bpf_copy(c, BPF_REG_1, BPF_REG_9);
	bpf_alu(c, BPF_ADD, BPF_REG_1, BPF_REG_3);
	bpf_store(c, BPF_DW, BPF_REG_1, 8, BPF_REG_8);
	bpf_alu_imm(c, BPF_ADD, BPF_REG_3, 16);
	bpf_alu_imm(c, BPF_ADD, BPF_REG_8, 1);
	bpf_store(c, BPF_DW, BPF_REG_7, 0, BPF_REG_8);
	bpf_inplace_end(c, r, BPF_REG_9, -16, 1 << 20, out);
	bpf_place(c, out);
	bpf_return_one(c);
}

/* calls that write records, until there are nr of them; reads now and then if asked to */
static void fill_ring(struct bpf_inplace *r, u32 nr, bool read, struct seen_records *s)
{
	for (u32 i = 0; i < nr; i++) {
		getppid();
		if (read && i % 7 == 0)
			bpf_inplace_read(r, see_record, s);
	}
}

TEST(programs_write_a_ring_in_place)
{
	struct bpf_map m = BPF_MAP_INIT, rings = BPF_MAP_INIT;
	struct bpf_inplace r = BPF_INPLACE_INIT;
	struct bpf_prog p = BPF_PROG_INIT;
	struct seen_records s = { 0 };
	struct bpf_code c = { 0 };
	struct err err = ERR_INIT;
	u32 tid = gettid(), nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	u64 value = 0;
	cpu_set_t one;
	u32 cpu;

	CHECK_INT(bpf_inplace_create(&r, "perf_test", 3 * ROOM_BYTES, ROOM_BYTES, NULL), -E2BIG);
	if (bpf_inplace_create(&r, "perf_test", RING_BYTES, ROOM_BYTES, &err) ||
	    bpf_map_create_array_of(&rings, &r.map, "perf_test", nr_cpus, &err) ||
	    bpf_map_create(&m, BPF_MAP_TYPE_HASH, "perf_test", 4, 8, 16, 0, &err))
		SKIP("%s", err.msg);
	cpu = sched_getcpu();
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	REQUIRE(cpu < nr_cpus && !sched_setaffinity(0, sizeof(one), &one));
	REQUIRE(!bpf_map_set(&rings, &cpu, &r.map.fd));
	write_records(&c, &m, &r, &rings);
	if (bpf_prog_load(&p, BPF_PROG_TYPE_RAW_TRACEPOINT, "perf_test", &c, &err) ||
	    bpf_prog_attach_raw(&p, "sys_enter", &err))
		SKIP("%s", err.msg);
	REQUIRE(!bpf_map_set(&m, &tid, &value));
	/* around the ring a hundred times */
	fill_ring(&r, 10000, true, &s);
	CHECK_U64(bpf_inplace_lost(&r), 0);
	fill_ring(&r, 1000, false, &s);
	CHECK(bpf_inplace_lost(&r) > 800);
	bpf_inplace_read(&r, see_record, &s);
	CHECK_INT(s.bad, 0);
	CHECK(s.next > 10000 + 60 && s.next < 10000 + RING_BYTES / 24);
	/* what no program writes ends the reading */
	bpf_map_delete(&m, &tid);
	memset(r.head + 1, 0xff, RING_BYTES);
	r.head->read = r.head->written - 8;
	bpf_inplace_read(&r, see_record, &s);
	CHECK_U64(r.head->read, r.head->written);
	CHECK_INT(s.bad, 0);
	bpf_prog_release(&p);
	bpf_map_release(&m);
	bpf_map_release(&rings);
	bpf_inplace_release(&r);
	bpf_code_release(&c);
}
