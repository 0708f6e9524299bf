/* Spec-arg: from the text of one argument of a definition to its parts. */
#ifndef PERF_PROBE_SPEC_ARG_H
#define PERF_PROBE_SPEC_ARG_H

#include "../base/err.h"
#include "spec.h"

/* parses an argument in [off, off + len) of spec->text */
int probe_arg_parse(struct probe_spec *spec, struct probe_arg *arg, size_t off, size_t len, struct err *err);
/* parses a type at text + pos, up to end; returns the position after it, or 0 with err */
size_t probe_type_parse(struct probe_spec *spec, struct probe_type *t, size_t pos, size_t end,
			struct err *err);

#endif
