/* Dso hits: which dsos samples fell in, with their call chains. For what shows or collects only the files that matter. */
#ifndef PERF_RESOLVE_DSO_HITS_H
#define PERF_RESOLVE_DSO_HITS_H

#include "../session/session.h"

/* one bool a dso id, the caller's to free; walks all samples */
bool *session_dso_hits(const struct session *s);

#endif
