/*
 * Bpf-filter: writes the program. It returns 1, which keeps the sample, or 0. Register 6 is the context, 7
 * the sample, 1 the number of a term. The frame has the key of a count.
 */
#include "bpf-filter-private.h"

#include <errno.h>
#include <linux/btf.h>
#include <linux/bpf_perf_event.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <time.h>
#include "../base/units.h"
#include "../kernel/perf-clock.h"
#include "../obj/btf.h"
#include "registers.h"

#define CTX BPF_REG_6
#define SAMPLE BPF_REG_7

/* where the instruction pointer is in the context, whose registers are those of ptrace(2); -1: not known */
#if defined(__x86_64__)
#define IP_OFFSET ((s16)offsetof(struct bpf_perf_event_data, regs.rip))
#elif defined(__i386__)
#define IP_OFFSET ((s16)offsetof(struct bpf_perf_event_data, regs.eip))
#elif defined(__aarch64__) || defined(__riscv)
#define IP_OFFSET ((s16)offsetof(struct bpf_perf_event_data, regs.pc))
#elif defined(__s390x__)
#define IP_OFFSET ((s16)offsetof(struct bpf_perf_event_data, regs.psw.addr))
#elif defined(__powerpc__)
#define IP_OFFSET ((s16)offsetof(struct bpf_perf_event_data, regs.nip))
#else
#define IP_OFFSET (-1)
#endif

/* what the kernel's types say */
struct sample_layout {
	u32 cast;		/* number of the function that gives the context as the kernel has it */
	u32 data;		/* in it: the pointer to the sample */
};

struct filter_writer {
	struct bpf_code code;
	struct filter_count count;
	struct btf *btf;	/* NULL: no term needs it */
	struct sample_layout layout;
	u64 clock_offset;	/* time of samples, less that of the helper, in ns */
};

static bool is_of_sample(const struct filter_term *t)
{
	return t->source == FROM_SAMPLE || t->source == FROM_SNOOP;
}

static const struct filter_term *first_of_sample(const struct bpf_filter *f)
{
	vec_foreach(&f->compare, c)
		if (is_of_sample(c->term))
			return c->term;
	return NULL;
}

static bool has_time(const struct bpf_filter *f)
{
	vec_foreach(&f->compare, c)
		if (c->term->source == FROM_TIME)
			return true;
	return false;
}

/* the kernel's own struct of the context and the function that gives it came with linux 6.2 */
static int find_layout(struct filter_writer *w, const struct filter_term *t, struct err *err)
{
	w->btf = btf_read_kernel(err);
	if (!w->btf)
		return err->code;
	w->layout.cast = btf_find(w->btf, BTF_KIND_FUNC, "bpf_cast_to_kern_ctx");
	if (w->layout.cast && !btf_offset(w->btf, "bpf_perf_event_data_kern", "data", &w->layout.data, err))
		return 0;
	err_clear(err);
	return err_set(err, -ENOTSUP, "a filter on %s needs linux 6.3 or newer", t->name);
}

static int find_clock(struct filter_writer *w, const struct pe_attr *attr, struct err *err)
{
	struct perf_clock clock = PERF_CLOCK_NONE;
	int ret = perf_clock_open(&clock, attr, err);

	if (ret)
		return ret;
	w->clock_offset = perf_clock_now(&clock) - clock_ns(CLOCK_MONOTONIC);
	perf_clock_close(&clock);
	return 0;
}

/* R1 = the member of the sample, 8 bytes */
static int load_member(struct filter_writer *w, const char *member, struct err *err)
{
	u32 offset;
	int ret = btf_offset(w->btf, "perf_sample_data", member, &offset, err);

	if (!ret)
		bpf_load(&w->code, BPF_DW, R1, SAMPLE, (s16)offset);
	return ret;
}

static void shift_and_mask(struct bpf_code *c, u8 reg, u8 shift, u64 mask)
{
	if (shift)
		bpf_alu_imm(c, BPF_RSH, reg, shift);
	if (mask == UINT64_MAX)
		return;
	bpf_set64(c, R2, mask);
	bpf_alu(c, BPF_AND, reg, R2);
}

/* R1 = mem_snoop, and mem_snoopx above it */
static int load_snoop(struct filter_writer *w, const struct filter_term *t, struct err *err)
{
	int ret = load_member(w, t->member, err);

	bpf_copy(&w->code, R3, R1);
	shift_and_mask(&w->code, R3, PERF_MEM_SNOOPX_SHIFT, 3);
	bpf_alu_imm(&w->code, BPF_LSH, R3, 5);
	shift_and_mask(&w->code, R1, t->shift, t->mask);
	bpf_alu(&w->code, BPF_OR, R1, R3);
	return ret;
}

