/*
 * Kernel-work-code: see kernel-work-code.h. Registers: 6 is the context, 7 the time, 8 an open work or the
 * state of the CPU, 9 an entry of the table.
 */
#include "kernel-work-code.h"
#include "../bpf/registers.h"

#include <stddef.h>

#define CTX BPF_REG_6
#define NOW BPF_REG_7
#define OPEN BPF_REG_8
#define CPU BPF_REG_8
#define ENTRY BPF_REG_9

/* places in the frame */
#define AT_OPEN (-16)		/* struct open_work_key */
#define AT_STATE (-40)		/* struct open_work, new */
#define AT_WORK (-64)		/* struct kernel_work_key */
#define AT_NEW (-144)		/* struct kernel_work_entry, new */
#define AT_INDEX (-148)		/* u32 */
#define AT_SHARE (-16)		/* struct kernel_share_key */
#define AT_TIME (-40)		/* struct kernel_share, new */
#define AT_RAN (-160)		/* u64 */

_Static_assert(sizeof(struct open_work) <= 24 && sizeof(struct kernel_work_key) <= 24, "the frame has room");
_Static_assert(sizeof(struct kernel_work_entry) <= 80 && sizeof(struct kernel_share) <= 24, "and for these");

#define KEY(field) (AT_OPEN + (s16)offsetof(struct open_work_key, field))
#define STATE(field) ((s16)offsetof(struct open_work, field))
#define WORK(field) (AT_WORK + (s16)offsetof(struct kernel_work_key, field))
#define TIMES(field) ((s16)offsetof(struct kwork_times, field))
#define OF(field) ((s16)offsetof(struct kernel_cpu, field))

static void begin(struct bpf_code *c)
{
	bpf_copy(c, CTX, R1);
	bpf_call_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_copy(c, NOW, R0);
}

static void count_no_room(struct bpf_code *c, const struct kernel_work *w)
{
	bpf_store_imm(c, BPF_W, FRAME, AT_INDEX, 0);
	bpf_count(c, w->no_room.fd, AT_INDEX);
}

/* the key of the work to the frame */
static void note_key(struct bpf_code *c, const struct work_context *at)
{
	bpf_load(c, BPF_DW, R1, CTX, at->id);
	if (!at->id_is_word)
		bpf_alu32_imm(c, BPF_OR, R1, 0);
	bpf_store(c, BPF_DW, FRAME, KEY(id), R1);
	bpf_store_imm(c, BPF_W, FRAME, KEY(class), at->class);
	if (at->class == KWORK_WORKQUEUE) {
		bpf_store_imm(c, BPF_W, FRAME, KEY(cpu), 0);
	} else {
		bpf_call_helper(c, BPF_FUNC_get_smp_processor_id);
		bpf_store(c, BPF_W, FRAME, KEY(cpu), R0);
	}
}

/* dst = the value of the key, which is made with zeros if there is none; goes to `out` without room */
static void find_or_make(struct bpf_code *c, const struct kernel_work *w, u8 dst, const struct bpf_map *map,
			 s16 key, s16 value, u32 out)
{
	u32 found = bpf_label(c);

	bpf_lookup(c, map->fd, key);
	bpf_jump_imm(c, BPF_JNE, R0, 0, found);
	bpf_clear(c, FRAME, value, map->value_size);
	bpf_update(c, map->fd, key, value, BPF_NOEXIST);
	bpf_lookup(c, map->fd, key);
	bpf_jump_imm(c, BPF_JNE, R0, 0, found);
	count_no_room(c, w);
	bpf_jump_always(c, out);
	bpf_place(c, found);
	bpf_copy(c, dst, R0);
}

