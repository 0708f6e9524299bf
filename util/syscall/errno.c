/* Names and texts of errors. Numbers are those of the recorded programs, texts come from this C library. */
#include "syscall.h"

#include <errno.h>
#include <string.h>
#include "put.h"

static const struct {
	u8 on;
	u16 number;
	u16 host;			/* the number of this machine; 0: text is set */
	const char *name, *text;
} rows[] = {
#define ERRNO(families, number, name) { (families) & ON_ALL, number, name, #name, NULL },
#define RESTART(number, name, text) { ON_ALL, number, 0, #name, text },
#include "errno.def"
#undef ERRNO
#undef RESTART
};

const char *syscall_errno_name(const struct syscall_table *t, int errnum, const char **ret_text)
{
	u8 family = t ? t->family : ON_GENERIC;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].number != errnum || !(rows[i].on & family))
			continue;
		if (ret_text)
			*ret_text = rows[i].text ? rows[i].text : strerror(rows[i].host);
		return rows[i].name;
	}
	return NULL;
}
