/*
 * Build features: what this binary was built with. One row per library of config/libs.tsv, and per other name
 * of one, in that order; for "perf version --build-options" and "perf check feature".
 */
#ifndef PERF_CLI_BUILD_FEATURES_H
#define PERF_CLI_BUILD_FEATURES_H

#include "../base/types.h"

struct build_feature {
	const char *name;	/* "libelf", "dwarf" */
	const char *library;	/* the library: "libdw"; equal to name if name is a library */
	const char *macro;	/* "HAVE_LIBELF_SUPPORT" */
	bool built;
	/* in a shared object that is loaded when needed (base/plugin.h), not in the binary */
	bool plugin;
	const char *without;	/* what is missing without it */
};

const struct build_feature *build_features(size_t *ret_nr);
/* true if it is built in, or built as a plug-in that is installed */
bool build_feature_on(const struct build_feature *f);
/* "7.3.0.1.g1234abcd5678": the compatible version of upstream's perf, and the own one; also in recordings */
const char *build_version(void);
/* "0.1.g1234abcd5678" */
const char *own_version(void);

#endif
