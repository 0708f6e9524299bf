/* Unwind plug-in: the ops of plug-in libunwind, which reads stacks and files through callbacks. */
#ifndef PERF_UNWIND_UNWIND_PLUGIN_H
#define PERF_UNWIND_UNWIND_PLUGIN_H

#include "../base/types.h"

/* the file that contains an address, and its sorted table of frame descriptions (.eh_frame_hdr) */
struct unwind_file {
	u64 start, end;		/* addresses that the file takes */
	u64 header;		/* address of .eh_frame_hdr, to which entries of the table are relative */
	u64 table, nr_entries;	/* its address; entries of two 32-bit offsets each */
};

struct unwind_plugin_callbacks {
	/* false: there is none, or no table that can be searched */
	bool (*find)(void *ctx, u64 ip, struct unwind_file *ret);
	/* a word of the stack, or of a file that find() gave; false: unknown */
	bool (*read)(void *ctx, u64 addr, u64 *ret);
	/* a register by its DWARF number; false: unknown */
	bool (*reg)(void *ctx, unsigned int dwarf, u64 *ret);
	/* the address of the sampled instruction */
	u64 (*ip)(void *ctx);
	/*
	 * true for code to which signal handlers return; libunwind knows it, but has no function that
	 * tells it
	 */
	bool (*is_trampoline)(void *ctx, u64 ip);
};

/* how a walk ended */
enum unwind_plugin_end { UNWIND_COMPLETE, UNWIND_LIMIT, UNWIND_NO_RULES, UNWIND_BAD };

struct unwind_plugin_ops {
	u16 e_machine;		/* whose stacks it walks */
	/* NULL: no memory */
	void *(*open)(const struct unwind_plugin_callbacks *c);
	/* writes at most max addresses, as unwind_dwarf() does; returns their number */
	int (*walk)(void *handle, void *ctx, u64 *ips, int max, enum unwind_plugin_end *ret_end);
	void (*close)(void *handle);
};

#endif
