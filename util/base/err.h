/*
 * Errors as values. The first function that knows the reason says the whole sentence once with err_set(); its
 * callers may put a prefix before it and add hints. The struct has a fixed size and lives on the stack:
 * nothing is freed. Functions return 0 or a negative errno and fill err. Prefixes such as "Error: " are not
 * part of any text here: what prints an error adds them.
 */
#ifndef PERF_BASE_ERR_H
#define PERF_BASE_ERR_H

#include "types.h"

struct strbuf;

struct err {
	int code;		/* negative errno; 0: no error */
	u32 nr_hints;
	char msg[1024];		/* what happened and why: lower case, no full stop */
	/* the text that is wrong and a caret below its bad part (err_caret()), or "" */
	char place[256];
	char hints[1536];	/* nr_hints texts, each ended by a NUL: see err_hint_at() */
};
#define ERR_INIT { 0, 0, "", "", "" }

/*
 * err may be NULL in all functions that fill it. The first two replace all that err held and return the code,
 * so that "return err_set(err, -EINVAL, ...)" reads well; err_sys() adds ": " and the text of errnum, and
 * returns -errnum.
 */
int err_set(struct err *err, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);
int err_sys(struct err *err, int errnum, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* puts text before the message; returns err->code */
int err_prefix(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* adds a hint: what the user can do, or look at. One that no longer fits is left out */
void err_hint(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* adds the hints of another error */
void err_add_hints(struct err *err, const struct err *from);
/* err becomes equal to from; returns its code */
int err_copy(struct err *err, const struct err *from);
void err_clear(struct err *err);

/* the text of hint number i, below nr_hints */
const char *err_hint_at(const struct err *err, u32 i);
/*
 * appends the whole error: the message, the place and a line "Hint: ..." per hint, each line with its newline
 */
void err_describe(const struct err *err, struct strbuf *out);

#endif
