/*
 * User-cache: files that perf can make again at any time, kept for one user in $XDG_CACHE_HOME/perf or
 * ~/.cache/perf. Folders and files that others could have written are not used, and nothing is written into
 * folders of others. All errors mean that nothing is kept.
 */
#ifndef PERF_BASE_USER_CACHE_H
#define PERF_BASE_USER_CACHE_H

#include "mapping.h"

/* the folder, which is made if it does not exist; the caller closes it. -1: there is none */
int user_cache_open(void);
/* maps a file of the folder with at least min and less than max bytes */
bool user_cache_map(int dir, const char *name, size_t min, size_t max, struct mapping *ret);
/* replaces a file; others see the old one or the new one */
void user_cache_write(int dir, const char *name, const void *p, size_t len);

#endif
