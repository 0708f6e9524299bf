/*
 * Trust: whether a file that perf would run could have been written, or put in its place, by somebody else.
 */
#ifndef PERF_BASE_TRUST_H
#define PERF_BASE_TRUST_H

#include <sys/types.h>
#include "strbuf.h"

/*
 * The file is a regular one; it and its folder belong to root or to owner and are not writable by everybody:
 * nobody can replace it before it is opened by its name.
 */
bool trusted_file(const char *path, uid_t owner);
/*
 * The same for a perf that has more rights than its user, by the capabilities or the set-user-id bit of its
 * file: nobody but root may be able to replace anything, at any level. path becomes the real path, so that no
 * link on the way can be changed later.
 */
bool trusted_by_all(struct strbuf *path);

#endif
