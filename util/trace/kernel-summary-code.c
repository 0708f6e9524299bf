/*
 * Kernel-summary-code: see kernel-summary-code.h. Both are raw tracepoints: sys_enter has the registers and
 * the number of the call, sys_exit the registers and the result. Registers: 6 is the context, 7 a duration, 8
 * the result, the call's number or the time, 9 an entry. The frame is used by both programs in the same way.
 */
#include "kernel-summary-code.h"
#include "../bpf/registers.h"

#include <stddef.h>

#define CTX BPF_REG_6
#define TIME BPF_REG_7
#define RESULT BPF_REG_8
#define NR BPF_REG_8
#define NOW BPF_REG_8
#define ENTRY BPF_REG_9

/* places in the frame */
#define AT_TID (-4)		/* u32 */
#define AT_INDEX (-8)		/* u32 */
#define AT_KEY (-24)		/* struct kernel_summary_key */
#define AT_CALL (-40)		/* struct summary_call */
#define AT_NEW (-136)		/* struct kernel_summary_entry */
#define AT_ONE (-144)		/* u64 */
#define AT_WORD (-152)		/* u64 */
#define AT_REGS (-216)		/* those of struct pt_regs that tell the kind of call */

#define KEY(field) (AT_KEY + (s16)offsetof(struct kernel_summary_key, field))
#define CALL(field) (AT_CALL + (s16)offsetof(struct summary_call, field))
#define OF(field) ((s16)offsetof(struct kernel_summary_entry, field))

_Static_assert(sizeof(struct kernel_summary_entry) <= 96, "AT_NEW has room for it");

static void count_no_room(struct bpf_code *c, const struct kernel_summary *k)
{
	bpf_store_imm(c, BPF_W, FRAME, AT_INDEX, 0);
	bpf_count(c, k->no_room.fd, AT_INDEX);
}

/* the key of the call in AT_CALL */
static void note_key(struct bpf_code *c, enum trace_summary_mode mode)
{
	bpf_load(c, BPF_W, R1, FRAME, CALL(nr));
	bpf_store(c, BPF_W, FRAME, KEY(nr), R1);
	bpf_store_imm(c, BPF_W, FRAME, KEY(part), 0);
	if (mode == TRACE_BY_CGROUP)
		bpf_call_helper(c, BPF_FUNC_get_current_cgroup_id);
	else if (mode == TRACE_BY_THREAD)
		bpf_load(c, BPF_W, R0, FRAME, AT_TID);
	else
		bpf_set(c, R0, 0);
	bpf_store(c, BPF_DW, FRAME, KEY(group), R0);
}

/* ENTRY = the entry of the key, which is made if there is none */
static void find_entry(struct bpf_code *c, const struct kernel_summary *k, u32 out)
{
	u32 found = bpf_label(c);

	bpf_lookup(c, k->entries.fd, AT_KEY);
	bpf_jump_imm(c, BPF_JNE, R0, 0, found);
	bpf_clear(c, FRAME, AT_NEW, sizeof(struct kernel_summary_entry));
	bpf_store_imm(c, BPF_DW, FRAME, AT_NEW + OF(min), -1);
	bpf_update(c, k->entries.fd, AT_KEY, AT_NEW, BPF_NOEXIST);
	bpf_lookup(c, k->entries.fd, AT_KEY);
	bpf_jump_imm(c, BPF_JNE, R0, 0, found);
	count_no_room(c, k);
	bpf_jump_always(c, out);
	bpf_place(c, found);
	bpf_copy(c, ENTRY, R0);
}

/*
 * The entry is of the present task, at time register src. Its name can change (execve, prctl): it is read
 * again if the last reading is 1 ms old. Names cost as much as the rest
 */
static void note_task(struct bpf_code *c, u8 src)
{
	u32 recent = bpf_label(c);

	bpf_load(c, BPF_DW, R2, ENTRY, OF(named_ns));
	bpf_copy(c, R1, src);
	bpf_alu(c, BPF_SUB, R1, R2);
	bpf_jump_imm(c, BPF_JLT, R1, 1000000, recent);
	bpf_store(c, BPF_DW, ENTRY, OF(named_ns), src);
	bpf_call_helper(c, BPF_FUNC_get_current_pid_tgid);
	bpf_alu_imm(c, BPF_RSH, R0, 32);
	bpf_store(c, BPF_W, ENTRY, OF(pid), R0);
	bpf_copy(c, R1, ENTRY);
	bpf_alu_imm(c, BPF_ADD, R1, OF(comm));
	bpf_set(c, R2, sizeof(((struct kernel_summary_entry *)0)->comm));
	bpf_call_helper(c, BPF_FUNC_get_current_comm);
	bpf_place(c, recent);
}

/* the entry's number += register src; entries belong to a thread or a CPU, so nobody else changes them */
static void add(struct bpf_code *c, s16 field, u8 src)
{
	bpf_load(c, BPF_DW, R4, ENTRY, field);
	bpf_alu(c, BPF_ADD, R4, src);
	bpf_store(c, BPF_DW, ENTRY, field, R4);
}

