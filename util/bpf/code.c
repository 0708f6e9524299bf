/* Code: see code.h. */
#include "code.h"

#include <errno.h>

static void emit(struct bpf_code *c, u8 code, u8 dst, u8 src, s16 off, s32 imm)
{
	vec_push(&c->insn, (struct bpf_insn){ .code = code, .dst_reg = dst, .src_reg = src, .off = off,
					      .imm = imm });
}

u32 bpf_label(struct bpf_code *c)
{
	vec_push(&c->label, -1);
	return c->label.nr - 1;
}

void bpf_place(struct bpf_code *c, u32 label)
{
	c->label.v[label] = c->insn.nr;
}

void bpf_copy(struct bpf_code *c, u8 dst, u8 src)
{
	emit(c, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

void bpf_set(struct bpf_code *c, u8 dst, s32 imm)
{
	emit(c, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}

/* a constant of 64 bits is two instructions; source says what it is */
static void set_wide(struct bpf_code *c, u8 dst, u8 source, u64 value)
{
	emit(c, BPF_LD | BPF_DW | BPF_IMM, dst, source, 0, (s32)(u32)value);
	emit(c, 0, 0, 0, 0, (s32)(u32)(value >> 32));
}

void bpf_set64(struct bpf_code *c, u8 dst, u64 value)
{
	set_wide(c, dst, 0, value);
}

void bpf_alu(struct bpf_code *c, u8 op, u8 dst, u8 src)
{
	emit(c, BPF_ALU64 | op | BPF_X, dst, src, 0, 0);
}

void bpf_alu_imm(struct bpf_code *c, u8 op, u8 dst, s32 imm)
{
	emit(c, BPF_ALU64 | op | BPF_K, dst, 0, 0, imm);
}

void bpf_load(struct bpf_code *c, u8 size, u8 dst, u8 src, s16 off)
{
	emit(c, BPF_LDX | size | BPF_MEM, dst, src, off, 0);
}

void bpf_store(struct bpf_code *c, u8 size, u8 dst, s16 off, u8 src)
{
	emit(c, BPF_STX | size | BPF_MEM, dst, src, off, 0);
}

void bpf_store_imm(struct bpf_code *c, u8 size, u8 dst, s16 off, s32 imm)
{
	emit(c, BPF_ST | size | BPF_MEM, dst, 0, off, imm);
}

void bpf_add_to(struct bpf_code *c, u8 dst, s16 off, u8 src)
{
	emit(c, BPF_STX | BPF_DW | BPF_ATOMIC, dst, src, off, BPF_ADD);
}

static void add_jump(struct bpf_code *c, u32 label)
{
	vec_push(&c->jump, (struct bpf_jump){ c->insn.nr, label });
}

void bpf_jump_if(struct bpf_code *c, u8 op, u8 dst, u8 src, u32 label)
{
	add_jump(c, label);
	emit(c, BPF_JMP | op | BPF_X, dst, src, 0, 0);
}

void bpf_jump_imm(struct bpf_code *c, u8 op, u8 dst, s32 imm, u32 label)
{
	add_jump(c, label);
	emit(c, BPF_JMP | op | BPF_K, dst, 0, 0, imm);
}

void bpf_jump_always(struct bpf_code *c, u32 label)
{
	add_jump(c, label);
	emit(c, BPF_JMP | BPF_JA, 0, 0, 0, 0);
}

void bpf_call_helper(struct bpf_code *c, s32 helper)
{
	emit(c, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

void bpf_call_kernel(struct bpf_code *c, u32 function)
{
	emit(c, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, (s32)function);
}

void bpf_exit(struct bpf_code *c)
{
	emit(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

void bpf_return_one(struct bpf_code *c)
{
	bpf_set(c, BPF_REG_0, 1);
	bpf_exit(c);
}

void bpf_frame_address(struct bpf_code *c, u8 dst, s16 off)
{
	bpf_copy(c, dst, BPF_REG_10);
	if (off)
		bpf_alu_imm(c, BPF_ADD, dst, off);
}

void bpf_lookup(struct bpf_code *c, int map_fd, s16 key_off)
{
	set_wide(c, BPF_REG_1, BPF_PSEUDO_MAP_FD, (u32)map_fd);
	bpf_frame_address(c, BPF_REG_2, key_off);
	bpf_call_helper(c, BPF_FUNC_map_lookup_elem);
}

void bpf_count(struct bpf_code *c, int map_fd, s16 key_off)
{
	u32 none = bpf_label(c);

	bpf_lookup(c, map_fd, key_off);
	bpf_jump_imm(c, BPF_JEQ, BPF_REG_0, 0, none);
	bpf_set(c, BPF_REG_1, 1);
	bpf_add_to(c, BPF_REG_0, 0, BPF_REG_1);
	bpf_place(c, none);
}

int bpf_code_finish(struct bpf_code *c, struct err *err)
{
	vec_foreach(&c->jump, j) {
		s64 to = c->label.v[j->label], off = to - (s64)j->insn - 1;

		if (to < 0)
			return err_set(err, -EINVAL, "a BPF program jumps to a label that is nowhere");
		if (off != (s16)off)
			return err_set(err, -E2BIG, "a BPF program has a jump that is too far");
		c->insn.v[j->insn].off = off;
	}
	return 0;
}

void bpf_code_release(struct bpf_code *c)
{
	vec_release(&c->insn);
	vec_release(&c->label);
	vec_release(&c->jump);
}
