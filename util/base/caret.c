/* A text and a line that points to a place in it. */
#include "caret.h"

#include <stdio.h>
#include <string.h>
#include "types.h"

#define CONTEXT_MAX 100		/* columns of the text that are shown */

void err_caret(struct err *err, const char *text, size_t off, size_t len)
{
	size_t total = strlen(text), from = 0, end, width;
	char line[CONTEXT_MAX + 1], caret[CONTEXT_MAX + 1];

	if (!err || !total)
		return;
	if (off > CONTEXT_MAX / 2 && total > CONTEXT_MAX)
		from = MIN(off - CONTEXT_MAX / 2, total - CONTEXT_MAX);
	end = MIN(total, from + CONTEXT_MAX);
	for (size_t i = from; i < end; i++) {
		unsigned char c = text[i];

		line[i - from] = c < ' ' || c == 0x7f ? '?' : c;
	}
	line[end - from] = '\0';
	width = MIN(off - from, (size_t)CONTEXT_MAX - 1);
	memset(caret, ' ', width);
	caret[width++] = '^';
	for (size_t i = 1; i < len && width < CONTEXT_MAX && width < end - from; i++)
		caret[width++] = '~';
	caret[width] = '\0';
	snprintf(err->place, sizeof(err->place), "  %s\n  %s", line, caret);
}
