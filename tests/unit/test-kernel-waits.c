/* Kernel-waits: entries of BPF maps become rows of the contention tables. The maps are made up here. */
#include "test.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "../../util/kernel/bpf-programs.h"
#include "../../util/lock/contention.h"
#include "../../util/lock/futex-private.h"
#include "../../util/lock/kernel-waits.h"

enum { FD_TOTAL = 77, FD_PENDING, FD_COUNTERS };

struct entry {
	s32 task;			/* of the key */
	struct kernel_wait w;
};
static const struct entry entries[] = {
	{ 12, { .nr = 2, .total = 500, .max = 400, .min = 100, .flags = 32, .comm = "worker" } },
	{ -1, { .nr = 1, .total = 7, .max = 7, .min = 7, .flags = 1 } },
	/* 16 characters without an end, one of them not printable */
	{ 13, { .nr = 3, .total = 30, .max = 20, .min = 1, .comm = "\033234567890123456" } },
};
static u32 nr_pending;

static long next_key(const union bpf_attr *a)
{
	const struct kernel_wait_key *key = (const void *)(uintptr_t)a->key;
	u32 i = 0;

	if (a->map_fd == FD_PENDING)	/* its keys are of another kind */
		return nr_pending-- ? 0 : -ENOENT;
	while (key && i < ARRAY_SIZE(entries) && entries[i].task != key->task)
		i++;
	i += key != NULL;
	if (i >= ARRAY_SIZE(entries))
		return -ENOENT;
	*(struct kernel_wait_key *)(uintptr_t)a->next_key =
		(struct kernel_wait_key){ .task = entries[i].task };
	return 0;
}

static long get(const union bpf_attr *a)
{
	const struct kernel_wait_key *key = (const void *)(uintptr_t)a->key;

	if (a->map_fd == FD_COUNTERS) {
		*(u64 *)(uintptr_t)a->value = 5 + *(const u32 *)key;
		return 0;
	}
	for (u32 i = 0; i < ARRAY_SIZE(entries); i++)
		if (entries[i].task == key->task)
			memcpy((void *)(uintptr_t)a->value, &entries[i].w, sizeof(entries[i].w));
	return 0;
}

static long fake_kernel(int cmd, void *attr, unsigned int size UNUSED)
{
	return cmd == BPF_MAP_GET_NEXT_KEY ? next_key(attr) :
	       cmd == BPF_MAP_LOOKUP_ELEM ? get(attr) : -EINVAL;
}

TEST(entries_of_maps_become_rows)
{
	const struct contention_opts opts = { .by = CONTENTION_BY_OWNER };
	struct contention c = { .opts = &opts };
	struct kernel_waits k = { 0 };

	k.opts = (struct kernel_waits_opts){ .by = KERNEL_WAITS_OWNER, .entries = 16, .max_stack = 8 };
	k.total.fd = FD_TOTAL;
	k.pending.fd = FD_PENDING;
	k.counters.fd = FD_COUNTERS;
	nr_pending = 3;
	bpf_set_syscall_for_test(fake_kernel);
	contention_add_kernel(&c, &k);
	REQUIRE(c.row.nr == 3);
	CHECK_U64(c.row.v[0].key, 12);
	CHECK_STR(c.row.v[0].task, "worker");
	CHECK_U64(c.row.v[0].times.total, 500);
	CHECK_U64(c.row.v[0].times.min, 100);
	CHECK_U64(c.row.v[1].key, UINT64_MAX);
	CHECK(!c.row.v[1].task);
	CHECK_INT(c.row.v[2].task[0], '\\');
	CHECK(strstr(c.row.v[2].task, "456"));
	/* 5 are counted, 3 still wait; the second counter is of tables without room */
	CHECK_U64(c.losses.nr_unfinished, 8);
	CHECK_U64(c.losses.nr_no_room, 6);
	/* the same waits again: added up */
	contention_add_kernel(&c, &k);
	REQUIRE(c.row.nr == 3);
	CHECK_U64(c.row.v[0].times.nr, 4);
	CHECK_U64(c.row.v[0].times.total, 1000);
	CHECK_U64(c.row.v[0].times.max, 400);
	bpf_set_syscall_for_test(NULL);
	vec_release(&c.row);
	hidx_release(&c.row.idx);
	arena_release(&c.arena);
}

