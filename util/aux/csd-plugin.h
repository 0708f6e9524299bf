/*
 * The libopencsd plug-in's ops: Arm's own library walks the trace of one source, asks for code and tells what
 * it finds. It knows ETMv3 and PTM, and is a second decoder of ETMv4 and ETE to compare with; not a fast one.
 */
#ifndef PERF_AUX_CSD_PLUGIN_H
#define PERF_AUX_CSD_PLUGIN_H

#include "../base/types.h"

enum csd_protocol { CSD_ETMV3, CSD_PTM, CSD_ETMV4, CSD_ETE };
/* registers of a trace unit; the first four are all that ETMv3 and PTM have (ctrl: ETMCR, idr0: ETMIDR) */
enum csd_register { CSD_CTRL, CSD_TRACE_ID, CSD_CCER, CSD_IDR0, CSD_IDR1, CSD_IDR2, CSD_IDR8, CSD_DEVARCH,
		    CSD_NR_REGISTERS };

struct csd_setup {
	enum csd_protocol protocol;
	u32 reg[CSD_NR_REGISTERS];
	const u8 *p;
	size_t len;
};

/* what the last instruction of a range is */
enum csd_insn {
	CSD_PLAIN, CSD_COND, CSD_JUMP, CSD_CALL, CSD_INDIRECT, CSD_CALL_INDIRECT, CSD_RETURN, CSD_ERET,
	CSD_BARRIER, CSD_WAIT,
};

/* instructions that were executed one after the other, at ip to before end */
struct csd_range {
	u64 ip, end;
	u32 nr;
	enum csd_insn last;
	u8 last_size;
	bool taken;		/* the last one branched */
	bool is_a64;
	bool is_thumb;		/* instructions have 2 or 4 bytes */
};

struct csd_context {
	u32 ctx, vmid;
	bool has_ctx, has_vmid, is64;
};

/* why it is not known what happened before the next range */
enum csd_gap { CSD_STARTS, CSD_ENDS, CSD_OVERFLOW, CSD_DAMAGE, CSD_NO_CODE };

struct csd_host {
	void *ctx;
	/* bytes of code at ip, at most size; 0: there is none */
	u32 (*read)(void *ctx, u64 ip, u8 *to, u32 size);
	/* before each of the following: the place in the trace */
	void (*at)(void *ctx, u64 off);
	void (*range)(void *ctx, const struct csd_range *r);
	/* ip: where it returns to, 0: not known; is_target: the branch before it led there */
	void (*exception)(void *ctx, u32 nr, u64 ip, bool is_target);
	void (*context)(void *ctx, const struct csd_context *c);
	void (*time)(void *ctx, u64 time);
	void (*transaction)(void *ctx, bool begins);
	/* since the last one, up to the end of the last range */
	void (*cycles)(void *ctx, u32 nr);
	/* ip: where it went, with CSD_NO_CODE */
	void (*gap)(void *ctx, enum csd_gap gap, u64 ip);
};

struct csd_plugin_ops {
	/* 0, -EINVAL: the library refuses such a unit, or -ENOMEM. In any thread */
	int (*decode)(const struct csd_setup *s, const struct csd_host *h);
};

#endif
