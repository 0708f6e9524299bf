/*
 * Text cache: texts of calls, arguments and results, by everything that they depend on. Programs make the
 * same call over and over; such a call then costs a look-up. The texts are in struct trace_call_lines, and
 * forgotten with it. An entry is replaced by the next call with its place.
 */
#ifndef PERF_TRACE_TEXT_CACHE_H
#define PERF_TRACE_TEXT_CACHE_H

#include <string.h>
#include "../base/hash.h"
#include "../syscall/syscall.h"

#define TEXT_CACHE_SIZE 256u

struct text_cache_entry {
	const struct syscall_table *table;
	u32 nr;
	s32 pid;
	u64 arg[SYSCALL_ARGS];
	s64 ret;
	u32 generation;
	u64 batch;
	u32 text, text_len;	/* no length: the text does not count */
};

struct text_cache {
	struct text_cache_entry entry[TEXT_CACHE_SIZE];
	u32 generation;		/* grows when what a descriptor is open on may have changed */
	u64 batch;		/* grows with each struct trace_call_lines that is written */
};

/*
 * The entry of a call that has returned and has no copied bytes; *ret_hit: its text is there. Else the
 * caller notes where it is
 */
static inline struct text_cache_entry *text_cache_find(struct text_cache *c, const struct syscall_call *call,
						       bool *ret_hit)
{
	u64 h = (u64)call->nr << 32 ^ (u32)call->pid;
	struct text_cache_entry *e;
	bool same;

	for (u32 i = 0; i < SYSCALL_ARGS; i++)
		h = hash_mix(h, call->arg[i]);
	e = &c->entry[hash_mix(h, call->ret) >> 32 & (TEXT_CACHE_SIZE - 1)];
	same = e->table == call->table && e->nr == call->nr && e->pid == call->pid && e->ret == call->ret &&
	       e->generation == c->generation && e->batch == c->batch &&
	       !memcmp(e->arg, call->arg, sizeof(e->arg));
	*ret_hit = same && e->text_len;
	if (*ret_hit)
		return e;
	e->table = call->table;
	e->nr = call->nr;
	e->pid = call->pid;
	e->ret = call->ret;
	e->generation = c->generation;
	e->batch = c->batch;
	memcpy(e->arg, call->arg, sizeof(e->arg));
	e->text_len = 0;
	return e;
}

#endif
