/* Foreign: see foreign.h. */
#include "foreign.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define TEXT_BYTES 512u		/* that are looked at */

static const struct {
	u32 off;
	const char *magic;
	size_t len;
	const char *what, *hint;
} kinds[] = {
#define FOREIGN(off, magic, what, hint) { off, magic, sizeof(magic) - 1, what, hint },
#include "foreign.def"
#undef FOREIGN
};

static bool is_text(const u8 *p, u64 size)
{
	u64 len = MIN(size, (u64)TEXT_BYTES);

	for (u64 i = 0; i < len; i++)
		if (p[i] < ' ' && !isspace(p[i]))
			return false;
	return len;
}

int err_foreign_file(struct err *err, const char *path, const u8 *p, u64 size)
{
	static const char format[] = "incompatible file format: %s is not a perf.data file";

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (size < kinds[i].off + kinds[i].len ||
		    memcmp(p + kinds[i].off, kinds[i].magic, kinds[i].len))
			continue;
		err_set(err, -EINVAL, "incompatible file format: %s is %s, not a perf.data file", path,
			kinds[i].what);
		err_hint(err, kinds[i].hint, path);
		return -EINVAL;
	}
	if (!is_text(p, size))
		return err_set(err, -EINVAL, format, path);
	err_set(err, -EINVAL, "incompatible file format: %s is a text file, not a perf.data file", path);
	err_hint(err, "if perf script or perf report printed it, give -i the recording that they read");
	return -EINVAL;
}
