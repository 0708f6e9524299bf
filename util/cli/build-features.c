/* Build features: the generated rows. */
#include "build-features.h"

#include "../base/plugin.h"
#include "version.h"

static const struct build_feature features[] = {
#define FEATURE(name, library, macro, built, plugin, without) \
	{ name, library, macro, built, plugin, without },
#include "features.def"
#undef FEATURE
};

const struct build_feature *build_features(size_t *ret_nr)
{
	*ret_nr = ARRAY_SIZE(features);
	return features;
}

bool build_feature_on(const struct build_feature *f)
{
	return f->built && (!f->plugin || plugin_find(f->library, NULL));
}

const char *build_version(void)
{
	return PERF_VERSION;
}

const char *own_version(void)
{
	return OWN_VERSION;
}