static void load_result(struct bpf_code *c, s32 helper)
{
	bpf_call_helper(c, helper);
	bpf_copy(c, R1, R0);
}

/* R1 = the number of the term */
static int load_term(struct filter_writer *w, const struct filter_term *t, struct err *err)
{
	struct bpf_code *c = &w->code;
	int ret = 0;

	switch (t->source) {
	case FROM_IP:
		if (IP_OFFSET < 0)
			return err_set(err, -ENOTSUP, "a filter on ip is not known for this architecture");
		bpf_load(c, sizeof(long) == 8 ? BPF_DW : BPF_W, R1, CTX, IP_OFFSET);
		break;
	case FROM_ADDR:
		bpf_load(c, BPF_DW, R1, CTX, offsetof(struct bpf_perf_event_data, addr));
		break;
	case FROM_PERIOD:
		bpf_load(c, BPF_DW, R1, CTX, offsetof(struct bpf_perf_event_data, sample_period));
		break;
	case FROM_TASK:
		load_result(c, BPF_FUNC_get_current_pid_tgid);
		break;
	case FROM_USER:
		load_result(c, BPF_FUNC_get_current_uid_gid);
		break;
	case FROM_CPU:
		load_result(c, BPF_FUNC_get_smp_processor_id);
		break;
	case FROM_TIME:
		load_result(c, BPF_FUNC_ktime_get_ns);
		bpf_set64(c, R2, w->clock_offset);
		bpf_alu(c, BPF_ADD, R1, R2);
		break;
	case FROM_SAMPLE:
		ret = load_member(w, t->member, err);
		break;
	case FROM_SNOOP:
		return load_snoop(w, t, err);
	}
	shift_and_mask(c, R1, t->shift, t->mask);
	return ret;
}

static void count(struct filter_writer *w, bool is_kept)
{
	const s16 key = -8;

	if (!w->count.map)
		return;
	bpf_store_imm(&w->code, BPF_W, BPF_REG_10, key, w->count.kept + !is_kept);
	bpf_count(&w->code, w->count.map->fd, key);
}

static void write_user(struct bpf_code *c, u32 uid, u32 other)
{
	load_result(c, BPF_FUNC_get_current_uid_gid);
	shift_and_mask(c, R1, 0, UINT32_MAX);
	bpf_set64(c, R2, uid);
	bpf_jump_if(c, BPF_JNE, R1, R2, other);
}

static int write_conditions(struct filter_writer *w, const struct bpf_filter *f, struct err *err)
{
	struct bpf_code *c = &w->code;
	u32 other_user = bpf_label(c), drop = bpf_label(c), holds = bpf_label(c);
	int ret = 0;

	if (f->by_user)
		write_user(c, f->uid, other_user);
	vec_foreach(&f->compare, one) {
		if (!ret)
			ret = load_term(w, one->term, err);
		bpf_set64(c, R2, one->value);
		bpf_jump_if(c, one->op, R1, R2, holds);
		if (one->more)
			continue;
		bpf_jump_always(c, drop);
		bpf_place(c, holds);
		holds = bpf_label(c);
	}
	bpf_place(c, holds);
	count(w, true);
	bpf_return_one(c);
	bpf_place(c, drop);
	count(w, false);
	bpf_place(c, other_user);
	bpf_set(c, R0, 0);
	bpf_exit(c);
	return ret;
}

static int write_program(struct filter_writer *w, const struct bpf_filter *f, struct err *err)
{
	struct bpf_code *c = &w->code;

	bpf_copy(c, CTX, R1);
	if (w->btf) {
		bpf_call_kernel(c, w->layout.cast);
		bpf_load(c, BPF_DW, SAMPLE, R0, (s16)w->layout.data);
	}
	return write_conditions(w, f, err);
}

int bpf_filter_load(const struct bpf_filter *f, const struct pe_attr *attr, struct filter_count count,
		    struct bpf_prog *ret_prog, struct err *err)
{
	const struct filter_term *t = first_of_sample(f);
	struct filter_writer w = { .count = count };
	int ret = t ? find_layout(&w, t, err) : 0;

	if (!ret && has_time(f))
		ret = find_clock(&w, attr, err);
	if (!ret)
		ret = write_program(&w, f, err);
	if (!ret)
		ret = bpf_prog_load(ret_prog, BPF_PROG_TYPE_PERF_EVENT, "perf_filter", &w.code, err);
	bpf_code_release(&w.code);
	btf_free(w.btf);
	return ret;
}
