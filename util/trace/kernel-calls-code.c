/*
 * Kernel-calls-code: see kernel-calls-code.h. Registers of the programs at calls: 6 is the context, 7 the
 * pending call, 9 the room for the record, 8 the number of bytes behind its head.
 */
#include "kernel-calls-code.h"
#include "../bpf/registers.h"

#include <stddef.h>

#define CTX BPF_REG_6
#define CALL BPF_REG_7
#define BYTES BPF_REG_8
#define ROOM BPF_REG_9

/* places in the frame */
#define AT_TID (-4)		/* u32 */
#define AT_KEY (-8)		/* u32: number of a rule, 0 */
#define AT_RULE (-16)		/* address of the rule */
#define AT_SIZE (-24)		/* u64: bytes of the argument that is read */
#define AT_POINTER (-112)	/* u64: the next element of an array of strings */
#define AT_START (-120)		/* u64: BYTES before an argument */
#define AT_NEW (-104)		/* struct pending_call, all 0 */
#define AT_RING (-136)		/* what bpf_inplace_begin() keeps */
#define AT_VECTORS (-128)	/* u64: address of an array of struct iovec */
#define AT_REGS (-408)		/* struct pt_regs; later struct user_msghdr and a struct iovec */
#define AT_MESSAGE AT_REGS
#define AT_VECTOR (AT_REGS + 64)

/* the reader is woken when so much is written, or half of a ring: with less, it has less to do at the end */
#define WAKE_BYTES (512u << 10)

#define HEAD(field) offsetof(struct kernel_call, field)
#define PENDING(field) offsetof(struct pending_call, field)
#define RULE(field) offsetof(struct kernel_call_rule, field)

_Static_assert(sizeof(struct pending_call) == 72, "AT_NEW has room for it");

/* goes to `out` if neither 64-bit nor 32-bit programs' calls of the number in register 2 are wanted */
static void choose_number(struct bpf_code *c, const struct kernel_calls *k, u32 out)
{
	u32 wanted = bpf_label(c);

	bpf_store(c, BPF_W, FRAME, AT_KEY, R2);
	for (u32 i = 0; i < 2; i++) {
		bpf_lookup(c, k->rules.fd, AT_KEY);
		bpf_jump_imm(c, BPF_JEQ, R0, 0, out);
		bpf_load(c, BPF_W, R1, R0, RULE(wanted));
		bpf_jump_imm(c, BPF_JNE, R1, 0, wanted);
		bpf_load(c, BPF_W, R2, FRAME, AT_KEY);
		bpf_alu_imm(c, BPF_ADD, R2, KERNEL_CALLS_NR_MAX);
		bpf_store(c, BPF_W, FRAME, AT_KEY, R2);
	}
	bpf_jump_always(c, out);
	bpf_place(c, wanted);
}

/* the rule of the number in AT_KEY to register 0; goes to `out` if it is not wanted */
static void choose_rule(struct bpf_code *c, const struct kernel_calls *k, u32 out)
{
	bpf_lookup(c, k->rules.fd, AT_KEY);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, out);
	bpf_load(c, BPF_W, R1, R0, RULE(wanted));
	bpf_jump_imm(c, BPF_JEQ, R1, 0, out);
}

/*
 * The thread's entry in the table of pending calls to CALL, 0 if there is none; goes to `out` if nobody looks
 * at the task. A thread that has an entry was chosen before
 */
static void choose_thread(struct bpf_code *c, const struct kernel_calls *k, u32 out)
{
	u32 chosen = bpf_label(c);

	bpf_call_helper(c, BPF_FUNC_get_current_pid_tgid);
	bpf_store(c, BPF_W, FRAME, AT_TID, R0);
	bpf_lookup(c, k->pending.fd, AT_TID);
	bpf_copy(c, CALL, R0);
	bpf_jump_imm(c, BPF_JNE, CALL, 0, chosen);
	bpf_tasks_choose(c, &k->tasks, AT_TID, CALL, out);
	bpf_store(c, BPF_DW, FRAME, AT_SIZE, R0);
	bpf_set(c, CALL, 0);
	bpf_place(c, chosen);
}

