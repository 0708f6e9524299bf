/*
 * Dso hits: in which dsos the addresses of samples and their call chains are. For commands that show or
 * collect only the files that matter.
 */
#ifndef PERF_RESOLVE_DSO_HITS_H
#define PERF_RESOLVE_DSO_HITS_H

#include "../session/session.h"

/* an array of bool by dso id, which the caller frees; walks all samples */
bool *session_dso_hits(const struct session *s);

#endif
