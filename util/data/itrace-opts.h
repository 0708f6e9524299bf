/*
 * Itrace options: the letters of --itrace, which say what decoders of hardware traces make of them. They are
 * checked and nothing else, because no trace is decoded.
 */
#ifndef PERF_DATA_ITRACE_OPTS_H
#define PERF_DATA_ITRACE_OPTS_H

#include "../base/err.h"

/* such as "i1000ig"; NULL: the default. 0, or -EINVAL with err */
int itrace_check(const char *opts, struct err *err);

#endif
