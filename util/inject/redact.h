/*
 * Redact: names in a copy that are replaced by numbered ones, such as /dir3/file7 and comm2. Equal names
 * become equal ones, in records, the header and packed symbols alike. Shared by the rewriters that write
 * names; made by the first that asks.
 */
#ifndef PERF_INJECT_REDACT_H
#define PERF_INJECT_REDACT_H

#include "inject-private.h"

/*
 * the name to write for a file, valid until the copy is complete: the name itself if it is not a path, or
 * paths are not to be replaced. Files of the kernel keep their names, and their usual directories. NULL: NULL
 */
const char *redact_path(struct inject *in, const char *path, bool kernel);

#endif
