/*
 * BPF-info: the functions of BPF programs and their names, taken from the kernel's description of a program
 * (struct bpf_prog_info of linux/bpf.h, whose pointers are offsets into the arrays after it) and from its
 * types (BTF). Points into the data that it is given. All bytes may be hostile.
 */
#ifndef PERF_DATA_BPF_INFO_H
#define PERF_DATA_BPF_INFO_H

#include "../base/strbuf.h"

/* type information that programs share */
struct bpf_types {
	u32 id, len;
	const void *data;
	/* set by bpf_types_index(): for each type, the offset of its name in data; 0: it has none */
	u32 nr, *name;
};

struct bpf_info {
	/* struct bpf_prog_info, perhaps an older and shorter one; its arrays */
	const void *info, *data;
	u32 info_len, data_len;
	bool swap;			/* numbers are in the other byte order */
	bool has_code;			/* the array of machine code was recorded */
	/* the types with the id that bpf_info_types() returns, indexed; or NULL */
	const struct bpf_types *types;
};

struct bpf_function {
	u64 addr;
	u32 len;
};

u32 bpf_info_id(const struct bpf_info *b);
/* 0 if the kernel did not say, or if the arrays are too short for that number */
u32 bpf_info_nr_functions(const struct bpf_info *b);
/* id of the program's types; 0: none */
u32 bpf_info_types(const struct bpf_info *b);
/*
 * One of them, and its name as in the kernel's list of symbols, appended: "bpf_prog_TAG_NAME". NAME is that
 * of its type, else that of the program if it has one function only (without a name if it has none), else F.
 */
struct bpf_function bpf_info_function(const struct bpf_info *b, u32 n, struct strbuf *name);

/* its machine code, as many bytes as bpf_info_function() says; NULL: the kernel did not give it */
const void *bpf_info_code(const struct bpf_info *b, u32 n);

/* reads the types in t->data; finds none if it is damaged or in the other byte order */
void bpf_types_index(struct bpf_types *t);
/* frees the index only */
void bpf_types_release(struct bpf_types *t);
/* the name of the type with this id (the first is 1), or NULL */
const char *bpf_types_name(const struct bpf_types *t, u32 id);

#endif