/* makes the entry if there is none; AT_SIZE: the process */
static void make_pending(struct bpf_code *c, const struct kernel_calls *k, u32 out)
{
	u32 found = bpf_label(c), made = bpf_label(c);

	bpf_jump_imm(c, BPF_JNE, CALL, 0, found);
	bpf_clear(c, FRAME, AT_NEW, sizeof(struct pending_call));
	bpf_load(c, BPF_DW, R1, FRAME, AT_SIZE);
	bpf_store(c, BPF_W, FRAME, AT_NEW + (s16)PENDING(pid), R1);
	bpf_update(c, k->pending.fd, AT_TID, AT_NEW, BPF_NOEXIST);
	bpf_lookup(c, k->pending.fd, AT_TID);
	bpf_jump_imm(c, BPF_JNE, R0, 0, made);
	/* no room: counted */
	bpf_store_imm(c, BPF_W, FRAME, AT_KEY, 0);
	bpf_count(c, k->missed.fd, AT_KEY);
	bpf_jump_always(c, out);
	bpf_place(c, made);
	bpf_copy(c, CALL, R0);
	bpf_place(c, found);
}

/* registers to the pending call; BYTES is 1 for a 32-bit program */
static void note_arguments(struct bpf_code *c, const struct call_regs *regs)
{
	u32 compat = bpf_label(c), done = bpf_label(c);

	bpf_jump_imm(c, BPF_JNE, BYTES, 0, compat);
	for (u32 i = 0; i < KERNEL_CALLS_ARGS; i++) {
		bpf_load(c, BPF_DW, R1, FRAME, AT_REGS + (s16)regs->arg[i]);
		bpf_store(c, BPF_DW, CALL, PENDING(arg) + (s16)(8 * i), R1);
	}
	bpf_jump_always(c, done);
	bpf_place(c, compat);
	for (u32 i = 0; i < KERNEL_CALLS_ARGS; i++) {
		bpf_load(c, BPF_W, R1, FRAME, AT_REGS + (s16)regs->compat_arg[i]);
		bpf_store(c, BPF_DW, CALL, PENDING(arg) + (s16)(8 * i), R1);
	}
	bpf_place(c, done);
}

/* the room of this CPU to ROOM, with its head filled from the pending call, but for the result */
static void begin_record(struct bpf_code *c, const struct kernel_calls *k, u32 out)
{
	if (k->inplace.nr) {
		bpf_inplace_begin(c, &k->model, &k->rings_inplace, ROOM, AT_RING, AT_KEY, out);
	} else {
		bpf_lookup_only(c, k->scratch.fd, AT_KEY);
		bpf_jump_imm(c, BPF_JEQ, R0, 0, out);
		bpf_copy(c, ROOM, R0);
	}
	bpf_load(c, BPF_DW, R1, CALL, PENDING(enter_ns));
	bpf_store(c, BPF_DW, ROOM, HEAD(enter_ns), R1);
	for (u32 i = 0; i < KERNEL_CALLS_ARGS; i++) {
		bpf_load(c, BPF_DW, R1, CALL, PENDING(arg) + (s16)(8 * i));
		bpf_store(c, BPF_DW, ROOM, HEAD(arg) + (s16)(8 * i), R1);
	}
	bpf_load(c, BPF_W, R1, CALL, PENDING(nr));
	bpf_store(c, BPF_W, ROOM, HEAD(nr), R1);
	bpf_load(c, BPF_W, R1, CALL, PENDING(flags));
	bpf_store(c, BPF_W, ROOM, HEAD(flags), R1);
	bpf_load(c, BPF_W, R1, CALL, PENDING(pid));
	bpf_store(c, BPF_W, ROOM, HEAD(pid), R1);
	bpf_load(c, BPF_W, R1, FRAME, AT_TID);
	bpf_store(c, BPF_W, ROOM, HEAD(tid), R1);
	bpf_store_imm(c, BPF_DW, ROOM, HEAD(len), 0);
	bpf_store_imm(c, BPF_DW, ROOM, HEAD(len) + 8, 0);
}

/*
 * The number of bytes that were read is kept in the record. After a load the verifier knows nothing of it but
 * what is tested, so that all ways through one argument are one state at the next: 20 times fewer states
 */
static void load_bytes(struct bpf_code *c, u32 full)
{
	bpf_load(c, BPF_H, BYTES, ROOM, HEAD(bytes));
	bpf_jump_imm(c, BPF_JGT, BYTES, DATA_MAX, full);
}

/* register 0 more of them */
static void add_bytes(struct bpf_code *c)
{
	bpf_alu(c, BPF_ADD, BYTES, R0);
	bpf_store(c, BPF_H, ROOM, HEAD(bytes), BYTES);
}