/* ENTRY = that of the open work's kind on this CPU */
static void find_entry(struct bpf_code *c, const struct kernel_work *w, u32 out)
{
	bpf_load(c, BPF_DW, R1, FRAME, KEY(id));
	bpf_store(c, BPF_DW, FRAME, WORK(id), R1);
	bpf_load(c, BPF_DW, R1, OPEN, STATE(function));
	bpf_store(c, BPF_DW, FRAME, WORK(function), R1);
	bpf_load(c, BPF_W, R1, FRAME, KEY(class));
	bpf_store(c, BPF_W, FRAME, WORK(class), R1);
	bpf_call_helper(c, BPF_FUNC_get_smp_processor_id);
	bpf_store(c, BPF_W, FRAME, WORK(cpu), R0);
	find_or_make(c, w, ENTRY, &w->work, AT_WORK, AT_NEW, out);
}

/* the time from register 2 until now; an entry is of one CPU, so nobody else changes it */
static void add_time(struct bpf_code *c, s16 times)
{
	u32 shorter = bpf_label(c);

	bpf_copy(c, R1, NOW);
	bpf_alu(c, BPF_SUB, R1, R2);
	bpf_load(c, BPF_DW, R3, ENTRY, times + TIMES(total));
	bpf_alu(c, BPF_ADD, R3, R1);
	bpf_store(c, BPF_DW, ENTRY, times + TIMES(total), R3);
	bpf_load(c, BPF_DW, R3, ENTRY, times + TIMES(nr));
	bpf_alu_imm(c, BPF_ADD, R3, 1);
	bpf_store(c, BPF_DW, ENTRY, times + TIMES(nr), R3);
	bpf_load(c, BPF_DW, R3, ENTRY, times + TIMES(max));
	bpf_jump_if(c, BPF_JLT, R1, R3, shorter);
	bpf_store(c, BPF_DW, ENTRY, times + TIMES(max), R1);
	bpf_store(c, BPF_DW, ENTRY, times + TIMES(max_start), R2);
	bpf_store(c, BPF_DW, ENTRY, times + TIMES(max_end), NOW);
	bpf_place(c, shorter);
}

void work_write_raise(struct bpf_code *c, const struct kernel_work *w, const struct work_context *at)
{
	u32 out = bpf_label(c);

	begin(c);
	note_key(c, at);
	find_or_make(c, w, OPEN, &w->open, AT_OPEN, AT_STATE, out);
	/* raised again before it runs: the first raise counts */
	bpf_load(c, BPF_DW, R1, OPEN, STATE(raise));
	bpf_jump_imm(c, BPF_JNE, R1, 0, out);
	bpf_store(c, BPF_DW, OPEN, STATE(raise), NOW);
	bpf_place(c, out);
	bpf_return_one(c);
}

void work_write_enter(struct bpf_code *c, const struct kernel_work *w, const struct work_context *at)
{
	u32 out = bpf_label(c);

	begin(c);
	note_key(c, at);
	find_or_make(c, w, OPEN, &w->open, AT_OPEN, AT_STATE, out);
	bpf_store(c, BPF_DW, OPEN, STATE(entry), NOW);
	if (at->function >= 0) {
		bpf_load(c, BPF_DW, R1, CTX, at->function);
		bpf_store(c, BPF_DW, OPEN, STATE(function), R1);
	}
	bpf_load(c, BPF_DW, R1, OPEN, STATE(raise));
	bpf_jump_imm(c, BPF_JEQ, R1, 0, out);
	find_entry(c, w, out);
	bpf_load(c, BPF_DW, R2, OPEN, STATE(raise));
	bpf_store_imm(c, BPF_DW, OPEN, STATE(raise), 0);
	bpf_jump_if(c, BPF_JGT, R2, NOW, out);
	add_time(c, offsetof(struct kernel_work_entry, delay));
	bpf_place(c, out);
	bpf_return_one(c);
}

