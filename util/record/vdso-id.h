/*
 * Vdso-id: identifies the vdso that samples are in. Its maps have no build-id, because they are not maps of a
 * file, and no other machine has the image: so the recording contains the build-id, and the build-id cache
 * keeps the image. Both are taken from this process, and are the same for every process of its kind; 32-bit
 * programs on a 64-bit machine have another vdso, which is not known here.
 */
#ifndef PERF_RECORD_VDSO_ID_H
#define PERF_RECORD_VDSO_ID_H

#include "../base/err.h"
#include "../base/strbuf.h"
#include "../host/build-id.h"

/* false if the kernel has no vdso, or one without a build-id; the name is static */
bool vdso_build_id(struct build_id *ret, const char **ret_name);
/* appends the record with the build-id, if there is one */
void vdso_synthesize(struct strbuf *out);
/*
 * Copies the image to the cache, as CACHE/[vdso]/ID/vdso and a link CACHE/.build-id/ab/cdef to its directory,
 * which is where every perf looks. 0 if it was there already, if there is no cache or nothing to keep, too.
 */
int vdso_keep(struct err *err);

#endif
