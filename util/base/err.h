/*
 * Errors as values. The first function that knows says the whole sentence once with err_set(); callers may prefix it.
 * Fixed size, on the stack, nothing to free. Functions return 0 or a negative errno and fill err.
 */
#ifndef PERF_BASE_ERR_H
#define PERF_BASE_ERR_H

#include "types.h"

struct err {
	int code;		/* negative errno, 0: none */
	char msg[1024];		/* lower case, no full stop; may hold several lines */
};
#define ERR_INIT { 0, "" }

/* returns code, so that "return err_set(err, -EINVAL, ...)" reads well; err may be NULL */
int err_set(struct err *err, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* like err_set with ": <strerror(errnum)>" behind it; returns -errnum */
int err_sys(struct err *err, int errnum, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* puts text in front of what err says; returns err->code */
int err_prefix(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* adds a line (a remedy) behind what err says */
void err_hint(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
void err_clear(struct err *err);

#endif
