/*
 * Sdt-args: turns arguments of markers into fetch-arguments of the kernel. They are "SIZE@OPERAND" with an
 * operand in assembler syntax; SIZE is in bytes, negative if the value is signed.
 */
#ifndef PERF_PROBE_SDT_ARGS_H
#define PERF_PROBE_SDT_ARGS_H

#include "../base/strbuf.h"

struct arch;

/* where a symbol in "counter(%rip)" lies; false: it is not known */
typedef bool sdt_symbol(void *ctx, const char *name, s64 add, struct strbuf *out);

/*
 * Appends the fetch-argument of one argument of len characters, such as "-8(%bp):s32" for "-4@-8(%rbp)". 0,
 * -EOPNOTSUPP if a probe cannot read such an operand (two registers, floating point), -EINVAL if it is not an
 * operand. symbol may be NULL.
 */
int sdt_arg_text(const struct arch *arch, bool is64, const char *arg, size_t len, sdt_symbol *symbol,
		 void *ctx,
		 struct strbuf *out);
/* the length of the argument at s: operands may contain blanks ("8@[sp, 16]"); 0: there is none */
size_t sdt_arg_len(const char *s);

#endif
