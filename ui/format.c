/* Format: the rows. */
#include "format.h"

#include <string.h>

static const struct format formats[] = {
#define FORMAT(name, show) { name, show },
#include "formats.def"
};

static const struct {
	const char *name;
	const struct stream_format *stream;
} streams[] = {
#define STREAM(name, stream) { name, &stream },
#include "formats.def"
};

const struct format *format_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

const struct stream_format *format_find_stream(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(streams); i++)
		if (!strcmp(streams[i].name, name))
			return streams[i].stream;
	return NULL;
}
