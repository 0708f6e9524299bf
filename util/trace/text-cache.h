/*
 * Text cache: texts of calls, arguments and results, by everything that they depend on. Programs make the
 * same call over and over; such a call then costs a copy. An entry is replaced by the next call with its
 * place.
 */
#ifndef PERF_TRACE_TEXT_CACHE_H
#define PERF_TRACE_TEXT_CACHE_H

#include <stdlib.h>
#include "../base/hash.h"
#include "../base/strbuf.h"
#include "../syscall/syscall.h"

#define TEXT_CACHE_SIZE 256u

struct text_cache_entry {
	const struct syscall_table *table;
	u32 nr;
	s32 pid;
	u64 arg[SYSCALL_ARGS];
	s64 ret;
	u32 generation;
	struct strbuf text;
};

struct text_cache {
	struct text_cache_entry entry[TEXT_CACHE_SIZE];
	u32 generation;		/* grows when what a descriptor is open on may have changed */
};

/*
 * The entry of a call that has returned and has no copied bytes; *ret_hit: its text is there. Else the caller
 * fills the text, which is empty
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
	       e->generation == c->generation && !memcmp(e->arg, call->arg, sizeof(e->arg));
	*ret_hit = same && e->text.len;
	if (*ret_hit)
		return e;
	e->table = call->table;
	e->nr = call->nr;
	e->pid = call->pid;
	e->ret = call->ret;
	e->generation = c->generation;
	memcpy(e->arg, call->arg, sizeof(e->arg));
	strbuf_reset(&e->text);
	return e;
}

static inline void text_cache_free(struct text_cache *c)
{
	for (u32 i = 0; c && i < TEXT_CACHE_SIZE; i++)
		strbuf_release(&c->entry[i].text);
	free(c);
}

#endif
