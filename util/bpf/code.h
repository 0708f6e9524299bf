/*
 * Code: writes a BPF program, instruction by instruction. Functions append one instruction (or the two of a
 * 64-bit constant); jumps go to labels, which are placed before or after. For programs that are generated
 * from what the user typed, as filters of samples; others are written in C (set.h). Instructions: linux/bpf.h
 * and RFC 9669.
 *
 *	struct bpf_code c = { 0 };
 *	u32 out = bpf_label(&c);
 *
 *	bpf_call_helper(&c, BPF_FUNC_get_current_pid_tgid);
 *	bpf_jump_imm(&c, BPF_JEQ, BPF_REG_0, 0, out);
 *	...
 *	bpf_place(&c, out);
 *	bpf_set(&c, BPF_REG_0, 0);
 *	bpf_exit(&c);
 *	bpf_prog_load(&p, BPF_PROG_TYPE_RAW_TRACEPOINT, "perf_x", &c, err);
 *	bpf_code_release(&c);
 *
 * Registers: 0 is the result, 1 to 5 are the arguments of a helper and lost by the call, 6 to 9 are kept, 10
 * is the frame, of which 512 bytes below it can be used.
 */
#ifndef PERF_BPF_CODE_H
#define PERF_BPF_CODE_H

#include <linux/bpf.h>
#include "../base/err.h"
#include "../base/vec.h"

struct bpf_jump {
	u32 insn, label;
};

struct bpf_code {
	struct { VEC(struct bpf_insn); } insn;
	struct { VEC(s64); } label;		/* the instruction where it is; -1: not placed yet */
	struct { VEC(struct bpf_jump); } jump;
};

/* sizes of loads and stores: BPF_B, BPF_H, BPF_W, BPF_DW; operations: BPF_ADD ...; jumps: BPF_JEQ ... */
u32 bpf_label(struct bpf_code *c);
void bpf_place(struct bpf_code *c, u32 label);
/* dst = src, dst = imm (sign-extended), dst = a whole constant */
void bpf_copy(struct bpf_code *c, u8 dst, u8 src);
void bpf_set(struct bpf_code *c, u8 dst, s32 imm);
void bpf_set64(struct bpf_code *c, u8 dst, u64 value);
/* dst op= src, dst op= imm, on 64 bits */
void bpf_alu(struct bpf_code *c, u8 op, u8 dst, u8 src);
void bpf_alu_imm(struct bpf_code *c, u8 op, u8 dst, s32 imm);
/* dst = *(src + off); *(dst + off) = src; *(dst + off) = imm */
void bpf_load(struct bpf_code *c, u8 size, u8 dst, u8 src, s16 off);
void bpf_store(struct bpf_code *c, u8 size, u8 dst, s16 off, u8 src);
void bpf_store_imm(struct bpf_code *c, u8 size, u8 dst, s16 off, s32 imm);
/* *(dst + off) += src, atomically, 8 bytes */
void bpf_add_to(struct bpf_code *c, u8 dst, s16 off, u8 src);
/* if (dst op src) goto label: unsigned for JGT, JGE, JLT, JLE, signed for JSGT ... */
void bpf_jump_if(struct bpf_code *c, u8 op, u8 dst, u8 src, u32 label);
void bpf_jump_imm(struct bpf_code *c, u8 op, u8 dst, s32 imm, u32 label);
void bpf_jump_always(struct bpf_code *c, u32 label);
/* register 0 = helper BPF_FUNC_... */
void bpf_call_helper(struct bpf_code *c, s32 helper);
/* the same for a function that the kernel offers to programs: the number of its type in the kernel's BTF */
void bpf_call_kernel(struct bpf_code *c, u32 function);
void bpf_exit(struct bpf_code *c);
/* ends the program: with 0, no other user of its tracepoint would count or sample this occurrence */
void bpf_return_one(struct bpf_code *c);
/* dst = frame + off */
void bpf_frame_address(struct bpf_code *c, u8 dst, s16 off);
/* register 0 = address of the value of the key at frame + key_off, or 0 */
void bpf_lookup(struct bpf_code *c, int map_fd, s16 key_off);
/* adds 1 to the value, 8 bytes, of the key at frame + key_off; nothing without an entry */
void bpf_count(struct bpf_code *c, int map_fd, s16 key_off);

/*
 * gives all jumps their distance. 0; -EINVAL if a label was not placed, -E2BIG if a jump is too far: faults
 * of the program that was written
 */
int bpf_code_finish(struct bpf_code *c, struct err *err);
void bpf_code_release(struct bpf_code *c);

#endif
