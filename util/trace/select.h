/*
 * Select: the words of -e: names, globs and groups of system calls, and events. Becomes a set of calls, an
 * event set, and filters with which the kernel leaves out all other calls.
 */
#ifndef PERF_TRACE_SELECT_H
#define PERF_TRACE_SELECT_H

#include "../base/err.h"
#include "../base/strbuf.h"
#include "../base/vec.h"
#include "../event/event.h"
#include "../syscall/syscall.h"

struct trace_select {
	struct syscall_set followed;	/* these pass the kernel's filter, too */
	struct syscall_set set;		/* calls that are shown, if any were named */
	bool any;			/* calls were named */
	bool unknown;			/* calls that no table knows are shown: all but some were asked for */
	bool only_events;		/* words were given, and all of them are events */
	struct { VEC(char *); } word;	/* those that are events */
	u32 first_event;		/* in the set, of the last list: what --filter is for */
};

/*
 * A list of words with commas between them; a '!' before it means all calls but these. 0, or a negative errno
 * with err: a word is neither a call nor an event. Events are added to set, NULL: they are kept as words
 */
struct parse_events_opts;
int trace_select_add(struct trace_select *s, const char *list, struct evset *set,
		     const struct parse_events_opts *events, struct err *err);
/* the word is a pattern for the name of an event of a file */
bool trace_select_event(const struct trace_select *s, const char *name);
/*
 * The filter for raw_syscalls:*: numbers of the calls, for 64-bit and 32-bit programs of this machine, and
 * tasks that are left out. "" if nothing is left out; too long for the kernel: only the tasks
 */
void trace_select_filter(const struct trace_select *s, const s32 *pid, size_t nr_pids, struct strbuf *out);
/* calls that the kernel does not leave out, though they are not shown */
void trace_select_follow(struct trace_select *s, const struct syscall_set *set);
void trace_select_release(struct trace_select *s);

#endif