/* head and BYTES of data to the ring of this CPU; wakes its reader now and then */
static void write_to_ring(struct bpf_code *c, const struct kernel_calls *k)
{
	u32 done = bpf_label(c), quiet = bpf_label(c);

	bpf_call_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_store(c, BPF_DW, ROOM, HEAD(end_ns), R0);
	bpf_call_helper(c, BPF_FUNC_get_smp_processor_id);
	bpf_store(c, BPF_W, FRAME, AT_KEY, R0);
	bpf_lookup(c, k->rings.fd, AT_KEY);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, done);
	bpf_copy(c, R1, R0);
	bpf_copy(c, R2, ROOM);
	bpf_copy(c, R3, BYTES);
	bpf_alu_imm(c, BPF_ADD, R3, sizeof(struct kernel_call));
	bpf_load(c, BPF_DW, R5, ROOM, offsetof(struct call_room, unread));
	bpf_alu(c, BPF_ADD, R5, R3);
	bpf_store(c, BPF_DW, ROOM, offsetof(struct call_room, unread), R5);
	bpf_set(c, R4, BPF_RB_NO_WAKEUP);
	bpf_jump_imm(c, BPF_JLT, R5, (s32)MIN(k->ring_bytes / 2, WAKE_BYTES), quiet);
	bpf_store_imm(c, BPF_DW, ROOM, offsetof(struct call_room, unread), 0);
	bpf_set(c, R4, BPF_RB_FORCE_WAKEUP);
	bpf_place(c, quiet);
	bpf_call_helper(c, BPF_FUNC_ringbuf_output);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, done);
	bpf_load(c, BPF_DW, R1, ROOM, offsetof(struct call_room, lost));
	bpf_alu_imm(c, BPF_ADD, R1, 1);
	bpf_store(c, BPF_DW, ROOM, offsetof(struct call_room, lost), R1);
	bpf_place(c, done);
}

/* head and BYTES of data are in the ring of this CPU: they can be read; wakes the reader now and then */
static void end_in_place(struct bpf_code *c, const struct kernel_calls *k)
{
	u32 done = bpf_label(c);

	bpf_call_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_store(c, BPF_DW, ROOM, HEAD(end_ns), R0);
	bpf_copy(c, R3, BYTES);
	bpf_alu_imm(c, BPF_ADD, R3, sizeof(struct kernel_call));
	bpf_inplace_end(c, &k->model, ROOM, AT_RING, MIN(k->model.size / 2, WAKE_BYTES), done);
	bpf_call_helper(c, BPF_FUNC_get_smp_processor_id);
	bpf_store(c, BPF_W, FRAME, AT_KEY, R0);
	bpf_lookup(c, k->rings.fd, AT_KEY);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, done);
	bpf_copy(c, R1, R0);
	bpf_frame_address(c, R2, AT_KEY);
	bpf_set(c, R3, 4);
	bpf_set(c, R4, BPF_RB_FORCE_WAKEUP);
	bpf_call_helper(c, BPF_FUNC_ringbuf_output);
	bpf_place(c, done);
}

static void write_sample(struct bpf_code *c, const struct kernel_calls *k)
{
	bpf_copy(c, R1, CTX);
	bpf_set_map(c, R2, k->output.fd);
	bpf_set64(c, R3, BPF_F_CURRENT_CPU);
	bpf_copy(c, R4, ROOM);
	bpf_copy(c, R5, BYTES);
	bpf_alu_imm(c, BPF_ADD, R5, sizeof(struct kernel_call));
	bpf_call_helper(c, BPF_FUNC_perf_event_output);
}

/* head and data to the ring of this CPU */
static void end_record(struct bpf_code *c, const struct kernel_calls *k)
{
	u32 fits = bpf_label(c);

	bpf_load(c, BPF_H, BYTES, ROOM, HEAD(bytes));
	bpf_jump_imm(c, BPF_JLE, BYTES, sizeof(((struct call_room *)0)->data), fits);
	bpf_set(c, BYTES, 0);
	bpf_place(c, fits);
	if (k->inplace.nr)
		end_in_place(c, k);
	else if (k->ring.nr)
		write_to_ring(c, k);
	else
		write_sample(c, k);
}

