/*
 * Build features: what this binary was built with. One row per library of config/libs.tsv, in that order; for
 * "perf version --build-options" and "perf check feature".
 */
#ifndef PERF_CLI_BUILD_FEATURES_H
#define PERF_CLI_BUILD_FEATURES_H

#include "../base/types.h"

struct build_feature {
	const char *name;	/* "libelf" */
	const char *macro;	/* "HAVE_LIBELF_SUPPORT" */
	bool built;
	const char *without;	/* what is missing without it, "" where it is built in */
};

const struct build_feature *build_features(size_t *ret_nr);
/* "0.1.g1234abcd5678" */
const char *build_version(void);

#endif
