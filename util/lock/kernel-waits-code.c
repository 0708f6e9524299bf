/*
 * Kernel-waits-code: see kernel-waits-code.h. Both are raw tracepoints: the context has the address of the
 * lock and, of the begin, its flags. Registers: 6 is the context, 7 the wait that goes on, 8 the time or the
 * lock's flags, 9 an entry of totals.
 */
#include "kernel-waits-code.h"
#include "../bpf/registers.h"
#include "lock.h"

#include <stddef.h>

#define CTX BPF_REG_6
#define WAIT BPF_REG_7
#define KEPT BPF_REG_8
#define TOTAL BPF_REG_9

#define CTX_LOCK 0
#define CTX_FLAGS 8

/* places in the frame */
#define AT_PLACE (-16)		/* struct wait_place */
#define AT_TID (-20)		/* u32 */
#define AT_INDEX (-24)		/* u32: key of an array */
#define AT_WORD (-32)		/* u64 */
#define AT_NEW (-96)		/* struct kernel_wait */

#define OPEN(field) ((s16)offsetof(struct open_wait, field))
#define KEY(field) (OPEN(key) + (s16)offsetof(struct kernel_wait_key, field))
#define TIMES(field) ((s16)offsetof(struct kernel_wait, field))
#define COMM_SIZE 16

/* attempts to change a number that other CPUs change at the same time */
#define ATTEMPTS 4

_Static_assert(sizeof(struct kernel_wait) <= 64, "AT_NEW has room for it");

static void count(struct bpf_code *c, const struct kernel_waits *k, enum wait_counter which)
{
	bpf_store_imm(c, BPF_W, FRAME, AT_INDEX, which);
	bpf_count(c, k->counters.fd, AT_INDEX);
}

/* the thread and the lock to AT_PLACE; AT_TID is the thread */
static void note_place(struct bpf_code *c)
{
	u32 task = bpf_label(c);

	bpf_load(c, BPF_DW, R1, CTX, CTX_LOCK);
	bpf_store(c, BPF_DW, FRAME, AT_PLACE + (s16)offsetof(struct wait_place, lock), R1);
	bpf_load(c, BPF_W, R0, FRAME, AT_TID);
	bpf_jump_imm(c, BPF_JNE, R0, 0, task);
	bpf_call_helper(c, BPF_FUNC_get_smp_processor_id);
	bpf_alu_imm(c, BPF_XOR, R0, -1);
	bpf_place(c, task);
	bpf_store(c, BPF_DW, FRAME, AT_PLACE + (s16)offsetof(struct wait_place, task), R0);
}

/* goes to `out` unless the map has the word */
static void choose_word(struct bpf_code *c, const struct bpf_map *map, u8 word, u32 out)
{
	bpf_store(c, BPF_DW, FRAME, AT_WORD, word);
	bpf_lookup(c, map->fd, AT_WORD);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, out);
}

/* -Y, -C, -L, -G; KEPT is the lock's flags */
static void choose_wait(struct bpf_code *c, const struct kernel_waits *k, u32 out)
{
	if (k->opts.types) {
		bpf_jump_imm(c, BPF_JGE, KEPT, KERNEL_WAITS_FLAGS, out);
		bpf_set64(c, R1, k->opts.types);
		bpf_alu(c, BPF_RSH, R1, KEPT);
		bpf_alu_imm(c, BPF_AND, R1, 1);
		bpf_jump_imm(c, BPF_JEQ, R1, 0, out);
	}
	if (k->opts.nr_locks) {
		bpf_load(c, BPF_DW, R1, CTX, CTX_LOCK);
		choose_word(c, &k->locks, R1, out);
	}
	if (k->opts.nr_cpus) {
		bpf_call_helper(c, BPF_FUNC_get_smp_processor_id);
		choose_word(c, &k->cpus, R0, out);
	}
	if (k->opts.nr_cgroups) {
		bpf_call_helper(c, BPF_FUNC_get_current_cgroup_id);
		choose_word(c, &k->cgroups, R0, out);
	}
}