/* register 3 = the number of bytes to read of argument i, register 1 its rule; at most max; goes to next */
static void count_bytes(struct bpf_code *c, s16 rule, u32 next)
{
	u32 by_arg = bpf_label(c), capped = bpf_label(c), sized = bpf_label(c), not_at = bpf_label(c);
	u32 not_bits = bpf_label(c);

	bpf_set(c, R3, 1);
	bpf_jump_imm(c, BPF_JLT, R2, KERNEL_CALL_BY_ARG, sized);
	/* the argument that has the number: 0 to 7, which is within the room */
	bpf_load(c, BPF_B, R4, R1, rule + offsetof(struct kernel_call_copy, by_arg));
	bpf_alu_imm(c, BPF_AND, R4, 7);
	bpf_alu_imm(c, BPF_LSH, R4, 3);
	bpf_alu(c, BPF_ADD, R4, ROOM);
	bpf_load(c, BPF_DW, R3, R4, HEAD(arg));
	bpf_jump_imm(c, BPF_JEQ, R2, KERNEL_CALL_BY_ARG, by_arg);
	bpf_jump_imm(c, BPF_JNE, R2, KERNEL_CALL_BY_BITS, not_bits);
	bpf_alu_imm(c, BPF_ADD, R3, 63);
	bpf_alu_imm(c, BPF_RSH, R3, 6);
	bpf_jump_always(c, by_arg);
	bpf_place(c, not_bits);
	bpf_jump_imm(c, BPF_JNE, R2, KERNEL_CALL_AT, not_at);
	bpf_store_imm(c, BPF_DW, FRAME, AT_SIZE, 0);
	bpf_copy(c, R1, FRAME);
	bpf_alu_imm(c, BPF_ADD, R1, AT_SIZE);
	bpf_set(c, R2, 4);
	bpf_call_helper(c, BPF_FUNC_probe_read_user);
	bpf_jump_imm(c, BPF_JNE, R0, 0, next);
	bpf_load(c, BPF_W, R3, FRAME, AT_SIZE);
	bpf_load(c, BPF_DW, R1, FRAME, AT_RULE);
	bpf_set(c, R2, KERNEL_CALL_AT);
	bpf_jump_always(c, by_arg);
	bpf_place(c, not_at);
	bpf_load(c, BPF_DW, R4, ROOM, HEAD(ret));
	bpf_jump_if(c, BPF_JLE, R3, R4, by_arg);
	bpf_copy(c, R3, R4);
	bpf_place(c, by_arg);
	bpf_jump_imm(c, BPF_JLE, R3, KERNEL_CALLS_ARG_MAX, capped);
	bpf_set(c, R3, KERNEL_CALLS_ARG_MAX);
	bpf_place(c, capped);
	bpf_jump_imm(c, BPF_JEQ, R3, 0, next);
	bpf_place(c, sized);
	bpf_load(c, BPF_H, R4, R1, rule + offsetof(struct kernel_call_copy, size));
	bpf_alu(c, BPF_MUL, R3, R4);
	bpf_load(c, BPF_H, R4, R1, rule + offsetof(struct kernel_call_copy, max));
}

/* the strings of argument i, an array of pointers; goes to next */
static void read_strings(struct bpf_code *c, u32 i, u32 next)
{
	u32 done = bpf_label(c);

	bpf_load(c, BPF_W, R1, ROOM, HEAD(flags));
	bpf_alu_imm(c, BPF_AND, R1, KERNEL_CALL_IS_COMPAT);
	bpf_jump_imm(c, BPF_JNE, R1, 0, next);
	bpf_load(c, BPF_DW, R1, ROOM, HEAD(arg) + (s16)(8 * i));
	bpf_store(c, BPF_DW, FRAME, AT_POINTER, R1);
	bpf_store(c, BPF_DW, FRAME, AT_START, BYTES);
	for (u32 n = 0; n < KERNEL_CALLS_STRINGS; n++) {
		bpf_copy(c, R1, FRAME);
		bpf_alu_imm(c, BPF_ADD, R1, AT_SIZE);
		bpf_set(c, R2, 8);
		bpf_load(c, BPF_DW, R3, FRAME, AT_POINTER);
		bpf_call_helper(c, BPF_FUNC_probe_read_user);
		bpf_jump_imm(c, BPF_JNE, R0, 0, done);
		bpf_load(c, BPF_DW, R3, FRAME, AT_SIZE);
		bpf_jump_imm(c, BPF_JEQ, R3, 0, done);
		load_bytes(c, done);
		bpf_copy(c, R1, ROOM);
		bpf_alu(c, BPF_ADD, R1, BYTES);
		bpf_alu_imm(c, BPF_ADD, R1, sizeof(struct kernel_call));
		bpf_set(c, R2, KERNEL_CALLS_STRING_MAX);
		bpf_call_helper(c, BPF_FUNC_probe_read_user_str);
		bpf_jump_imm(c, BPF_JSLE, R0, 0, done);
		bpf_jump_imm(c, BPF_JSGT, R0, KERNEL_CALLS_STRING_MAX, done);
		add_bytes(c);
		bpf_load(c, BPF_DW, R1, FRAME, AT_POINTER);
		bpf_alu_imm(c, BPF_ADD, R1, 8);
		bpf_store(c, BPF_DW, FRAME, AT_POINTER, R1);
	}
	bpf_place(c, done);
	bpf_load(c, BPF_H, R0, ROOM, HEAD(bytes));
	bpf_load(c, BPF_DW, R1, FRAME, AT_START);
	bpf_alu(c, BPF_SUB, R0, R1);
	bpf_store(c, BPF_H, ROOM, HEAD(len) + (s16)(2 * i), R0);
	bpf_jump_always(c, next);
}

