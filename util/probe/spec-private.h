/* Spec-private: what the parsers of a place and of arguments share. */
#ifndef PERF_PROBE_SPEC_PRIVATE_H
#define PERF_PROBE_SPEC_PRIVATE_H

#include "spec.h"

/* parses an argument in [off, off + len) of spec->text */
int probe_arg_parse(struct probe_spec *spec, struct probe_arg *arg, size_t off, size_t len, struct err *err);
/* parses a type at text + pos, up to end; returns the position after it, or 0 with err */
size_t probe_type_parse(struct probe_spec *spec, struct probe_type *t, size_t pos, size_t end,
			struct err *err);
/* decimal, or hex with 0x: digits of s up to len; the number of characters, 0: not a number or too large */
size_t probe_number(const char *s, size_t len, u64 *ret);
/* length of the C identifier at s, at most len */
size_t probe_ident(const char *s, size_t len);

#endif
