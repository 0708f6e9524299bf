/* Making values for scripts, inside of util/script/engine-*.c: each fills one value of a list. */
#ifndef PERF_SCRIPT_ENGINE_PUT_H
#define PERF_SCRIPT_ENGINE_PUT_H

#include "engine-state.h"

static inline struct script_value *put(struct script_value *v, const char *key, enum script_value_kind kind)
{
	*v = (struct script_value){ .key = key, .kind = kind };
	return v;
}

static inline void put_uint(struct script_value *v, const char *key, u64 n)
{
	put(v, key, VALUE_UINT)->u = n;
}

static inline void put_int(struct script_value *v, const char *key, s64 n)
{
	put(v, key, VALUE_INT)->i = n;
}

static inline void put_bool(struct script_value *v, const char *key, bool b)
{
	put(v, key, VALUE_BOOL)->u = b;
}

static inline void put_bytes(struct script_value *v, const char *key, enum script_value_kind kind,
			     const void *p, size_t len)
{
	put(v, key, kind)->bytes.p = p ? p : "";
	v->bytes.len = p ? len : 0;
}

static inline void put_values(struct script_value *v, const char *key, enum script_value_kind kind,
		       const struct script_value *of, u32 nr)
{
	put(v, key, kind)->of.v = of;
	v->of.nr = nr;
}

static inline void put_later(struct script_value *v, const char *key, enum engine_later what)
{
	put(v, key, VALUE_LATER)->later = what;
}

/* entries of a dictionary that are there if something is known */
static inline void put_more(struct script_value *v, enum engine_later what)
{
	put(v, NULL, VALUE_MORE)->later = what;
}

static inline struct script_value *new_values(struct engine *g, u32 nr)
{
	return arena_alloc(&g->arena, MAX(nr, 1u) * sizeof(struct script_value));
}

/* what g->text has, without blanks around it */
void engine_put_text(struct engine *g, struct script_value *v, const char *key);
/* scripts print what they are given: control characters are escaped */
void engine_put_name(struct engine *g, struct script_value *v, const char *key, const char *name);
/* the same of a name that stays as it is during the call */
void engine_put_kept_name(struct engine *g, struct script_value *v, const char *key, const char *name);
/* the lists of branches of the sample in hand: places, and names */
void engine_put_branches(struct engine *g, struct script_value *ret, const char *key);
void engine_put_branch_syms(struct engine *g, struct script_value *ret, const char *key);

#endif
