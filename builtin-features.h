/* Features: those of the build, and what this machine has of them. */
#ifndef PERF_BUILTIN_FEATURES_H
#define PERF_BUILTIN_FEATURES_H

#include "util/base/strbuf.h"
#include "util/cli/build-features.h"

/*
 * whether it can be used: build_feature_on(), and the library that is chosen when it is needed is here.
 * Appends to detail (may be NULL) which one that is, or what is missing; nothing for other features
 */
bool feature_usable(const struct build_feature *f, struct strbuf *detail);

#endif