void work_write_leave(struct bpf_code *c, const struct kernel_work *w, const struct work_context *at)
{
	u32 out = bpf_label(c), forget = bpf_label(c);

	begin(c);
	note_key(c, at);
	bpf_lookup(c, w->open.fd, AT_OPEN);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, out);
	bpf_copy(c, OPEN, R0);
	bpf_load(c, BPF_DW, R1, OPEN, STATE(entry));
	bpf_jump_imm(c, BPF_JEQ, R1, 0, out);
	find_entry(c, w, forget);
	bpf_load(c, BPF_DW, R2, OPEN, STATE(entry));
	bpf_jump_if(c, BPF_JGT, R2, NOW, forget);
	add_time(c, offsetof(struct kernel_work_entry, run));
	bpf_place(c, forget);
	bpf_store_imm(c, BPF_DW, OPEN, STATE(entry), 0);
	if (at->class == KWORK_WORKQUEUE) {
		/* works live in allocated memory: the entry goes unless it was raised again */
		bpf_load(c, BPF_DW, R1, OPEN, STATE(raise));
		bpf_jump_imm(c, BPF_JNE, R1, 0, out);
		bpf_remove(c, w->open.fd, AT_OPEN);
	}
	bpf_place(c, out);
	bpf_return_one(c);
}

/* ---- top ---- */

static void find_cpu(struct bpf_code *c, const struct kernel_work *w, u32 out)
{
	bpf_lookup_only(c, w->cpu.fd, AT_INDEX);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, out);
	bpf_copy(c, CPU, R0);
}

/* register 1 = the larger one of registers 1 and 2 */
static void take_larger(struct bpf_code *c)
{
	u32 done = bpf_label(c);

	bpf_jump_if(c, BPF_JGE, R1, R2, done);
	bpf_copy(c, R1, R2);
	bpf_place(c, done);
}

static void add_to_state(struct bpf_code *c, s16 field, u8 reg)
{
	bpf_load(c, BPF_DW, R3, CPU, field);
	bpf_alu(c, BPF_ADD, R3, reg);
	bpf_store(c, BPF_DW, CPU, field, R3);
}

void work_write_top_enter(struct bpf_code *c, const struct kernel_work *w, enum kwork_class class)
{
	u32 out = bpf_label(c), inner = bpf_label(c);

	begin(c);
	find_cpu(c, w, out);
	bpf_store(c, BPF_DW, CPU, class == KWORK_IRQ ? OF(irq_entry) : OF(softirq_entry), NOW);
	bpf_load(c, BPF_W, R1, CPU, OF(depth));
	bpf_jump_imm(c, BPF_JNE, R1, 0, inner);
	bpf_store(c, BPF_DW, CPU, OF(outer), NOW);
	bpf_place(c, inner);
	bpf_alu_imm(c, BPF_ADD, R1, 1);
	bpf_store(c, BPF_W, CPU, OF(depth), R1);
	bpf_place(c, out);
	bpf_return_one(c);
}

void work_write_top_leave(struct bpf_code *c, const struct kernel_work *w, enum kwork_class class)
{
	s16 entry = class == KWORK_IRQ ? OF(irq_entry) : OF(softirq_entry);
	u32 out = bpf_label(c);

	begin(c);
	find_cpu(c, w, out);
	bpf_load(c, BPF_DW, R1, CPU, entry);
	bpf_jump_imm(c, BPF_JEQ, R1, 0, out);
	bpf_store_imm(c, BPF_DW, CPU, entry, 0);
	bpf_copy(c, R2, NOW);
	bpf_alu(c, BPF_SUB, R2, R1);
	add_to_state(c, class == KWORK_IRQ ? OF(irq) : OF(softirq), R2);
	bpf_load(c, BPF_W, R1, CPU, OF(depth));
	bpf_jump_imm(c, BPF_JEQ, R1, 0, out);
	bpf_alu_imm(c, BPF_SUB, R1, 1);
	bpf_store(c, BPF_W, CPU, OF(depth), R1);
	bpf_jump_imm(c, BPF_JNE, R1, 0, out);
	bpf_load(c, BPF_W, R1, CPU, OF(known));
	bpf_jump_imm(c, BPF_JEQ, R1, 0, out);
	/* the outermost one has ended: its time is not that of the task */
	bpf_load(c, BPF_DW, R1, CPU, OF(outer));
	bpf_load(c, BPF_DW, R2, CPU, OF(since));
	take_larger(c);
	bpf_jump_if(c, BPF_JGE, R1, NOW, out);
	bpf_copy(c, R2, NOW);
	bpf_alu(c, BPF_SUB, R2, R1);
	add_to_state(c, OF(stolen), R2);
	bpf_place(c, out);
	bpf_return_one(c);
}

