/*
 * Strtab: interned strings. Equal strings get the same u32 id; ids count up from 0 in the order of first use,
 * and id 0 is always "". Strings live until strtab_release. Not thread-safe while adding; lookups are const.
 */
#ifndef PERF_BASE_STRTAB_H
#define PERF_BASE_STRTAB_H

#include "arena.h"
#include "hash.h"
#include "vec.h"

struct strtab {
	struct { VEC(const char *); } str;
	struct hidx idx;
	struct arena arena;
};

u32 strtab_add(struct strtab *t, const char *s);
u32 strtab_addn(struct strtab *t, const char *s, size_t len);
/* HIDX_NONE if the string was not added */
u32 strtab_find(const struct strtab *t, const char *s, size_t len);
const char *strtab_get(const struct strtab *t, u32 id);
void strtab_release(struct strtab *t);

#endif
