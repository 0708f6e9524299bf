/* Outputs: the rows. */
#include "out.h"

#include <string.h>

static const struct stat_output rows[] = {
#define STAT_OUTPUT(name, block, end) { name, block, end },
#include "outputs.def"
#undef STAT_OUTPUT
};

const struct stat_output *stat_output_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}
