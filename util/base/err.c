/* Errors as values. */
#include "err.h"
#include "strbuf.h"

#include <stdio.h>
#include <string.h>

static void set_msg(struct err *err, const char *fmt, va_list ap)
{
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	text_sanitize(err->msg, strlen(err->msg));
}

int err_set(struct err *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return code;
	err_clear(err);
	err->code = code;
	va_start(ap, fmt);
	set_msg(err, fmt, ap);
	va_end(ap);
	return code;
}

int err_sys(struct err *err, int errnum, const char *fmt, ...)
{
	va_list ap;
	size_t len;

	if (!err)
		return -errnum;
	err_clear(err);
	err->code = -errnum;
	va_start(ap, fmt);
	set_msg(err, fmt, ap);
	va_end(ap);
	len = strlen(err->msg);
	snprintf(err->msg + len, sizeof(err->msg) - len, ": %s", strerror(errnum));
	return -errnum;
}

int err_prefix(struct err *err, const char *fmt, ...)
{
	char old[sizeof(err->msg)];
	va_list ap;
	size_t len;

	if (!err)
		return 0;
	memcpy(old, err->msg, sizeof(old));
	va_start(ap, fmt);
	set_msg(err, fmt, ap);
	va_end(ap);
	len = strlen(err->msg);
	snprintf(err->msg + len, sizeof(err->msg) - len, "%s", old);
	return err->code;
}

const char *err_hint_at(const struct err *err, u32 i)
{
	const char *p = err->hints;

	while (i--)
		p += strlen(p) + 1;
	return p;
}

void err_hint(struct err *err, const char *fmt, ...)
{
	size_t used, room;
	va_list ap;
	char *text;
	int len;

	if (!err)
		return;
	used = err_hint_at(err, err->nr_hints) - err->hints;
	room = sizeof(err->hints) - used;
	text = err->hints + used;
	va_start(ap, fmt);
	len = vsnprintf(text, room, fmt, ap);
	va_end(ap);
	if (len < 0 || (size_t)len >= room)
		return;
	text_sanitize(text, len);
	err->nr_hints++;
}

void err_add_hints(struct err *err, const struct err *from)
{
	for (u32 i = 0; i < from->nr_hints; i++)
		err_hint(err, "%s", err_hint_at(from, i));
}

int err_copy(struct err *err, const struct err *from)
{
	if (err)
		*err = *from;
	return from->code;
}

void err_clear(struct err *err)
{
	err->code = 0;
	err->nr_hints = 0;
	err->msg[0] = '\0';
	err->place[0] = '\0';
}

void err_describe(const struct err *err, struct strbuf *out)
{
	strbuf_addf(out, "%s\n", err->msg);
	if (*err->place)
		strbuf_addf(out, "%s\n", err->place);
	for (u32 i = 0; i < err->nr_hints; i++)
		strbuf_addf(out, "Hint: %s\n", err_hint_at(err, i));
}
