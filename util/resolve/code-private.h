/* Code-private: code that is in no program file. Private to util/resolve. */
#ifndef PERF_RESOLVE_CODE_PRIVATE_H
#define PERF_RESOLVE_CODE_PRIVATE_H

#include "code.h"

#define CODE_HOST_IS_BE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* 0, or a negative errno with err */
int code_read_jitdump(struct code *c, const struct session *s, const struct dso *d, const struct symbol *sym,
		      struct err *err);
int code_read_bpf(struct code *c, const struct session *s, const struct dso *d, const struct symbol *sym,
		  struct err *err);
/*
 * the copy of the kernel that ran, in the build-id cache (CACHE_KCORES in cache/build-cache.h): the path of
 * its core file, which the caller frees; NULL: there is none with that symbol at its address
 */
char *code_cached_kcore(const struct session *s, const struct symbol *sym);

#endif