/* only argv of execve and execveat are arrays of strings */
static bool can_be_strings(u32 i)
{
	return i == 1 || i == 2;
}

/* reads what argument i points to, behind what was read before */
static void read_argument(struct bpf_code *c, u32 i)
{
	s16 rule = RULE(arg) + (s16)(i * sizeof(struct kernel_call_copy));
	u32 next = bpf_label(c), small = bpf_label(c), string = bpf_label(c), done = bpf_label(c);
	u32 always = bpf_label(c), whole = bpf_label(c), bytes = can_be_strings(i) ? bpf_label(c) : 0;

	bpf_load(c, BPF_DW, R1, FRAME, AT_RULE);
	bpf_load(c, BPF_B, R2, R1, rule + offsetof(struct kernel_call_copy, count));
	bpf_jump_imm(c, BPF_JEQ, R2, KERNEL_CALL_NOTHING, next);
	bpf_load(c, BPF_B, R3, R1, rule + offsetof(struct kernel_call_copy, on_success));
	bpf_jump_imm(c, BPF_JEQ, R3, 0, always);
	bpf_load(c, BPF_DW, R3, ROOM, HEAD(ret));
	bpf_jump_imm(c, BPF_JSLT, R3, 0, next);
	bpf_place(c, always);
	load_bytes(c, next);
	if (can_be_strings(i)) {
		bpf_jump_imm(c, BPF_JNE, R2, KERNEL_CALL_STRINGS, bytes);
		read_strings(c, i, next);
		bpf_place(c, bytes);
	}
	count_bytes(c, rule, next);
	bpf_jump_imm(c, BPF_JNE, R2, KERNEL_CALL_STRING, small);
	bpf_copy(c, R3, R4);
	bpf_place(c, small);
	bpf_jump_if(c, BPF_JLE, R3, R4, whole);
	bpf_copy(c, R3, R4);
	bpf_place(c, whole);
	bpf_jump_imm(c, BPF_JGT, R3, KERNEL_CALLS_ARG_MAX, next);
	bpf_store(c, BPF_DW, FRAME, AT_SIZE, R3);

	bpf_copy(c, R4, R2);
	bpf_copy(c, R2, R3);
	bpf_load(c, BPF_DW, R3, ROOM, HEAD(arg) + (s16)(8 * i));
	bpf_copy(c, R1, ROOM);
	bpf_alu(c, BPF_ADD, R1, BYTES);
	bpf_alu_imm(c, BPF_ADD, R1, sizeof(struct kernel_call));
	bpf_jump_imm(c, BPF_JEQ, R4, KERNEL_CALL_STRING, string);
	bpf_call_helper(c, BPF_FUNC_probe_read_user);
	bpf_jump_imm(c, BPF_JNE, R0, 0, next);
	bpf_load(c, BPF_DW, R0, FRAME, AT_SIZE);
	bpf_jump_always(c, done);
	bpf_place(c, string);
	bpf_call_helper(c, BPF_FUNC_probe_read_user_str);
	bpf_place(c, done);
	bpf_jump_imm(c, BPF_JSLE, R0, 0, next);
	bpf_jump_imm(c, BPF_JSGT, R0, KERNEL_CALLS_ARG_MAX, next);
	bpf_store(c, BPF_H, ROOM, HEAD(len) + (s16)(2 * i), R0);
	add_bytes(c);
	bpf_place(c, next);
}

/* size bytes of the program, whose address is in register 3, to the frame at `to`; else goes to out */
static void read_frame(struct bpf_code *c, s16 to, u32 size, u32 out)
{
	bpf_frame_address(c, R1, to);
	bpf_set(c, R2, (s32)size);
	bpf_call_helper(c, BPF_FUNC_probe_read_user);
	bpf_jump_imm(c, BPF_JNE, R0, 0, out);
}

