/* The state of the parser: see parse-state.h. */
#include "parse-state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "../base/caret.h"
#include "../base/units.h"

int parse_err(struct parser *ps, int code, struct span word, const char *fmt, ...)
{
	char msg[600];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	err_set(ps->err, code, "%s", msg);
	err_caret(ps->err, ps->str, word.s - ps->str, word.len);
	return code;
}

int span_u64(struct span s, u64 *ret)
{
	char buf[32];
	u64 v = 0;

	if (!s.len || s.len >= sizeof(buf))
		return -EINVAL;
	memcpy(buf, s.s, s.len);
	buf[s.len] = '\0';
	if (!strncasecmp(buf, "0b", 2)) {
		for (const char *p = buf + 2; *p; p++) {
			if (*p != '0' && *p != '1')
				return -EINVAL;
			v = v << 1 | (*p - '0');
		}
		*ret = v;
		return s.len > 2 ? 0 : -EINVAL;
	}
	return parse_u64(buf, ret);
}

struct event *parse_add_event(struct parser *ps, u32 type, u64 config)
{
	struct event *ev = evset_add(ps->set, "");

	ev->attr.type = type;
	ev->attr.config = config;
	return ev;
}
