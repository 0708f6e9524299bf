/* Names and texts of errors. Numbers are those of the recorded programs, texts come from this C library. */
#include "syscall.h"

#include <errno.h>
#include <string.h>
#include "put.h"

#define ERRNO_NAME 24
static const struct {
	u8 on;
	u16 number;
	u16 host;			/* the number of this machine; 0: a row of restarts[] has the text */
	char name[ERRNO_NAME];
} rows[] = {
#define ERRNO(families, number, name) { (families) & ON_ALL, number, name + FITS(#name, ERRNO_NAME), #name },
#define RESTART(number, name, text) { ON_ALL, number, FITS(#name, ERRNO_NAME), #name },
#include "errno.def"
#undef ERRNO
#undef RESTART
};

static const struct {
	u16 number;
	const char *text;
} restarts[] = {
#define ERRNO(families, number, name)
#define RESTART(number, name, text) { number, text },
#include "errno.def"
#undef ERRNO
#undef RESTART
};

static const char *text_of(u16 host, int errnum)
{
	for (size_t i = 0; !host && i < ARRAY_SIZE(restarts); i++)
		if (restarts[i].number == errnum)
			return restarts[i].text;
	return strerror(host);
}

const char *syscall_errno_name(const struct syscall_table *t, int errnum, const char **ret_text)
{
	u8 family = t ? t->family : ON_GENERIC;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].number != errnum || !(rows[i].on & family))
			continue;
		if (ret_text)
			*ret_text = text_of(rows[i].host, errnum);
		return rows[i].name;
	}
	return NULL;
}