/* a begin of a mutex during the wait for it continues the wait: spinning and sleeping take turns */
static void continue_mutex(struct bpf_code *c, const struct kernel_waits *k, u32 out)
{
	u32 none = bpf_label(c), lost = bpf_label(c);

	bpf_lookup(c, k->pending.fd, AT_PLACE);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, none);
	bpf_load(c, BPF_W, R1, R0, OPEN(flags));
	bpf_alu(c, BPF_AND, R1, KEPT);
	bpf_alu_imm(c, BPF_AND, R1, LOCK_FLAG_MUTEX);
	bpf_jump_imm(c, BPF_JEQ, R1, 0, lost);
	bpf_load(c, BPF_W, R1, R0, OPEN(last_flags));
	bpf_jump_if(c, BPF_JEQ, R1, KEPT, lost);
	bpf_store(c, BPF_W, R0, OPEN(last_flags), KEPT);
	bpf_jump_always(c, out);
	bpf_place(c, lost);
	count(c, k, WAITS_UNFINISHED);
	bpf_place(c, none);
}

/* dst = 8 bytes of kernel memory at register 3; goes to `fail` where there are none */
static void read_word(struct bpf_code *c, u8 dst, u32 size, u32 fail)
{
	bpf_store_imm(c, BPF_DW, FRAME, AT_WORD, 0);
	bpf_frame_address(c, R1, AT_WORD);
	bpf_set(c, R2, size);
	bpf_call_helper(c, BPF_FUNC_probe_read_kernel);
	bpf_jump_imm(c, BPF_JNE, R0, 0, fail);
	bpf_load(c, size == 4 ? BPF_W : BPF_DW, dst, FRAME, AT_WORD);
}

/*
 * The owner of the lock to the key: the low bits of the word are flags of the lock. A semaphore of readers
 * keeps the last reader, who may not hold it any more: not known, as all other kinds of locks
 */
static void note_owner(struct bpf_code *c, const struct kernel_waits *k)
{
	const struct kernel_wait_offsets *at = &k->opts.offsets;
	u32 none = bpf_label(c), mutex = bpf_label(c), found = bpf_label(c);

	bpf_store_imm(c, BPF_W, WAIT, KEY(task), -1);
	bpf_load(c, BPF_DW, R3, CTX, CTX_LOCK);
	bpf_copy(c, R1, KEPT);
	bpf_alu_imm(c, BPF_AND, R1, LOCK_FLAG_MUTEX);
	bpf_jump_imm(c, BPF_JNE, R1, 0, mutex);
	/* rwsem: reading or writing, and nothing else */
	bpf_copy(c, R1, KEPT);
	bpf_alu_imm(c, BPF_AND, R1, ~(LOCK_FLAG_READ | LOCK_FLAG_WRITE));
	bpf_jump_imm(c, BPF_JNE, R1, 0, none);
	bpf_jump_imm(c, BPF_JEQ, KEPT, 0, none);
	bpf_alu_imm(c, BPF_ADD, R3, at->rwsem_owner);
	read_word(c, TOTAL, 8, none);
	bpf_copy(c, R1, TOTAL);
	bpf_alu_imm(c, BPF_AND, R1, 1);
	bpf_jump_imm(c, BPF_JNE, R1, 0, none);
	bpf_jump_always(c, found);
	bpf_place(c, mutex);
	bpf_alu_imm(c, BPF_ADD, R3, at->mutex_owner);
	read_word(c, TOTAL, 8, none);
	bpf_place(c, found);
	bpf_alu_imm(c, BPF_AND, TOTAL, ~7);
	bpf_jump_imm(c, BPF_JEQ, TOTAL, 0, none);
	bpf_copy(c, R3, TOTAL);
	bpf_alu_imm(c, BPF_ADD, R3, at->task_pid);
	read_word(c, R4, 4, none);
	bpf_store(c, BPF_W, WAIT, KEY(task), R4);
	bpf_copy(c, R1, WAIT);
	bpf_alu_imm(c, BPF_ADD, R1, OPEN(comm));
	bpf_set(c, R2, COMM_SIZE);
	bpf_copy(c, R3, TOTAL);
	bpf_alu_imm(c, BPF_ADD, R3, at->task_comm);
	bpf_call_helper(c, BPF_FUNC_probe_read_kernel);
	bpf_place(c, none);
}

