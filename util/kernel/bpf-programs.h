/*
 * BPF-programs: the BPF programs in the kernel, queried with bpf(2). KSYMBOL records name their machine code,
 * and a BPF_EVENT record reports each of them, as the kernel does for programs that are loaded later; the
 * kernel's information about them, with their types (BTF), becomes two header features. Layouts: struct
 * bpf_prog_info of linux/bpf.h; Documentation/dev/perf-data-format.txt.
 */
#ifndef PERF_KERNEL_BPF_PROGRAMS_H
#define PERF_KERNEL_BPF_PROGRAMS_H

#include "../base/strbuf.h"
#include "../base/vec.h"
#include "../data/bpf-info.h"
#include "../data/features.h"

struct bpf_program {
	u32 id, btf_id;
	u32 info_len, data_len;
	u64 arrays;		/* bits: which arrays of info are in data */
	u8 *info;		/* struct bpf_prog_info, its pointers are offsets into data */
	u8 *data;
};

struct bpf_programs {
	struct { VEC(struct bpf_program); } prog;	/* by id */
	struct { VEC(struct bpf_types); } btf;
};

/* Adds the programs that are not in p yet. Without the necessary rights, or without BPF, there are none. */
void bpf_programs_gather(struct bpf_programs *p);
/* forgets those that are not loaded any more, and types that only they had */
void bpf_programs_forget_ended(struct bpf_programs *p);
/* appends their records, each followed by trailer zero bytes */
void bpf_programs_synthesize(const struct bpf_programs *p, struct strbuf *out, u32 trailer);
/* BPF_PROG_INFO and BPF_BTF, instead of f's previous ones; f has neither without programs */
void bpf_programs_features(const struct bpf_programs *p, struct features *f);
void bpf_programs_release(struct bpf_programs *p);

/* bpf(2): 0, a descriptor or a negative errno */
union bpf_attr;
long bpf_call(int cmd, union bpf_attr *attr);

/*
 * called instead of bpf(2): command, struct, its size; returns 0, a descriptor or a negative errno. NULL: the
 * real one
 */
typedef long (*bpf_syscall)(int cmd, void *attr, unsigned int size);
void bpf_set_syscall_for_test(bpf_syscall fn);

#endif
