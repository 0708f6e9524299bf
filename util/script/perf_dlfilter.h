/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_dlfilter.h: the interface of filters for 'perf script --dlfilter FILE.so'. Filters include this header
 * and link nothing; see perf-script(1). Names, order and types of all members are fixed: members are only
 * added at the end, and size tells which ones there are.
 */
#ifndef PERF_DLFILTER_H
#define PERF_DLFILTER_H

#include <linux/perf_event.h>
#include <linux/types.h>

/* struct perf_dlfilter_sample has machine_pid and vcpu */
#define PERF_DLFILTER_HAS_MACHINE_PID

/* flags of a sample: what kind of branch it is */
enum {
	PERF_DLFILTER_FLAG_BRANCH	= 1 << 0,
	PERF_DLFILTER_FLAG_CALL		= 1 << 1,
	PERF_DLFILTER_FLAG_RETURN	= 1 << 2,
	PERF_DLFILTER_FLAG_CONDITIONAL	= 1 << 3,
	PERF_DLFILTER_FLAG_SYSCALLRET	= 1 << 4,
	PERF_DLFILTER_FLAG_ASYNC	= 1 << 5,
	PERF_DLFILTER_FLAG_INTERRUPT	= 1 << 6,
	PERF_DLFILTER_FLAG_TX_ABORT	= 1 << 7,
	PERF_DLFILTER_FLAG_TRACE_BEGIN	= 1 << 8,
	PERF_DLFILTER_FLAG_TRACE_END	= 1 << 9,
	PERF_DLFILTER_FLAG_IN_TX	= 1 << 10,
	PERF_DLFILTER_FLAG_VMENTRY	= 1 << 11,
	PERF_DLFILTER_FLAG_VMEXIT	= 1 << 12,
};

/* a sample; what was not recorded is 0, of pid, tid and cpu -1. Pointers are valid during the call */
struct perf_dlfilter_sample {
	__u32 size;			/* of this struct, for checks of compatibility */
	__u16 ins_lat, p_stage_cyc;
	__u64 ip;
	__s32 pid, tid;
	__u64 time, addr, id, stream_id, period, weight, transaction;
	__u64 insn_cnt, cyc_cnt;	/* of decoders of hardware traces */
	__s32 cpu;
	__u32 flags;			/* PERF_DLFILTER_FLAG_* */
	__u64 data_src, phys_addr, data_page_size, code_page_size, cgroup;
	__u8 cpumode;			/* misc & PERF_RECORD_MISC_CPUMODE_MASK */
	__u8 addr_correlates_sym;	/* resolve_addr() can be called */
	__u16 misc;
	__u32 raw_size;
	const void *raw_data;
	__u64 brstack_nr;
	const struct perf_branch_entry *brstack;
	__u64 raw_callchain_nr;
	const __u64 *raw_callchain;
	const char *event;
	__s32 machine_pid, vcpu;	/* 0 and -1: not of a guest */
};

/* where an address is */
struct perf_dlfilter_al {
	__u32 size;			/* set by who asks with resolve_address() */
	__u32 symoff;			/* from sym_start */
	const char *sym;		/* NULL: no function is known */
	__u64 addr, sym_start, sym_end;	/* in the dso */
	const char *dso;		/* NULL: nothing is mapped there */
	__u8 sym_binding;		/* STB_LOCAL, STB_GLOBAL, STB_WEAK */
	__u8 is_64_bit;			/* of the dso */
	__u8 is_kernel_ip;
	__u32 buildid_size;
	__u8 *buildid;
	__u8 filtered;			/* resolve_ip() only: the sample will not be shown */
	const char *comm;		/* resolve_ip() only */
};

/* filled in when the filter is loaded, if it defines a variable of this name */
struct perf_dlfilter_fns {
	const struct perf_dlfilter_al *(*resolve_ip)(void *ctx);
	const struct perf_dlfilter_al *(*resolve_addr)(void *ctx);
	char **(*args)(void *ctx, int *dlargc);
	__s32 (*resolve_address)(void *ctx, __u64 address, struct perf_dlfilter_al *al);
	const __u8 *(*insn)(void *ctx, __u32 *length);
	const char *(*srcline)(void *ctx, __u32 *line_number);
	struct perf_event_attr *(*attr)(void *ctx);
	__s32 (*object_code)(void *ctx, __u64 ip, void *buf, __u32 len);
	void *(*reserved[120])(void *);
};

/* what a filter may define */
int start(void **data, void *ctx);
int stop(void *data, void *ctx);
int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx);
int filter_event_early(void *data, const struct perf_dlfilter_sample *sample, void *ctx);
const char *filter_description(const char **long_description);

#endif
