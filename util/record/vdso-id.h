/*
 * Vdso-id: which vdso it was that samples fell in. Its maps carry no build-id, as no file is behind them, and no other machine has
 * the image: what is recorded says the build-id, and the build-id cache keeps the image. Both are of this process, and so of every
 * process of its kind; 32-bit programs on a 64-bit machine have another one, which is not known here.
 */
#ifndef PERF_RECORD_VDSO_ID_H
#define PERF_RECORD_VDSO_ID_H

#include "../base/err.h"
#include "../base/strbuf.h"
#include "../host/build-id.h"

/* false where the kernel gives no vdso, or one without a build-id; the name is static */
bool vdso_build_id(struct build_id *ret, const char **ret_name);
/* appends the record that says it, where there is something to say */
void vdso_synthesize(struct strbuf *out);
/*
 * The image into the cache, as CACHE/[vdso]/ID/vdso and a link CACHE/.build-id/ab/cdef to its directory, which is where every perf
 * looks. 0 where it is there, there is no cache or there is nothing to keep.
 */
int vdso_keep(struct err *err);

#endif
