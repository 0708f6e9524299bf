/*
 * Header lists: facts of a file's header that are more than one number or text, for header-facts.def; and
 * what such a fact and the lines of --header have in common. For util/data only.
 */
#ifndef PERF_DATA_HEADER_LISTS_H
#define PERF_DATA_HEADER_LISTS_H

#include "data.h"
#include "bpf-info.h"
#include "../view/view.h"

/* makes the value of a fact, of a feature that is there, in arena; false: the file has nothing to say */
typedef bool header_make(const struct data *d, struct arena *arena, struct view_value *ret);

#define HEADER_FACT(feature, key, title, form, member)
#define HEADER_MADE(feature, key, function) header_make function;
#include "header-facts.def"
#undef HEADER_FACT

/* the name of a clock of clock_gettime(); NULL if unknown */
const char *header_clock_name(u32 clockid);

/* appends the blocks that a memory node has, "0-3,8,10-11"; returns their number */
u64 header_memory_blocks(const struct feat_mem_node *n, struct strbuf *ranges);

/* the BPF programs that a file describes, and their types by id; the header's bytes must outlive them */
struct header_bpf {
	struct { VEC(struct bpf_info); } program;
	struct { VEC(struct bpf_types); } types;
};
void header_bpf_read(const struct data *d, struct header_bpf *ret);
void header_bpf_release(struct header_bpf *b);
/* only the types, in the order of the file, without names */
void header_bpf_read_types(const struct data *d, struct header_bpf *ret);

#endif