static void add_one(struct bpf_code *c, s16 field)
{
	bpf_set(c, R1, 1);
	add(c, field, R1);
}

/* the count of the key, whose part is register 1, grows by 1 */
static void count_part(struct bpf_code *c, const struct kernel_summary *k)
{
	u32 found = bpf_label(c), done = bpf_label(c);

	bpf_store(c, BPF_W, FRAME, KEY(part), R1);
	bpf_lookup(c, k->counts.fd, AT_KEY);
	bpf_jump_imm(c, BPF_JNE, R0, 0, found);
	bpf_store_imm(c, BPF_DW, FRAME, AT_ONE, 1);
	bpf_update(c, k->counts.fd, AT_KEY, AT_ONE, BPF_NOEXIST);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, done);
	/* another CPU was faster, or there is no room */
	bpf_lookup(c, k->counts.fd, AT_KEY);
	bpf_jump_imm(c, BPF_JNE, R0, 0, found);
	count_no_room(c, k);
	bpf_jump_always(c, done);
	bpf_place(c, found);
	bpf_set(c, R1, 1);
	bpf_add_to(c, R0, 0, R1);
	bpf_place(c, done);
}

/* register 1 = the bucket of TIME, as in base/histogram.c: small values, then steps per power of two */
static void find_bucket(struct bpf_code *c)
{
	u32 small = bpf_label(c);

	bpf_copy(c, R1, TIME);
	bpf_jump_imm(c, BPF_JLT, TIME, HISTOGRAM_STEPS, small);
	/* register 2 = the binary logarithm of register 1 */
	bpf_set(c, R2, 0);
	for (u32 step = 32; step; step /= 2) {
		u32 lower = bpf_label(c);

		bpf_copy(c, R3, R1);
		bpf_alu_imm(c, BPF_RSH, R3, (s32)step);
		bpf_jump_imm(c, BPF_JEQ, R3, 0, lower);
		bpf_copy(c, R1, R3);
		bpf_alu_imm(c, BPF_ADD, R2, (s32)step);
		bpf_place(c, lower);
	}
	bpf_copy(c, R3, R2);
	bpf_alu_imm(c, BPF_SUB, R3, 3);
	bpf_copy(c, R1, TIME);
	bpf_alu(c, BPF_RSH, R1, R3);
	bpf_alu_imm(c, BPF_AND, R1, HISTOGRAM_STEPS - 1);
	bpf_alu_imm(c, BPF_SUB, R2, 2);
	bpf_alu_imm(c, BPF_MUL, R2, HISTOGRAM_STEPS);
	bpf_alu(c, BPF_ADD, R1, R2);
	bpf_place(c, small);
}

/*
 * The square of TIME, in 128 bits. Below 2^32 ns the square fits in 64 bits; longer durations are squared in
 * units of 2^16 ns, so the square is in units of 2^32
 */
static void add_square(struct bpf_code *c)
{
	u32 large = bpf_label(c), no_carry = bpf_label(c), sum = bpf_label(c);

	bpf_copy(c, R1, TIME);
	bpf_set(c, R2, 0);
	bpf_copy(c, R3, TIME);
	bpf_alu_imm(c, BPF_RSH, R3, 32);
	bpf_jump_imm(c, BPF_JNE, R3, 0, large);
	bpf_alu(c, BPF_MUL, R1, TIME);
	bpf_jump_always(c, sum);
	bpf_place(c, large);
	bpf_alu_imm(c, BPF_RSH, R1, 16);
	bpf_copy(c, R2, R1);
	bpf_alu(c, BPF_MUL, R1, R2);
	bpf_copy(c, R2, R1);
	bpf_alu_imm(c, BPF_RSH, R2, 32);
	bpf_alu_imm(c, BPF_LSH, R1, 32);
	bpf_place(c, sum);
	add(c, OF(squares_low), R1);
	bpf_jump_if(c, BPF_JGE, R4, R1, no_carry);
	bpf_alu_imm(c, BPF_ADD, R2, 1);
	bpf_place(c, no_carry);
	add(c, OF(squares_high), R2);
}

static void keep_extreme(struct bpf_code *c, s16 field, u8 is_no_better)
{
	u32 done = bpf_label(c);

	bpf_load(c, BPF_DW, R1, ENTRY, field);
	bpf_jump_if(c, is_no_better, TIME, R1, done);
	bpf_store(c, BPF_DW, ENTRY, field, TIME);
	bpf_place(c, done);
}

/* goes to `out` unless the rule of the number in AT_INDEX wants the call; register 1 = the rule */
static void choose_rule(struct bpf_code *c, const struct kernel_summary *k, u32 out)
{
	bpf_lookup(c, k->rules.fd, AT_INDEX);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, out);
	bpf_load(c, BPF_W, R1, R0, 0);
	bpf_jump_imm(c, BPF_JEQ, R1, 0, out);
}

