/*
 * The libipt plug-in's ops: Intel's own decoder of Processor Trace walks a whole trace, and asks for code and
 * tells what it finds. A second decoder to compare with, not a fast one.
 */
#ifndef PERF_AUX_IPT_PLUGIN_H
#define PERF_AUX_IPT_PLUGIN_H

#include "../base/types.h"

struct ipt_setup {
	const u8 *begin, *end;
	u32 num, den;		/* of the counter per tick of the slow clock; 0: not known */
	u8 mtc_freq, nom_freq;
	u32 family, model, stepping;	/* 0: not known; for its errata */
};

struct ipt_insn {
	u64 ip, tsc;		/* tsc 0: not known */
	const u8 *raw;
	u8 size;
	bool is64;
};

/*
 * What is not an instruction. The trace begins at "to"; it ends after the last instruction, which led to "to"
 * (0: not known), or at "from"; a branch that no instruction made; an overflow, after which it goes on at
 * "to"
 */
enum ipt_event { IPT_BEGIN, IPT_END, IPT_ASYNC_END, IPT_ASYNC, IPT_OVERFLOW };

/* why nothing is known; others: as a damaged place */
enum ipt_error { IPT_NO_CODE, IPT_MISMATCH, IPT_BAD };

struct ipt_host {
	void *ctx;
	/* bytes of code at ip, at most size; 0: there is none */
	u32 (*read)(void *ctx, u64 ip, u8 *to, u32 size);
	void (*insn)(void *ctx, const struct ipt_insn *insn);
	void (*event)(void *ctx, enum ipt_event e, u64 from, u64 to, u64 tsc);
	void (*error)(void *ctx, enum ipt_error e, u64 ip, u64 tsc);
};

struct ipt_plugin_ops {
	/* 0, or -ENOMEM */
	int (*decode)(const struct ipt_setup *s, const struct ipt_host *h);
};

#endif
