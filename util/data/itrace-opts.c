/* Itrace options: see itrace-opts.h. */
#include "itrace-opts.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
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

static const struct {
	const char *word;
	enum itrace_unit unit;
	u64 factor;
} units[] = {
	{ "ns", ITRACE_NS, 1 }, { "us", ITRACE_NS, 1000 }, { "ms", ITRACE_NS, 1000000 },
	{ "i", ITRACE_INSTRUCTIONS, 1 }, { "t", ITRACE_TICKS, 1 },
};

/* "1000", "100us"; a number without a unit counts instructions */
static const char *parse_period(const char *p, struct itrace_opts *o)
{
	char *end;
	u64 nr;

	if (!isdigit((unsigned char)*p))
		return p;
	nr = strtoull(p, &end, 10);
	o->unit = ITRACE_INSTRUCTIONS;
	o->period = nr;
	o->has_period = true;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		size_t len = strlen(units[i].word);

		if (strncmp(end, units[i].word, len))
			continue;
		o->unit = units[i].unit;
		return __builtin_mul_overflow(nr, units[i].factor, &o->period) ? NULL : end + len;
	}
	return end;
}

/* of several signs the last one counts */
static void set_error_flag(bool minus, char flag, struct itrace_opts *o)
{
	if (flag == 'o')
		o->no_overflow = minus;
	if (flag == 'l')
		o->no_lost = minus;
}

static void set_log_flag(bool minus, char flag, struct itrace_opts *o)
{
	if (flag == 'o')
		o->log_to_stdout = !minus;
	if (flag == 'e')
		o->log_only_errors = !minus;
	if (flag == 'a') {
		o->log_all_records = !minus;
		o->log_no_records = minus;
	}
}

/* the end of a letter's arguments; NULL: they are wrong */
static const char *parse_arg(const char *p, char letter, int arg, struct itrace_opts *o)
{
	const char *start = p;

	if (arg == PERIOD)
		return parse_period(p, o);
	if (arg == FLAGS) {
		for (; *p == '+' || *p == '-'; p += 2) {
			if (!islower((unsigned char)p[1]))
				return NULL;
			if (letter == 'e')
				set_error_flag(p[0] == '-', p[1], o);
			else
				set_log_flag(p[0] == '-', p[1], o);
		}
		return p;
	}
	if (letter == 's')
		o->skip = strtoull(p, NULL, 10);
	if (letter == 'q')
		o->quick++;
	if (letter == 'l')
		o->branches = MIN(strtoull(p, NULL, 10), (unsigned long long)ITRACE_FRAMES_MAX);
	if (letter == 'g')
		o->frames = MIN(strtoull(p, NULL, 10), (unsigned long long)ITRACE_FRAMES_MAX);
	if (letter == 'L')
		o->other_branches = MIN(strtoull(p, NULL, 10), (unsigned long long)ITRACE_FRAMES_MAX);
	if (letter == 'G')
		o->other_frames = MIN(strtoull(p, NULL, 10), (unsigned long long)ITRACE_FRAMES_MAX);
	if (arg != NOTHING)
		p += strspn(p, "0123456789");
	return arg == NUMBER && p == start ? NULL : p;
}

int itrace_parse(const char *opts, struct itrace_opts *ret, struct err *err)
{
	const char *p = opts;

	*ret = (struct itrace_opts){
		.decodes = ret->decodes, .off = ret->off, .lists = ret->lists, .depths = ret->depths,
		.to_file = ret->to_file,
		.given = true,
	};
	while (p && *p) {
		size_t i = 0;

		if (*p == ' ' || *p == ',') {
			p++;
			continue;
		}
		while (i < ARRAY_SIZE(rows) && !strchr(rows[i].letters, *p))
			i++;
		if (i < ARRAY_SIZE(rows))
			ret->letters |= itrace_letter(*p);
		p = i < ARRAY_SIZE(rows) ? parse_arg(p + 1, *p, rows[i].arg, ret) : NULL;
		if (!p)
			return err_set(err, -EINVAL, "'%s' is not a list of trace options, such as i1000ig16",
				       opts);
	}
	return 0;
}

int itrace_check(const char *opts, struct err *err)
{
	struct itrace_opts unused = { 0 };

	return itrace_parse(opts, &unused, err);
}
