/* Build features: the generated rows. */
#include "build-features.h"

#include "version.h"

static const struct build_feature features[] = {
#define FEATURE(name, macro, built, without) { name, macro, built, without },
#include "features.def"
#undef FEATURE
};

const struct build_feature *build_features(size_t *ret_nr)
{
	*ret_nr = ARRAY_SIZE(features);
	return features;
}

const char *build_version(void)
{
	return PERF_VERSION;
}
