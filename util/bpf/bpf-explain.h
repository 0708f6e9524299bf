/* Bpf-explain: why bpf(2) refused, and what to do. */
#ifndef PERF_BPF_BPF_EXPLAIN_H
#define PERF_BPF_BPF_EXPLAIN_H

#include "../base/err.h"

/* what: "a BPF map"; errnum is positive. Returns -errnum */
int bpf_explain(struct err *err, int errnum, const char *what);

#endif