/* the share of the task that stops running; register 1 is its time */
static void add_share(struct bpf_code *c, const struct kernel_work *w, const struct switch_context *at,
		      u32 done)
{
	bpf_store(c, BPF_DW, FRAME, AT_RAN, R1);
	bpf_load(c, BPF_W, R1, CTX, at->prev_pid);
	bpf_store(c, BPF_W, FRAME, AT_SHARE + (s16)offsetof(struct kernel_share_key, tid), R1);
	bpf_call_helper(c, BPF_FUNC_get_smp_processor_id);
	bpf_store(c, BPF_W, FRAME, AT_SHARE + (s16)offsetof(struct kernel_share_key, cpu), R0);
	find_or_make(c, w, ENTRY, &w->share, AT_SHARE, AT_TIME, done);
	bpf_load(c, BPF_DW, R1, ENTRY, offsetof(struct kernel_share, ns));
	bpf_load(c, BPF_DW, R2, FRAME, AT_RAN);
	bpf_alu(c, BPF_ADD, R1, R2);
	bpf_store(c, BPF_DW, ENTRY, offsetof(struct kernel_share, ns), R1);
	for (s16 i = 0; i < 16; i += 4) {
		bpf_load(c, BPF_W, R1, CTX, at->prev_comm + i);
		bpf_store(c, BPF_W, ENTRY, (s16)offsetof(struct kernel_share, comm) + i, R1);
	}
}

void work_write_top_switch(struct bpf_code *c, const struct kernel_work *w, const struct switch_context *at)
{
	u32 out = bpf_label(c), next = bpf_label(c), other = bpf_label(c), seen = bpf_label(c);
	u32 some = bpf_label(c);

	begin(c);
	find_cpu(c, w, out);
	bpf_load(c, BPF_W, R1, CPU, OF(known));
	bpf_jump_imm(c, BPF_JEQ, R1, 0, next);
	bpf_copy(c, R1, NOW);
	bpf_load(c, BPF_DW, R2, CPU, OF(since));
	bpf_alu(c, BPF_SUB, R1, R2);
	/* after a lost switch nobody knows who ran since when */
	bpf_load(c, BPF_W, R2, CPU, OF(current));
	bpf_load(c, BPF_W, R3, CTX, at->prev_pid);
	bpf_jump_if(c, BPF_JNE, R2, R3, other);
	bpf_load(c, BPF_DW, R2, CPU, OF(stolen));
	bpf_jump_if(c, BPF_JGE, R1, R2, some);
	bpf_copy(c, R2, R1);
	bpf_place(c, some);
	bpf_alu(c, BPF_SUB, R1, R2);
	add_share(c, w, at, next);
	bpf_jump_always(c, next);
	bpf_place(c, other);
	add_to_state(c, OF(unknown), R1);
	bpf_place(c, next);
	bpf_load(c, BPF_DW, R1, CPU, OF(first));
	bpf_jump_imm(c, BPF_JNE, R1, 0, seen);
	bpf_store(c, BPF_DW, CPU, OF(first), NOW);
	bpf_place(c, seen);
	bpf_store(c, BPF_DW, CPU, OF(last), NOW);
	bpf_store(c, BPF_DW, CPU, OF(since), NOW);
	bpf_store_imm(c, BPF_DW, CPU, OF(stolen), 0);
	/* no task is switched inside of an interrupt */
	bpf_store_imm(c, BPF_W, CPU, OF(depth), 0);
	bpf_store_imm(c, BPF_W, CPU, OF(known), 1);
	bpf_load(c, BPF_W, R1, CTX, at->next_pid);
	bpf_store(c, BPF_W, CPU, OF(current), R1);
	bpf_place(c, out);
	bpf_return_one(c);
}
