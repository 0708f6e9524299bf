/* Inplace-types: what BPF programs and inplace.c share. */
#ifndef PERF_BPF_INPLACE_TYPES_H
#define PERF_BPF_INPLACE_TYPES_H

#include "../base/types.h"

/* what begins the value of the map; on cache lines of its writer and its reader */
struct bpf_inplace_head {
	u64 written;		/* where the next record begins; grows, and counts what is skipped, too */
	u64 lost;		/* records that found no room */
	u64 unread;		/* bytes since the reader was last woken */
	u64 reserved[5];
	u64 read;		/* where the reader is */
	u64 reserved_too[7];
};

#endif