/* a part: the bytes at the address in AT_POINTER, as many as register 2 says, below 257. Goes to next */
static void add_part(struct bpf_code *c, u32 next)
{
	bpf_jump_imm(c, BPF_JEQ, R2, 0, next);
	bpf_jump_imm(c, BPF_JGT, R2, KERNEL_CALLS_ARG_MAX, next);
	bpf_store(c, BPF_DW, FRAME, AT_SIZE, R2);
	load_bytes(c, next);
	bpf_copy(c, R1, ROOM);
	bpf_alu(c, BPF_ADD, R1, BYTES);
	bpf_alu_imm(c, BPF_ADD, R1, sizeof(struct kernel_call) + sizeof(struct kernel_call_part));
	bpf_load(c, BPF_DW, R3, FRAME, AT_POINTER);
	bpf_call_helper(c, BPF_FUNC_probe_read_user);
	bpf_jump_imm(c, BPF_JNE, R0, 0, next);
	bpf_copy(c, R1, ROOM);
	bpf_alu(c, BPF_ADD, R1, BYTES);
	bpf_load(c, BPF_DW, R2, FRAME, AT_POINTER);
	bpf_store(c, BPF_DW, R1, sizeof(struct kernel_call) + offsetof(struct kernel_call_part, addr), R2);
	bpf_load(c, BPF_DW, R0, FRAME, AT_SIZE);
	bpf_store(c, BPF_DW, R1, sizeof(struct kernel_call) + offsetof(struct kernel_call_part, len), R0);
	bpf_alu_imm(c, BPF_ADD, R0, sizeof(struct kernel_call_part));
	add_bytes(c);
	bpf_load(c, BPF_H, R1, ROOM, HEAD(nr_parts));
	bpf_alu_imm(c, BPF_ADD, R1, 1);
	bpf_store(c, BPF_H, ROOM, HEAD(nr_parts), R1);
	bpf_jump_always(c, next);
}

/* register 2 is at most max */
static void cap(struct bpf_code *c, s32 max)
{
	u32 fits = bpf_label(c);

	bpf_jump_imm(c, BPF_JLE, R2, max, fits);
	bpf_set(c, R2, max);
	bpf_place(c, fits);
}

/* a part of a message: pointer and size are fields of the struct user_msghdr at AT_MESSAGE */
static void add_message_part(struct bpf_code *c, s16 pointer, s16 size_at, u8 size)
{
	u32 next = bpf_label(c);

	bpf_load(c, BPF_DW, R1, FRAME, AT_MESSAGE + pointer);
	bpf_store(c, BPF_DW, FRAME, AT_POINTER, R1);
	bpf_load(c, size, R2, FRAME, AT_MESSAGE + size_at);
	cap(c, KERNEL_CALLS_PART_MAX);
	add_part(c, next);
	bpf_place(c, next);
}

/* struct user_msghdr: name, its length, vectors, their number, control data, its length */
static void read_message(struct bpf_code *c, u32 out)
{
	enum { NAME = 0, NAME_LEN = 8, VECTORS = 16, NR = 24, CONTROL = 32, CONTROL_LEN = 40, SIZE = 56 };
	u32 next = bpf_label(c);

	bpf_load(c, BPF_DW, R3, ROOM, HEAD(arg) + 8);
	read_frame(c, AT_MESSAGE, SIZE, out);
	add_message_part(c, NAME, NAME_LEN, BPF_W);
	add_message_part(c, CONTROL, CONTROL_LEN, BPF_DW);
	bpf_load(c, BPF_DW, R1, FRAME, AT_MESSAGE + VECTORS);
	bpf_store(c, BPF_DW, FRAME, AT_POINTER, R1);
	bpf_store(c, BPF_DW, FRAME, AT_VECTORS, R1);
	bpf_load(c, BPF_DW, R2, FRAME, AT_MESSAGE + NR);
	bpf_store(c, BPF_DW, FRAME, AT_START, R2);
	cap(c, KERNEL_CALLS_VECTORS);
	bpf_alu_imm(c, BPF_LSH, R2, 4);
	add_part(c, next);
	bpf_place(c, next);
}

/* the buffer of struct iovec number i of the array at AT_VECTORS, which has AT_START of them */
static void read_vector(struct bpf_code *c, s32 i, u32 out)
{
	u32 next = bpf_label(c), fits = bpf_label(c);

	bpf_load(c, BPF_DW, R1, FRAME, AT_START);
	bpf_jump_imm(c, BPF_JLE, R1, i, out);
	bpf_load(c, BPF_DW, R3, FRAME, AT_VECTORS);
	bpf_alu_imm(c, BPF_ADD, R3, 16 * i);
	read_frame(c, AT_VECTOR, 16, out);
	bpf_load(c, BPF_DW, R1, FRAME, AT_VECTOR);
	bpf_store(c, BPF_DW, FRAME, AT_POINTER, R1);
	bpf_load(c, BPF_DW, R2, FRAME, AT_VECTOR + 8);
	bpf_load(c, BPF_DW, R1, FRAME, AT_RULE);
	bpf_load(c, BPF_H, R1, R1, RULE(buffer_max));
	bpf_jump_if(c, BPF_JLE, R2, R1, fits);
	bpf_copy(c, R2, R1);
	bpf_place(c, fits);
	add_part(c, next);
	bpf_place(c, next);
}

