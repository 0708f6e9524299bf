/* The whole text of an error, as a command prints it: message, place and hints. */
#ifndef PERF_TESTS_UNIT_ERR_TEXT_H
#define PERF_TESTS_UNIT_ERR_TEXT_H

#include <stdio.h>
#include "../../util/base/err.h"
#include "../../util/base/strbuf.h"

/* without the last newline; valid until the next call */
static inline const char *err_text(const struct err *err)
{
	static char text[sizeof(struct err)];
	struct strbuf sb = STRBUF_INIT;

	err_describe(err, &sb);
	snprintf(text, sizeof(text), "%.*s", (int)sb.len - 1, sb.buf);
	strbuf_release(&sb);
	return text;
}

#endif
