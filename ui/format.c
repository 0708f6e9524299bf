/* Format: the rows. */
#include "format.h"

#include <string.h>

static const struct format formats[] = {
#define FORMAT(name, show) { name, show },
#include "formats.def"
#undef FORMAT
};

const struct format *format_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}