/* the key of the wait in WAIT, which has only zeros in it */
static void note_key(struct bpf_code *c, const struct kernel_waits *k)
{
	u32 by = k->opts.by;

	if (by & KERNEL_WAITS_LOCK) {
		bpf_load(c, BPF_DW, R1, CTX, CTX_LOCK);
		bpf_store(c, BPF_DW, WAIT, KEY(lock), R1);
	}
	if (by & KERNEL_WAITS_CGROUP) {
		bpf_call_helper(c, BPF_FUNC_get_current_cgroup_id);
		bpf_store(c, BPF_DW, WAIT, KEY(cgroup), R0);
	}
	if (by & KERNEL_WAITS_TASK) {
		bpf_load(c, BPF_W, R1, FRAME, AT_TID);
		bpf_store(c, BPF_W, WAIT, KEY(task), R1);
		bpf_copy(c, R1, WAIT);
		bpf_alu_imm(c, BPF_ADD, R1, OPEN(comm));
		bpf_set(c, R2, COMM_SIZE);
		bpf_call_helper(c, BPF_FUNC_get_current_comm);
	}
	if (by & KERNEL_WAITS_OWNER)
		note_owner(c, k);
	if (by & KERNEL_WAITS_CHAIN) {
		bpf_store(c, BPF_W, WAIT, KEY(flags), KEPT);
		bpf_copy(c, R1, CTX);
		bpf_copy(c, R2, WAIT);
		bpf_alu_imm(c, BPF_ADD, R2, KEY(ip));
		bpf_set(c, R3, k->opts.max_stack * sizeof(u64));
		bpf_set(c, R4, 0);
		bpf_call_helper(c, BPF_FUNC_get_stack);
	}
}

void waits_write_begin(struct bpf_code *c, const struct kernel_waits *k)
{
	u32 out = bpf_label(c), full = bpf_label(c);

	bpf_copy(c, CTX, R1);
	bpf_load(c, BPF_DW, KEPT, CTX, CTX_FLAGS);
	bpf_alu32_imm(c, BPF_OR, KEPT, 0);
	bpf_tasks_choose(c, &k->tasks, AT_TID, WAIT, out);
	note_place(c);
	continue_mutex(c, k, out);
	choose_wait(c, k, out);
	bpf_lookup_only(c, k->scratch.fd, AT_INDEX);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, out);
	bpf_copy(c, WAIT, R0);
	bpf_clear(c, WAIT, 0, open_wait_size(&k->opts));
	bpf_store(c, BPF_W, WAIT, OPEN(flags), KEPT);
	bpf_store(c, BPF_W, WAIT, OPEN(last_flags), KEPT);
	note_key(c, k);
	bpf_call_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_store(c, BPF_DW, WAIT, OPEN(begin), R0);
	bpf_update_at(c, k->pending.fd, FRAME, AT_PLACE, WAIT, 0, BPF_ANY);
	bpf_jump_imm(c, BPF_JNE, R0, 0, full);
	bpf_jump_always(c, out);
	bpf_place(c, full);
	count(c, k, WAITS_NO_ROOM);
	bpf_place(c, out);
	bpf_return_one(c);
}

/* the largest (or smallest) of the entry's number and KEPT; other CPUs may change it meanwhile */
static void keep_extreme(struct bpf_code *c, s16 field, u8 is_no_better)
{
	u32 done = bpf_label(c);

	bpf_load(c, BPF_DW, R0, TOTAL, field);
	for (u32 i = 0; i < ATTEMPTS; i++) {
		bpf_jump_if(c, is_no_better, KEPT, R0, done);
		bpf_copy(c, R1, R0);
		bpf_compare_swap(c, TOTAL, field, KEPT);
		bpf_jump_if(c, BPF_JEQ, R0, R1, done);
	}
	bpf_place(c, done);
}

