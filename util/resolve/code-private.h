/* Code-private: code that is in no program file. Private to util/annotate. */
#ifndef PERF_ANNOTATE_CODE_PRIVATE_H
#define PERF_ANNOTATE_CODE_PRIVATE_H

#include "code.h"

#define CODE_HOST_IS_BE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* 0, or a negative errno with err */
int code_read_jitdump(struct code *c, const struct session *s, const struct dso *d, const struct symbol *sym,
		      struct err *err);
int code_read_bpf(struct code *c, const struct session *s, const struct dso *d, const struct symbol *sym,
		  struct err *err);

#endif
