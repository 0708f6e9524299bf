/*
 * Imported stacks: profiles of other programs by function, as the phases of report would count and name the
 * recordings that are made of them (data/import.h), but without these.
 */
#ifndef PERF_HIST_IMPORTED_STACKS_H
#define PERF_HIST_IMPORTED_STACKS_H

#include "../view/stacks.h"

/*
 * From what an importer has read, which need not be finished, to out, whose frames are functions. Both live
 * as long as it. origin: the name of the format
 */
struct imported_stacks;
struct imported_stacks *imported_stacks_new(struct stacks *out, const struct stacks *from,
					    const char *origin);
/*
 * Adds the stacks that from has now. If stacks_next() was called for both since, its tables are known
 * already. 0, or -EINVAL with err: an event has another unit in out
 */
int imported_stacks_add(struct imported_stacks *m, struct err *err);
void imported_stacks_free(struct imported_stacks *m);

#endif
