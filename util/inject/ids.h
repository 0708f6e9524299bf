/*
 * Ids: the build-ids of the dsos of a recording: those that it contains, else those of the files that are
 * there now; what --known-build-ids says wins. Shared by the rewriters that write build-ids, and made by the
 * first that asks.
 */
#ifndef PERF_INJECT_IDS_H
#define PERF_INJECT_IDS_H

#include "inject-private.h"

/* 0, or a negative errno with err: --known-build-ids or -k is wrong */
int inject_ids_get(struct inject *in, struct err *err);
/* by dso id; NULL: unknown, or not wanted by that choice */
const struct build_id *inject_ids_of(const struct inject *in, u32 dso, enum inject_ids which);
/* frees what inject_ids_get() made; may be called several times */
void inject_ids_put(struct inject *in);

#endif
