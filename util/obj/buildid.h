/* Build-ids as text and as paths below a build-id directory. */
#ifndef PERF_OBJ_BUILDID_H
#define PERF_OBJ_BUILDID_H

#include "../base/strbuf.h"

/* appends two hex digits per byte */
void buildid_hex(struct strbuf *out, const u8 *id, int len);
/* "DIR/.build-id/ab/cdef...SUFFIX" into out (reset first); DIR "/usr/lib/debug" or ~/.debug */
const char *buildid_path(struct strbuf *out, const char *dir, const u8 *id, int len, const char *suffix);
/*
 * the build-id cache: $PERF_BUILDID_DIR (perf --buildid-dir, buildid.dir), or ~/.debug. The caller frees it;
 * NULL: there is none
 */
char *buildid_cache_dir(void);
bool buildid_equal(const u8 *a, int len_a, const u8 *b, int len_b);

#endif
