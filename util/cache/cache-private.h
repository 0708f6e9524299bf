/* Cache-private: functions that the parts of the build-id cache share. */
#ifndef PERF_CACHE_PRIVATE_H
#define PERF_CACHE_PRIVATE_H

#include "build-cache.h"
#include "../base/strbuf.h"

/* makes DIR/.build-id/xx/yyyy a link to ../../NAME/HEX; 0 or a negative errno */
int cache_link_id(const char *dir, const char *name, const struct build_id *id);
/* path becomes what fill() writes, whole or not at all. mode: its bits that let files be executed are kept */
int cache_write(const char *path, u32 mode, int (*fill)(int fd, void *ctx), void *ctx);

#endif
