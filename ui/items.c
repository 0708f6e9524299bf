/* Items: the rows of the formats, and the names alone. */
#include "items.h"

#include <string.h>

static const struct items_format formats[] = {
#define ITEMS(name, show) { name, show },
#include "formats.def"
};

const struct items_format *items_format_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}
