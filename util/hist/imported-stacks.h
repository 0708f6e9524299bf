/*
 * Imported stacks: profiles of other programs by function, as the phases of report would count and name the
 * recordings that are made of them (data/import.h), but without these.
 */
#ifndef PERF_HIST_IMPORTED_STACKS_H
#define PERF_HIST_IMPORTED_STACKS_H

#include "../view/stacks.h"

/*
 * Adds what an importer has read, which need not be finished, to out, whose frames are functions. origin: the
 * name of its format. 0, or -EINVAL with err: an event has another unit in out
 */
int imported_stacks_add(struct stacks *out, const struct stacks *from, const char *origin, struct err *err);

#endif