/* what the bytes of argument 1 point to */
static void read_parts(struct bpf_code *c)
{
	u32 out = bpf_label(c), iovec = bpf_label(c), vectors = bpf_label(c);

	bpf_load(c, BPF_DW, R1, FRAME, AT_RULE);
	bpf_load(c, BPF_H, R2, R1, RULE(parts));
	bpf_jump_imm(c, BPF_JEQ, R2, KERNEL_CALL_NO_PARTS, out);
	/* of calls whose bytes were not read, as they failed, parts say nothing */
	bpf_load(c, BPF_H, R1, ROOM, HEAD(len) + 2);
	bpf_jump_imm(c, BPF_JEQ, R1, 0, out);
	bpf_jump_imm(c, BPF_JEQ, R2, KERNEL_CALL_PARTS_IOVEC, iovec);
	read_message(c, out);
	bpf_jump_always(c, vectors);
	bpf_place(c, iovec);
	bpf_load(c, BPF_DW, R1, ROOM, HEAD(arg) + 8);
	bpf_store(c, BPF_DW, FRAME, AT_VECTORS, R1);
	bpf_load(c, BPF_DW, R1, ROOM, HEAD(arg) + 16);
	bpf_store(c, BPF_DW, FRAME, AT_START, R1);
	bpf_place(c, vectors);
	for (s32 i = 0; i < (s32)KERNEL_CALLS_VECTORS; i++)
		read_vector(c, i, out);
	bpf_place(c, out);
}

/* the number of the call's rule to AT_KEY, from CALL */
static void key_of_pending(struct bpf_code *c)
{
	bpf_load(c, BPF_W, R1, CALL, PENDING(nr));
	bpf_load(c, BPF_W, R2, CALL, PENDING(flags));
	bpf_alu_imm(c, BPF_AND, R2, KERNEL_CALL_IS_COMPAT);
	bpf_alu_imm(c, BPF_MUL, R2, KERNEL_CALLS_NR_MAX);
	bpf_alu(c, BPF_ADD, R1, R2);
	bpf_store(c, BPF_W, FRAME, AT_KEY, R1);
}

static void read_arguments(struct bpf_code *c)
{
	for (u32 i = 0; i < KERNEL_CALLS_ARGS; i++)
		read_argument(c, i);
}

void write_enter(struct bpf_code *c, const struct kernel_calls *k, const struct kernel_calls_opts *o,
		 const struct call_regs *regs)
{
	u32 out = bpf_label(c), native = bpf_label(c), chosen = bpf_label(c), emit = bpf_label(c);

	bpf_copy(c, CTX, R1);
	bpf_load(c, BPF_DW, R2, CTX, 8);
	bpf_jump_imm(c, BPF_JGE, R2, KERNEL_CALLS_NR_MAX, out);
	/* the cheapest test first: with -e most calls end here */
	if (!o->all_wanted)
		choose_number(c, k, out);
	choose_thread(c, k, out);
	bpf_copy(c, R1, FRAME);
	bpf_alu_imm(c, BPF_ADD, R1, AT_REGS);
	bpf_set(c, R2, regs->size);
	bpf_load(c, BPF_DW, R3, CTX, 0);
	bpf_call_helper(c, BPF_FUNC_probe_read_kernel);
	bpf_jump_imm(c, BPF_JNE, R0, 0, out);

	/* BYTES: is it a call of 32-bit programs? */
	bpf_set(c, BYTES, 0);
	write_is_compat(c, regs, AT_REGS, AT_POINTER, native);
	bpf_set(c, BYTES, KERNEL_CALL_IS_COMPAT);
	bpf_place(c, native);
	bpf_copy(c, R1, BYTES);
	bpf_alu_imm(c, BPF_MUL, R1, KERNEL_CALLS_NR_MAX);
	bpf_load(c, BPF_DW, R2, CTX, 8);
	bpf_alu(c, BPF_ADD, R2, R1);
	bpf_store(c, BPF_W, FRAME, AT_KEY, R2);
	choose_rule(c, k, out);
	bpf_store(c, BPF_DW, FRAME, AT_RULE, R0);
	bpf_place(c, chosen);

	make_pending(c, k, out);
	note_arguments(c, regs);
	bpf_load(c, BPF_DW, R1, CTX, 8);
	bpf_store(c, BPF_W, CALL, PENDING(nr), R1);
	bpf_store(c, BPF_W, CALL, PENDING(flags), BYTES);
	bpf_call_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_store(c, BPF_DW, CALL, PENDING(enter_ns), R0);
	bpf_load(c, BPF_DW, R1, FRAME, AT_RULE);
	bpf_load(c, BPF_W, R1, R1, RULE(flags));
	bpf_alu_imm(c, BPF_AND, R1, KERNEL_CALL_NO_RETURN | KERNEL_CALL_REPLACES_MEMORY);
	bpf_jump_imm(c, BPF_JNE, R1, 0, emit);
	bpf_store_imm(c, BPF_W, CALL, PENDING(state), 1);
	bpf_place(c, out);
	bpf_return_one(c);

	/* exit never returns, and exec replaces the memory of its arguments: a record of the start */
	bpf_place(c, emit);
	bpf_alu_imm(c, BPF_AND, R1, KERNEL_CALL_REPLACES_MEMORY);
	bpf_store(c, BPF_W, CALL, PENDING(state), R1);
	begin_record(c, k, out);
	bpf_store_imm(c, BPF_DW, ROOM, HEAD(ret), 0);
	bpf_load(c, BPF_W, R1, ROOM, HEAD(flags));
	bpf_alu_imm(c, BPF_OR, R1, KERNEL_CALL_IS_OPEN);
	bpf_store(c, BPF_W, ROOM, HEAD(flags), R1);
	read_arguments(c);
	end_record(c, k);
	bpf_return_one(c);
}

