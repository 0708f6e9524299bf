/* Spec-parse: from the text of a definition to its parts. Looks at the text only. */
#ifndef PERF_PROBE_SPEC_PARSE_H
#define PERF_PROBE_SPEC_PARSE_H

#include "../base/err.h"
#include "spec.h"

/*
 * Parses one definition. 0, or -EINVAL with err, which shows the place of what is wrong; spec must be
 * released in both cases.
 */
int probe_spec_parse(struct probe_spec *spec, const char *text, struct err *err);

#endif
