/*
 * Graph line: one line of the text of the tracer function_graph, in its usual layout (columns CPU, overhead,
 * duration; that of the option verbose has more, and is not understood):
 *
 *	 0)               |  vfs_read() {		GRAPH_CALL, depth 0
 *	 0)   1.884 us    |    __rcu_read_lock();	GRAPH_LEAF, depth 1
 *	 0) + 32.430 us   |  }				GRAPH_RETURN
 *	 0)   ==========> |				GRAPH_IRQ: an interrupt begins; <======: it ends
 *	 0)  cat-150  =>  bash-99			GRAPH_SWITCH: another task from here on
 *	CPU:0 [LOST 360 EVENTS]				GRAPH_LOST
 *
 * With the option funcgraph-tail a C comment after the brace names the function that returns. Another comment
 * is an event: GRAPH_COMMENT. A function that was interrupted is a GRAPH_CALL whose GRAPH_RETURN comes later.
 */
#ifndef PERF_FTRACE_GRAPH_LINE_H
#define PERF_FTRACE_GRAPH_LINE_H

#include "../base/types.h"

enum graph_line_kind {
	GRAPH_OTHER,		/* comments of the head, empty lines, and lines that are not understood */
	GRAPH_CALL, GRAPH_LEAF, GRAPH_RETURN, GRAPH_IRQ, GRAPH_COMMENT, GRAPH_SWITCH, GRAPH_LOST,
};

struct graph_line {
	enum graph_line_kind kind;
	u32 cpu;
	char overhead;		/* '+' 10 us, '!' 100 us, '#' 1 ms, '*' 10 ms, '@' 100 ms, '$' 1 s; or 0 */
	bool timed;		/* duration is known */
	u64 duration;		/* ns; the kernel prints at most 7 digits */
	u32 depth;		/* of the call; 0: the outermost one that is traced */
	const char *name;	/* in the line, "f" or "f [module]"; NULL: not told */
	u32 name_len;
	u64 lost;		/* GRAPH_LOST: number of events */
};

/* parses a line of len bytes, without its newline; no byte of it is trusted */
void graph_line_parse(const char *line, size_t len, struct graph_line *ret);

#endif
