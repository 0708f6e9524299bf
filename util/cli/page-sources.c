/* Page sources: a static perf has them inside; another one reads files, and has no rows here. */
#include "page.h"

#include <string.h>

static const struct {
	const char *name, *text;
} sources[] = {
#define PAGE(name, text) { name, text },
#include "pages.def"
#undef PAGE
	{ NULL, NULL }
};

const char *page_source(const char *name)
{
	for (size_t i = 0; sources[i].name; i++)
		if (!strcmp(sources[i].name, name))
			return sources[i].text;
	return NULL;
}
