/* Cache-private: what the parts of the build-id cache share. */
#ifndef PERF_CACHE_PRIVATE_H
#define PERF_CACHE_PRIVATE_H

#include "build-cache.h"
#include "../base/strbuf.h"

/* whether a path below the cache ("usr/bin/ls") cannot lead out of it: it has no empty part, "." or ".." */
bool cache_path_is_inside(const char *path);
/* makes path with all folders above it; 0 or a negative errno */
int cache_make_dir(const char *path);
/* DIR/.build-id/xx/yyyy leads to ../../NAME/HEX from then on; 0 or a negative errno */
int cache_link_id(const char *dir, const char *name, const struct build_id *id);
/* the entry that the link of id leads to, below dir ("usr/bin/ls/abcdef"), into out; false: no link, or one that leads elsewhere */
bool cache_entry_of(const char *dir, const struct build_id *id, struct strbuf *out);
/* whole or not at all: what fill() writes becomes path */
int cache_write(const char *path, int (*fill)(int fd, void *ctx), void *ctx);

#endif
