/* Off-cpu-types: what off-cpu.bpf.c and util/record/off-cpu.c share. */
#ifndef PERF_BPF_OFF_CPU_TYPES_H
#define PERF_BPF_OFF_CPU_TYPES_H

#include "watched-types.h"

/* a key of a BPF map has at most 512 bytes */
#define OFF_CPU_FRAMES 59u

/* the maps are as large as max_frames asks for */
struct off_cpu_key {
	u32 pid, tid;
	u64 in_kernel;			/* the stack is the kernel's */
	u64 begin;			/* of a long sleep, which has an entry of its own; else 0 */
	u64 ip[OFF_CPU_FRAMES];		/* innermost first; 0 after the last one */
};

/* a sleep that goes on */
struct off_cpu_sleep {
	u64 begin;
	struct off_cpu_key key;
};

/* times in ns; last: when it woke up, CLOCK_MONOTONIC */
struct off_cpu_total {
	u64 ns, last;
};

struct off_cpu_settings {
	struct watched_settings watched;
	u32 max_frames;
	u32 prev_state, next_pid;	/* offsets in the payload of sched:sched_switch */
	u64 long_ns;			/* a sleep of this time or more has an entry of its own */
};

#endif
