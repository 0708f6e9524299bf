/* Redact-stacks: names in stacks that are replaced by numbered ones, as perf pack --redact does in files. */
#ifndef PERF_INJECT_REDACT_STACKS_H
#define PERF_INJECT_REDACT_STACKS_H

#include "../base/err.h"
#include "../view/stacks.h"
#include "redact-names.h"

/*
 * Before stacks_finish(), when everything was added. Numbers depend on content, not on the order in which it
 * was added. -ENOTSUP with err: a label may contain other names
 */
int redact_stacks(struct redact_names *r, struct stacks *s, struct err *err);

#endif
