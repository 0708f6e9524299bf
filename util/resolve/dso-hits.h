/*
 * Dso hits: in which dsos the addresses of samples and their call chains are. For commands that show or
 * collect only the files that matter.
 */
#ifndef PERF_RESOLVE_DSO_HITS_H
#define PERF_RESOLVE_DSO_HITS_H

#include "../session/session.h"

/* an array of bool by dso id, which the caller frees; walks all samples */
bool *session_dso_hits(const struct session *s);
/*
 * the ids of the dsos that samples are in (not only their callers), those with most samples first: an array
 * that the caller frees. *ret_nr: their number; walks all samples
 */
u32 *session_dsos_by_samples(const struct session *s, u32 *ret_nr);

#endif
