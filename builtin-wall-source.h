/*
 * Wall-source: what says when threads run, for perf record --wall and perf top --wall: BPF programs,
 * tracepoints of the scheduler, or records of context switches; the first one that is permitted.
 */
#ifndef PERF_BUILTIN_WALL_SOURCE_H
#define PERF_BUILTIN_WALL_SOURCE_H

#include "util/observe/observer.h"
#include "util/observe/sample-attr.h"

/* the words are in builtin-wall-source.c */
enum wall_by { WALL_BY_ANY, WALL_BY_BPF, WALL_BY_TRACEPOINTS, WALL_BY_RECORDS };

struct wall_choice {
	enum wall_by by;	/* the one that is wanted, then the one that is used */
	u64 slot_ns;		/* sums by slots of that length instead of switches (WALL_BY_BPF); 0: not */
	bool wakers;		/* with stacks of those that wake others */
	bool faults;		/* with addresses of page faults that wait */
	bool some;		/* only of tasks of a control group, on whole CPUs */
	const char *not_by_bpf;	/* an option of the command that BPF programs do not know; NULL: none */
	struct wall_switches *switches;	/* of WALL_BY_BPF: its programs, loaded */
	struct event *event;		/* their event in the set */
	struct strbuf why;		/* what forbids the sources before it; may be empty */
};

/* "bpf" to its number; false: unknown word */
bool wall_source_parse(const char *word, enum wall_by *ret);
/*
 * Chooses the source, adds its events to the set of o, and sets the clock of attr that it needs. 0, or a
 * negative errno with err
 */
int wall_source_add(struct wall_choice *s, const struct observe_opts *o, struct sample_attr_opts *attr,
		    struct err *err);
/* "BPF programs" */
const char *wall_source_text(enum wall_by by);
void wall_source_release(struct wall_choice *s);

#endif
