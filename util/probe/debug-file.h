/*
 * Debug-file: the debug information of a probe's target, in four parts that each know one thing. Functions
 * take the part that they use. One thread at a time. Everything that it returns lives as long as it does.
 */
#ifndef PERF_PROBE_DEBUG_FILE_H
#define PERF_PROBE_DEBUG_FILE_H

#include "debug-binary.h"
#include "debug-link.h"
#include "debug-search.h"
#include "debug-units.h"

struct debug_file {
	struct debug_binary file;	/* where it is, and of which machine */
	struct debug_units units;	/* what it consists of */
	struct debug_search search;	/* which of them something concerns */
	struct debug_link link;		/* the program: segments, symbols, frame rules */
};

/*
 * t is kept and must outlive it. NULL with err: -ENODATA if there is no debug information (a hint says which
 * package), -ENOENT if there is no such file
 */
struct debug_file *debug_file_open(const struct probe_target *t, struct err *err);
void debug_file_free(struct debug_file *d);

#endif
