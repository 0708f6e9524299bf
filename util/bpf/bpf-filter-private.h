/* Parts of bpf/bpf-filter, for bpf-filter*.c. */
#ifndef PERF_BPF_BPF_FILTER_PRIVATE_H
#define PERF_BPF_BPF_FILTER_PRIVATE_H

#include "bpf-filter.h"

/* where the program finds the number of a term */
enum filter_source {
	FROM_IP,		/* registers */
	FROM_ADDR, FROM_PERIOD,	/* the context */
	FROM_TASK,		/* thread, and process in the upper half */
	FROM_USER,		/* user, and group in the upper half */
	FROM_CPU, FROM_TIME,
	FROM_SAMPLE,		/* struct perf_sample_data */
	FROM_SNOOP,		/* the same; with the two bits of mem_snoopx above it */
};

enum filter_words {
	NO_WORDS, MEM_OP, MEM_LVL, MEM_SNOOP, MEM_REMOTE, MEM_LOCK, MEM_DTLB, MEM_BLK, MEM_HOPS,
};

struct filter_term {
	const char *name;
	enum filter_source source;
	const char *member;	/* of struct perf_sample_data; NULL: elsewhere */
	u8 shift;
	u64 mask;		/* after the shift */
	u64 needs;		/* one of these bits of sample_type; 0: nothing */
	enum filter_words words;
};

#endif
