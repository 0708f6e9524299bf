/* Strtab: interned strings. */
#include "strtab.h"

#include <string.h>

u32 strtab_find(const struct strtab *t, const char *s, size_t len)
{
	u32 id;

	HIDX_FOREACH(&t->idx, hash_bytes(s, len), id)
		if (!strncmp(t->str.v[id], s, len) && !t->str.v[id][len])
			return id;
	return HIDX_NONE;
}

static u32 strtab_append(struct strtab *t, const char *s, size_t len)
{
	u32 id = t->str.nr;

	vec_push(&t->str, arena_strndup(&t->arena, s, len));
	hidx_insert(&t->idx, hash_bytes(s, len), id);
	return id;
}

u32 strtab_addn(struct strtab *t, const char *s, size_t len)
{
	u32 id;

	len = strnlen(s, len);
	if (!t->str.nr)
		strtab_append(t, "", 0);
	id = strtab_find(t, s, len);
	return id != HIDX_NONE ? id : strtab_append(t, s, len);
}

u32 strtab_add(struct strtab *t, const char *s)
{
	return strtab_addn(t, s, strlen(s));
}

const char *strtab_get(const struct strtab *t, u32 id)
{
	return id < t->str.nr ? t->str.v[id] : "";
}

void strtab_release(struct strtab *t)
{
	vec_release(&t->str);
	hidx_release(&t->idx);
	arena_release(&t->arena);
}
