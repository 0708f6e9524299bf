/*
 * Unwinder: a way of finding the callers of a recorded stack, as rows (unwinders.def): our own, and other
 * libraries, for comparison. Each is one file. Rows are const; the state of an unwinder belongs to one
 * worker.
 */
#ifndef PERF_UNWIND_UNWINDER_H
#define PERF_UNWIND_UNWINDER_H

#include "../base/err.h"

struct unwind;
struct unwind_walk;

struct unwinder {
	const char *name;
	/* loads what it needs; negative errno with err: not built in, or not installed. May be NULL */
	int (*load)(struct err *err);
	/* makes its state, kept from sample to sample; NULL: none */
	void *(*open)(struct unwind *u);
	void (*close)(void *own);
	/*
	 * Walks one stack: as unwind_dwarf(), and sets w->end to why it ended. For a program that it cannot
	 * handle, such as one of 32 bits, it gives the sampled address alone
	 */
	int (*walk)(struct unwind_walk *w, void *own, u64 *ips, int max);
	bool foreign;		/* it handles stacks of machines other than this one */
};

#define UNWINDER(name, text) extern const struct unwinder unwinder_##name;
#include "unwinders.def"
#undef UNWINDER

/*
 * The first unwinder of a list ("libunwind,libdw") that can be loaded. NULL with err: none can be loaded (err
 * is the first one's), or a word of the list is unknown (-EINVAL)
 */
const struct unwinder *unwinder_choose(const char *list, struct err *err);
/* "fast,libdw,libunwind": all words that such a list may have */
extern const char *const unwinder_names;

#endif