/* runs a loaded program once, in this task, with the arguments of its tracepoint */
static bool run_once(struct kernel_waits *k, const char *program, u64 lock, u64 flags)
{
	const struct bpf_prog *p = bpf_set_program(&k->set, program);
	const u64 arg[2] = { lock, flags };
	union bpf_attr attr = { .test = { .prog_fd = p->fd, .ctx_in = (uintptr_t)arg,
					  .ctx_size_in = sizeof(arg) } };

	return bpf_call(BPF_PROG_TEST_RUN, &attr) >= 0;
}

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

TEST(whoever_gets_a_lock_is_delayed)
{
	static const struct lock_delay delay = { 0x1000, 6000000 };
	const struct kernel_waits_opts o = { .by = KERNEL_WAITS_LOCK, .entries = 16, .delays = &delay,
					     .nr_delays = 1, .tasks = { .all = true } };
	struct kernel_waits k;
	struct err err = ERR_INIT;
	u64 begin;

	if (kernel_waits_open(&k, &o, &err))
		SKIP("%s", err.msg);
	/* the end of a wait that did not begin; and of another lock's: nothing to wait for */
	begin = now_ns();
	if (!run_once(&k, "perf_delay", 0x1000, 0)) {
		kernel_waits_close(&k);
		SKIP("the kernel does not run programs of raw tracepoints for tests");
	}
	CHECK(run_once(&k, "perf_begin", 0x1000, 0));
	begin = now_ns();
	CHECK(run_once(&k, "perf_delay", 0x1000, 0));
	CHECK(now_ns() - begin >= delay.ns);
	CHECK(run_once(&k, "perf_begin", 0x2000, 0));
	CHECK(run_once(&k, "perf_delay", 0x2000, 0));
	kernel_waits_close(&k);
}

static int init_delays(const char *delays, char **ret_text, u32 *ret_nr)
{
	const struct contention_opts opts = { .delays = delays };
	struct contention c = { .opts = &opts };
	struct err err = ERR_INIT;
	int ret = contention_parse_delays(&c, &err);

	*ret_text = xstrdup(err.msg);
	*ret_nr = c.delays.nr;
	vec_release(&c.delays);
	return ret;
}

TEST(delays_of_locks_as_text)
{
	static const struct {
		const char *delays, *says;
	} bad[] = {
		{ "10ms", "is not a time, '@' and a lock" }, { "@ffff1000", "is not a time" },
		{ "1ms@", "is not a time" }, { "1hour@ffff1000", "is not a time" },
		{ "0@ffff1000", "is not a time" }, { "10001us@ffff1000", "at most" },
		{ "1ms@ffff1000,x", "'x' is not a time" }, { "1ms@0", "'0' is not an address" },
	};
	char *text;
	u32 nr;

	for (u32 i = 0; i < ARRAY_SIZE(bad); i++) {
		CHECK(init_delays(bad[i].delays, &text, &nr) < 0);
		CHECK(strstr(text, bad[i].says) != NULL);
		free(text);
	}
	CHECK_INT(init_delays("10ms@ffff1000,5us@ffff2000,77@ffff3000", &text, &nr), 0);
	CHECK_INT(nr, 3);
	free(text);
}

TEST(kinds_of_locks_are_bits_of_flags)
{
	struct lock_types t = { 0 };

	CHECK_U64(lock_types_flags(&t), 0);
	REQUIRE(!lock_types_parse(&t, "mutex,rwsem:R", NULL));
	CHECK_U64(lock_types_flags(&t), 1ull << 32 | 1ull << 33 | 1ull << 2);
}

TEST(numbers_of_futex_calls)
{
	CHECK_INT(futex_number(EM_X86_64), 202);
	CHECK_INT(futex_number(EM_AARCH64), 98);
	CHECK_INT(futex_number(EM_RISCV), 98);
	CHECK_INT(futex_number(EM_386), 240);
	CHECK_INT(futex_number(EM_ARM), 240);
	CHECK_INT(futex_number(EM_PPC64), 221);
	CHECK_INT(futex_number(EM_S390), 238);
	CHECK_INT(futex_number(EM_VAX), -1);
}
