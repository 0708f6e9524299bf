/* Itrace options: see itrace-opts.h. */
#include "itrace-opts.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

/* after a letter, whose arguments these are */
enum { NOTHING, PERIOD, NUMBER, MAY_NUMBER, FLAGS };

static const struct {
	const char *letters;
	int arg;
} rows[] = {
	{ "iy", PERIOD },
	{ "bcrxwpoIfmMtaqAZT", NOTHING },
	{ "ed", FLAGS },
	{ "gGlL", MAY_NUMBER },
	{ "s", NUMBER },
};

/* what follows the number of a period */
static const char *skip_unit(const char *p)
{
	static const char *const units[] = { "ns", "us", "ms", "i", "t" };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strncmp(p, units[i], strlen(units[i])))
			return p + strlen(units[i]);
	return p;
}

/* the end of a letter's arguments; NULL: they are wrong */
static const char *skip_arg(const char *p, int arg)
{
	const char *start = p;

	if (arg == FLAGS) {
		while (*p == '+' || *p == '-') {
			if (!islower((unsigned char)*++p))
				return NULL;
			while (islower((unsigned char)*p))
				p++;
		}
		return p;
	}
	if (arg != NOTHING)
		p += strspn(p, "0123456789");
	if (arg == NUMBER && p == start)
		return NULL;
	return arg == PERIOD && p > start ? skip_unit(p) : p;
}

int itrace_check(const char *opts, struct err *err)
{
	const char *p = opts;

	while (p && *p) {
		size_t i = 0;

		if (*p == ' ' || *p == ',') {
			p++;
			continue;
		}
		while (i < ARRAY_SIZE(rows) && !strchr(rows[i].letters, *p))
			i++;
		p = i < ARRAY_SIZE(rows) ? skip_arg(p + 1, rows[i].arg) : NULL;
		if (!p)
			return err_set(err, -EINVAL, "'%s' is not a list of trace options, such as i1000ig16",
				       opts);
	}
	return 0;
}
