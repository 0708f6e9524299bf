/*
 * Plug-ins of a static perf: they are linked with it, a row of the generated static.def each, and are found
 * without a file. Others would need shared libraries.
 */
#include "plugin.h"

#include <errno.h>
#include <string.h>

#define INSIDE(name) extern const struct plugin perf_plugin_##name;
#define LIBRARY(name)
#include "static.def"
#undef INSIDE
#undef LIBRARY

static const struct {
	const char *name;
	const struct plugin *plugin;	/* NULL: a library whose functions are called directly */
} inside[] = {
#define INSIDE(name) { #name, &perf_plugin_##name },
#define LIBRARY(name) { #name, NULL },
#include "static.def"
#undef INSIDE
#undef LIBRARY
};

static int find(const char *name, const struct plugin **ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(inside); i++) {
		if (!strcmp(inside[i].name, name)) {
			*ret = inside[i].plugin;
			return 0;
		}
	}
	return -ENOENT;
}

bool plugin_find(const char *name, struct strbuf *ret_path)
{
	const struct plugin *p;
	bool there = !find(name, &p);

	if (there && ret_path)
		strbuf_addstr(ret_path, "linked statically");
	return there;
}

static void not_inside(const char *name, struct err *err)
{
	err_set(err, -ENOENT, "this needs the plug-in '%s', which a static perf does not have", name);
	err_hint(err, "use a perf that is not static, such as that of a package");
}

void *plugin_open(const char *name, struct err *err)
{
	not_inside(name, err);
	return NULL;
}

const void *plugin_load(const char *name, size_t ops_size, struct err *err)
{
	const struct plugin *p = NULL;

	if (!find(name, &p) && p && p->abi == PLUGIN_ABI && p->ops_size == ops_size)
		return p->ops;
	not_inside(name, err);
	return NULL;
}
