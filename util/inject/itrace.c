/*
 * Itrace: --itrace and --strip. Upstream makes events of the instructions in an AUX trace; this perf decodes
 * no trace, so a file that has one is refused. A file without a trace has nothing to be decoded: all records
 * pass, and --strip leaves out the samples, none of which comes from a trace.
 */
#include "inject-private.h"

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
	{ "bcrxwpoIfmtaqAZT", NOTHING },
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

int inject_check_itrace(const char *opts, struct err *err)
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

bool inject_has_trace(const struct session *s)
{
	return s->nr_records[REC_AUXTRACE] || s->nr_records[REC_AUXTRACE_INFO];
}

int itrace_start(struct inject *in, struct err *err)
{
	if (!inject_has_trace(in->session))
		return 0;
	return err_set(err, -ENOTSUP, "%s has an AUX trace, which this perf does not decode: copy it without "
		       "--itrace and --strip", in->session->data->path);
}

int itrace_record(struct inject *in, const struct rec *rec, u64 time UNUSED)
{
	return !in->opts->strip || rec->type != REC_SAMPLE;
}

void itrace_end(struct inject *in UNUSED)
{
}