/* --failure, --duration; register 0 is the rule */
static void drop_unwanted(struct bpf_code *c, const struct kernel_calls_opts *o, u32 out)
{
	u32 always = bpf_label(c);

	bpf_load(c, BPF_W, R1, R0, RULE(flags));
	bpf_alu_imm(c, BPF_AND, R1, KERNEL_CALL_ALWAYS);
	bpf_jump_imm(c, BPF_JNE, R1, 0, always);
	if (o->failed_only) {
		bpf_load(c, BPF_DW, R1, CTX, 8);
		bpf_jump_imm(c, BPF_JSGE, R1, 0, out);
	}
	if (o->min_ns) {
		bpf_call_helper(c, BPF_FUNC_ktime_get_ns);
		bpf_load(c, BPF_DW, R1, CALL, PENDING(enter_ns));
		bpf_alu(c, BPF_SUB, R0, R1);
		bpf_set64(c, R1, o->min_ns);
		bpf_jump_if(c, BPF_JLT, R0, R1, out);
	}
	bpf_place(c, always);
}

void write_exit(struct bpf_code *c, const struct kernel_calls *k, const struct kernel_calls_opts *o)
{
	u32 out = bpf_label(c), done = bpf_label(c), same_memory = bpf_label(c);

	bpf_copy(c, CTX, R1);
	/* the table of pending calls has only tasks that are traced */
	bpf_call_helper(c, BPF_FUNC_get_current_pid_tgid);
	bpf_store(c, BPF_W, FRAME, AT_TID, R0);
	bpf_lookup(c, k->pending.fd, AT_TID);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, out);
	bpf_copy(c, CALL, R0);
	bpf_load(c, BPF_W, R1, CALL, PENDING(state));
	bpf_jump_imm(c, BPF_JEQ, R1, 0, out);
	bpf_store_imm(c, BPF_W, CALL, PENDING(state), 0);
	key_of_pending(c);
	bpf_lookup(c, k->rules.fd, AT_KEY);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, out);
	bpf_store(c, BPF_DW, FRAME, AT_RULE, R0);
	drop_unwanted(c, o, out);
	begin_record(c, k, out);
	bpf_load(c, BPF_DW, R1, CTX, 8);
	bpf_store(c, BPF_DW, ROOM, HEAD(ret), R1);
	bpf_load(c, BPF_DW, R1, FRAME, AT_RULE);
	bpf_load(c, BPF_W, R1, R1, RULE(flags));
	bpf_alu_imm(c, BPF_AND, R1, KERNEL_CALL_REPLACES_MEMORY);
	bpf_jump_imm(c, BPF_JEQ, R1, 0, same_memory);
	bpf_load(c, BPF_DW, R1, ROOM, HEAD(ret));
	bpf_jump_imm(c, BPF_JSGE, R1, 0, done);
	bpf_place(c, same_memory);
	read_arguments(c);
	read_parts(c);
	bpf_place(c, done);
	end_record(c, k);
	bpf_place(c, out);
	bpf_return_one(c);
}
