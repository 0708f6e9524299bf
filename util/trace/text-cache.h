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
#define TEXT_CACHE_DATA 96u		/* bytes that arguments of a call point to, at most */

struct text_cache_entry {
	const struct syscall_table *table;
	u32 nr;
	s32 pid;
	u64 arg[SYSCALL_ARGS];
	s64 ret;
	u32 generation;
	u64 batch;
	u32 text, text_len;	/* no length: the text does not count */
	u16 len[SYSCALL_ARGS];	/* bytes of each argument + 1; 0: not known */
	u8 data[TEXT_CACHE_DATA];
};

struct text_cache {
	struct text_cache_entry entry[TEXT_CACHE_SIZE];
	u32 generation;		/* grows when what a descriptor is open on may have changed */
	u64 batch;		/* grows with each struct trace_call_lines that is written */
};

/* loops over the arguments are short: counting takes longer than their work */
#define EACH_ARG(i) _Pragma("GCC unroll 6") for (u32 i = 0; i < SYSCALL_ARGS; i++)

/* whether the entry has the bytes of the call; if not, and they fit, it has them now */
static inline bool text_cache_same_data(struct text_cache_entry *e, const struct syscall_call *call)
{
	bool same = true;
	u32 at = 0;

	EACH_ARG(i) {
		const struct syscall_data *d = &call->data[i];
		u16 len = d->p ? d->len + 1 : 0;

		same &= e->len[i] == len && (len < 2 || !memcmp(e->data + at, d->p, d->len));
		if (!same) {
			e->len[i] = len;
			if (len > 1)
				memcpy(e->data + at, d->p, d->len);
		}
		at += d->p ? d->len : 0;
	}
	return same;
}

static inline bool text_cache_takes(const struct syscall_call *call)
{
	u64 len = 0;

	EACH_ARG(i)
		len += call->data[i].p ? call->data[i].len : 0;
	return call->has_ret && !call->nr_parts && len <= TEXT_CACHE_DATA;
}

/*
 * The entry of a call that has returned; *ret_hit: its text is there. Else the caller notes where it is.
 * NULL: texts of such calls are not kept
 */
static inline struct text_cache_entry *text_cache_find(struct text_cache *c, const struct syscall_call *call,
						       bool *ret_hit)
{
	u64 h = ((u64)call->nr << 32 ^ (u32)call->pid) + (u64)call->ret * 0xd6e8feb86659fd93ull, differs = 0;
	struct text_cache_entry *e;
	bool same;

	*ret_hit = false;
	if (!text_cache_takes(call))
		return NULL;
	/* no multiplication waits for another one */
	EACH_ARG(i)
		h += call->arg[i] * (0x9e3779b97f4a7c15ull << i | 1);
	e = &c->entry[hash_u64(h) & (TEXT_CACHE_SIZE - 1)];
	EACH_ARG(i)
		differs |= e->arg[i] ^ call->arg[i];
	same = !differs && e->table == call->table && e->nr == call->nr && e->pid == call->pid &&
	       e->ret == call->ret && e->generation == c->generation && e->batch == c->batch;
	*ret_hit = text_cache_same_data(e, call) && same && e->text_len;
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
