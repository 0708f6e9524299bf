/*
 * BPF-info: the functions of BPF programs and what they are called, out of what the kernel says of a program (struct bpf_prog_info of
 * linux/bpf.h, its pointers are offsets into the arrays behind it) and out of its types (BTF). Points into what it is given. All
 * bytes may be hostile.
 */
#ifndef PERF_DATA_BPF_INFO_H
#define PERF_DATA_BPF_INFO_H

#include "../base/strbuf.h"

/* type information that programs share */
struct bpf_types {
	u32 id, len;
	const void *data;
	u32 nr, *name;			/* by bpf_types_index(): of each type, where in data its name is; 0: it has none */
};

struct bpf_info {
	const void *info, *data;	/* struct bpf_prog_info, perhaps an older and shorter one; its arrays */
	u32 info_len, data_len;
	bool swap;			/* numbers are in the other byte order */
	const struct bpf_types *types;	/* those with the id that bpf_info_types() says, indexed; or NULL */
};

struct bpf_function {
	u64 addr;
	u32 len;
};

u32 bpf_info_id(const struct bpf_info *b);
/* 0 where the kernel did not tell, or where the arrays do not hold as many */
u32 bpf_info_nr_functions(const struct bpf_info *b);
/* id of the program's types; 0: none */
u32 bpf_info_types(const struct bpf_info *b);
/*
 * One of them, and its name as the kernel's list of symbols has it, appended: "bpf_prog_TAG_NAME". NAME is that of its type, else of a
 * program with but one function (none where it has none), else F.
 */
struct bpf_function bpf_info_function(const struct bpf_info *b, u32 n, struct strbuf *name);

/* reads the types of t->data; none where it is damaged, or in the other byte order */
void bpf_types_index(struct bpf_types *t);
/* of the index alone */
void bpf_types_release(struct bpf_types *t);
/* name of the type with this id, the first is 1; or NULL */
const char *bpf_types_name(const struct bpf_types *t, u32 id);

#endif