/* TOTAL = the entry of the key of WAIT; goes to `none` */
static void find_total(struct bpf_code *c, const struct kernel_waits *k, u32 none)
{
	bpf_lookup_at(c, k->total.fd, WAIT, OPEN(key));
	bpf_jump_imm(c, BPF_JEQ, R0, 0, none);
	bpf_copy(c, TOTAL, R0);
}

/*
 * The first wait of a key becomes an entry. Register 0: 0, or an error if another CPU was first or the map
 * is full
 */
static void add_total(struct bpf_code *c, const struct kernel_waits *k)
{
	static const s16 times[] = { TIMES(total), TIMES(max), TIMES(min) };

	bpf_store_imm(c, BPF_DW, FRAME, AT_NEW + TIMES(nr), 1);
	for (u32 i = 0; i < ARRAY_SIZE(times); i++)
		bpf_store(c, BPF_DW, FRAME, AT_NEW + times[i], KEPT);
	bpf_load(c, BPF_W, R1, WAIT, OPEN(flags));
	bpf_store(c, BPF_W, FRAME, AT_NEW + TIMES(flags), R1);
	for (u32 i = 0; i < COMM_SIZE; i += 4) {
		bpf_load(c, BPF_W, R1, WAIT, OPEN(comm) + (s16)i);
		bpf_store(c, BPF_W, FRAME, AT_NEW + TIMES(comm) + (s16)i, R1);
	}
	bpf_store_imm(c, BPF_W, FRAME, AT_NEW + TIMES(reserved), 0);
	bpf_update_at(c, k->total.fd, WAIT, OPEN(key), FRAME, AT_NEW, BPF_NOEXIST);
}

/* -J: the task has the lock now, and looks at the clock until its time is over */
static void delay_owner(struct bpf_code *c, const struct kernel_waits *k)
{
	u32 none = bpf_label(c), again = bpf_label(c);

	bpf_load(c, BPF_DW, R1, CTX, CTX_LOCK);
	choose_word(c, &k->delays, R1, none);
	bpf_load(c, BPF_DW, KEPT, R0, 0);
	bpf_call_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_alu(c, BPF_ADD, KEPT, R0);
	bpf_place(c, again);
	bpf_may_leave(c, none);
	bpf_call_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_jump_if(c, BPF_JLT, R0, KEPT, again);
	bpf_place(c, none);
}

void waits_write_end(struct bpf_code *c, const struct kernel_waits *k)
{
	u32 out = bpf_label(c), first = bpf_label(c), add = bpf_label(c), full = bpf_label(c);
	u32 done = bpf_label(c);

	bpf_copy(c, CTX, R1);
	bpf_call_helper(c, BPF_FUNC_get_current_pid_tgid);
	bpf_store(c, BPF_W, FRAME, AT_TID, R0);
	note_place(c);
	bpf_lookup(c, k->pending.fd, AT_PLACE);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, out);
	bpf_copy(c, WAIT, R0);
	bpf_call_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_copy(c, KEPT, R0);
	bpf_load(c, BPF_DW, R1, WAIT, OPEN(begin));
	bpf_alu(c, BPF_SUB, KEPT, R1);
	find_total(c, k, first);
	bpf_place(c, add);
	bpf_set(c, R1, 1);
	bpf_add_to(c, TOTAL, TIMES(nr), R1);
	bpf_add_to(c, TOTAL, TIMES(total), KEPT);
	keep_extreme(c, TIMES(max), BPF_JLE);
	keep_extreme(c, TIMES(min), BPF_JGE);
	bpf_jump_always(c, done);
	bpf_place(c, first);
	add_total(c, k);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, done);
	find_total(c, k, full);
	bpf_jump_always(c, add);
	bpf_place(c, full);
	count(c, k, WAITS_NO_ROOM);
	bpf_place(c, done);
	bpf_remove(c, k->pending.fd, AT_PLACE);
	if (k->opts.nr_delays)
		delay_owner(c, k);
	bpf_place(c, out);
	bpf_return_one(c);
}