/* NR += KERNEL_CALLS_NR_MAX for a call of 32-bit programs */
static void note_kind(struct bpf_code *c, const struct call_regs *regs, u32 out)
{
	/* the registers that tell are not far from each other */
	u32 from = regs->compat_insn ? regs->next_copy : regs->compat_at, native = bpf_label(c);

	bpf_frame_address(c, R1, AT_REGS);
	bpf_set(c, R2, regs->compat_at + 8 - from);
	bpf_load(c, BPF_DW, R3, CTX, 0);
	bpf_alu_imm(c, BPF_ADD, R3, (s32)from);
	bpf_call_helper(c, BPF_FUNC_probe_read_kernel);
	bpf_jump_imm(c, BPF_JNE, R0, 0, out);
	write_is_compat(c, regs, AT_REGS - (s16)from, AT_WORD, native);
	bpf_alu_imm(c, BPF_ADD, NR, KERNEL_CALLS_NR_MAX);
	bpf_place(c, native);
}

void summary_write_enter(struct bpf_code *c, const struct kernel_summary *k,
			 const struct kernel_summary_opts *o, const struct call_regs *regs)
{
	u32 out = bpf_label(c), returns = bpf_label(c), full = bpf_label(c);

	bpf_copy(c, CTX, R1);
	bpf_load(c, BPF_DW, NR, CTX, 8);
	bpf_jump_imm(c, BPF_JGE, NR, KERNEL_CALLS_NR_MAX, out);
	bpf_tasks_choose(c, &k->tasks, AT_TID, TIME, out);
	note_kind(c, regs, out);
	bpf_store(c, BPF_W, FRAME, AT_INDEX, NR);
	choose_rule(c, k, out);
	bpf_store(c, BPF_W, FRAME, CALL(nr), NR);
	bpf_store_imm(c, BPF_W, FRAME, CALL(reserved), 0);
	bpf_alu_imm(c, BPF_AND, R1, SUMMARY_NO_RETURN);
	bpf_jump_imm(c, BPF_JEQ, R1, 0, returns);
	/* exit is counted when it begins */
	note_key(c, o->mode);
	find_entry(c, k, out);
	bpf_call_helper(c, BPF_FUNC_ktime_get_ns);
	note_task(c, R0);
	add_one(c, OF(calls));
	bpf_jump_always(c, out);
	bpf_place(c, returns);
	bpf_call_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_store(c, BPF_DW, FRAME, CALL(enter_ns), R0);
	bpf_update(c, k->pending.fd, AT_TID, AT_CALL, BPF_ANY);
	bpf_jump_imm(c, BPF_JNE, R0, 0, full);
	bpf_jump_always(c, out);
	bpf_place(c, full);
	count_no_room(c, k);
	bpf_place(c, out);
	bpf_return_one(c);
}

void summary_write_exit(struct bpf_code *c, const struct kernel_summary *k,
			const struct kernel_summary_opts *o)
{
	u32 out = bpf_label(c), good = bpf_label(c);

	bpf_copy(c, CTX, R1);
	bpf_call_helper(c, BPF_FUNC_get_current_pid_tgid);
	bpf_store(c, BPF_W, FRAME, AT_TID, R0);
	bpf_lookup(c, k->pending.fd, AT_TID);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, out);
	bpf_load(c, BPF_DW, TIME, R0, offsetof(struct summary_call, enter_ns));
	bpf_jump_imm(c, BPF_JEQ, TIME, 0, out);
	bpf_load(c, BPF_W, R1, R0, offsetof(struct summary_call, nr));
	bpf_store(c, BPF_W, FRAME, CALL(nr), R1);
	bpf_store_imm(c, BPF_DW, R0, offsetof(struct summary_call, enter_ns), 0);
	bpf_call_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_copy(c, NOW, R0);
	bpf_alu(c, BPF_SUB, R0, TIME);
	bpf_copy(c, TIME, R0);
	note_key(c, o->mode);
	find_entry(c, k, out);
	note_task(c, NOW);
	add_one(c, OF(calls));
	add_one(c, OF(timed));
	add(c, OF(total), TIME);
	keep_extreme(c, OF(min), BPF_JGE);
	keep_extreme(c, OF(max), BPF_JLE);
	add_square(c);
	find_bucket(c);
	bpf_alu_imm(c, BPF_OR, R1, KERNEL_SUMMARY_BUCKET);
	count_part(c, k);
	bpf_load(c, BPF_DW, RESULT, CTX, 8);
	bpf_jump_imm(c, BPF_JSGE, RESULT, 0, good);
	bpf_jump_imm(c, BPF_JSLT, RESULT, -4095, good);
	add_one(c, OF(errors));
	bpf_set(c, R1, 0);
	bpf_alu(c, BPF_SUB, R1, RESULT);
	bpf_alu_imm(c, BPF_OR, R1, KERNEL_SUMMARY_ERROR);
	count_part(c, k);
	bpf_place(c, good);
	bpf_place(c, out);
	bpf_return_one(c);
}
