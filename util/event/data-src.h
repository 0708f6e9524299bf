/*
 * Data sources: PERF_SAMPLE_DATA_SRC, which describes a memory access, as words. Bits: union
 * perf_mem_data_src of the UAPI.
 */
#ifndef PERF_EVENT_DATA_SRC_H
#define PERF_EVENT_DATA_SRC_H

#include "../base/strbuf.h"

/* the bits of each part, for code that compares them */
#define DATA_SRC_LEVEL	0x383e0007ffe0ull	/* mem_lvl, mem_lvl_num, mem_remote, mem_hops */
#define DATA_SRC_SNOOP	0xc000f80000ull		/* mem_snoop, mem_snoopx */
#define DATA_SRC_LOCK	0x3000000ull
#define DATA_SRC_TLB	0x1fc000000ull
#define DATA_SRC_BLOCK	0x70000000000ull

/* see data-src-parts.def: DATA_SRC_op_load, ... */
enum data_src_part {
#define DATA_SRC_PART(group, part, title, name) DATA_SRC_##group##_##part,
#include "data-src-parts.def"
#undef DATA_SRC_PART
	DATA_SRC_NR_PARTS
};
enum { DATA_SRC_NR_GROUPS = 5 };

/* the part of each group */
void data_src_parts(u64 data_src, u8 ret[DATA_SRC_NR_GROUPS]);

/* what a data source says, in words; each row appends its own */
struct data_src_words {
	const char *key;	/* "op" */
	const char *head;	/* before it in lines of text: "|OP " */
	void (*put)(struct strbuf *out, u64 data_src);
};
#define DATA_SRC_NR_WORDS 6u
extern const struct data_src_words data_src_words[DATA_SRC_NR_WORDS];
/* appends all of them with their heads: "|OP LOAD|LVL L1 hit|SNP None|TLB L1 hit|LCK No|BLK  N/A" */
void data_src_put(struct strbuf *out, u64 data_src);

/* appends "LOAD" */
void data_src_op(struct strbuf *out, u64 data_src);
/* "L3 hit", "Remote RAM (2 hops) miss" */
void data_src_level(struct strbuf *out, u64 data_src);
/* "None or HitM" */
void data_src_snoop(struct strbuf *out, u64 data_src);
/* "L1 or L2 hit" */
void data_src_tlb(struct strbuf *out, u64 data_src);
/* "Yes", "No" */
void data_src_lock(struct strbuf *out, u64 data_src);
/* " Data Addr": each word has a blank before it, "N/A" too */
void data_src_blocked(struct strbuf *out, u64 data_src);

#endif
