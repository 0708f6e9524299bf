/* Cpuinfo: values by their keys. */
#include "cpuinfo.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool cpuinfo_value(const char *text, const char *key, char *buf, size_t size)
{
	size_t len = strlen(key);

	buf[0] = '\0';
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *p = line + len;

		if (strncmp(line, key, len))
			continue;
		p += strspn(p, " \t");
		if (*p++ != ':')
			continue;
		p += strspn(p, " \t");
		snprintf(buf, size, "%.*s", (int)strcspn(p, "\n"), p);
		return true;
	}
	return false;
}

bool cpuinfo_word(const char *text, const char *key, char *buf, size_t size)
{
	cpuinfo_value(text, key, buf, size);
	for (size_t n = strlen(buf); n && isspace((unsigned char)buf[n - 1]); n--)
		buf[n - 1] = '\0';
	return *buf;
}
