/* Errors as values. */
#include "err.h"
#include "strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return code;
	err->code = code;
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	text_sanitize(err->msg, strlen(err->msg));
	return code;
}

int err_sys(struct err *err, int errnum, const char *fmt, ...)
{
	va_list ap;
	size_t len;

	if (!err)
		return -errnum;
	err->code = -errnum;
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	text_sanitize(err->msg, strlen(err->msg));
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
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	text_sanitize(err->msg, strlen(err->msg));
	len = strlen(err->msg);
	snprintf(err->msg + len, sizeof(err->msg) - len, "%s", old);
	return err->code;
}

void err_hint(struct err *err, const char *fmt, ...)
{
	va_list ap;
	size_t len;

	if (!err)
		return;
	len = strlen(err->msg);
	if (len + 2 >= sizeof(err->msg))
		return;
	err->msg[len++] = '\n';
	va_start(ap, fmt);
	vsnprintf(err->msg + len, sizeof(err->msg) - len, fmt, ap);
	va_end(ap);
	text_sanitize(err->msg + len, strlen(err->msg + len));
}

void err_clear(struct err *err)
{
	err->code = 0;
	err->msg[0] = '\0';
}
