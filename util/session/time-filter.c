/* Time filter: parsing of --time. */
#include "time-filter.h"
#include "../base/maths.h"
#include "../base/units.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* reads "12.5%" at *s, which moves after it; a fraction of 1, or -1 */
static double take_percent(const char **s)
{
	char *end;
	double v;

	if (!isdigit((unsigned char)**s) && **s != '.')
		return -1;
	v = strtod(*s, &end);
	if (*end != '%' || !(v <= 100))
		return -1;
	*s = end + 1;
	return v / 100;
}

/* [a, b) of the recording; a part that begins where another ends does not contain its last nanosecond */
static void add_part(struct time_filter *f, double a, double b, u64 first, u64 last)
{
	double total = last - first;
	u64 from = first + (u64)maths_round(a * total), to = first + (u64)maths_round(b * total);

	if (b < 1 && to > first)
		to--;
	vec_push(&f->ranges, (struct time_range){ from, to });
}

/* one element of a list: kind '/' "10%/2", '-' "0%-10%", '\0' "10%"; *s moves after it */
static bool parse_part(struct time_filter *f, const char **s, char kind, u64 first, u64 last)
{
	double a = take_percent(s), b = a;
	char *end;
	u64 n;

	if (a < 0 || (kind && **s != kind))
		return false;
	if (kind == '/') {
		if (!isdigit((unsigned char)*++*s))
			return false;
		n = strtoul(*s, &end, 10);
		*s = end;
		if (!n || n > 1000000 || a * n > 1 + 1e-9 || a == 0)
			return false;
		add_part(f, a * (n - 1), a * n > 1 - 1e-9 ? 1 : a * n, first, last);
		return true;
	}
	if (kind == '-') {
		++*s;
		b = take_percent(s);
		if (b < 0)
			return false;
	} else {
		a = 0;
	}
	if (b == 0)
		return false;
	add_part(f, a, b, first, last);
	return true;
}

static bool parse_parts(struct time_filter *f, const char *s, u64 first, u64 last)
{
	char kind = strchr(s, '/') ? '/' : strchr(s, '-') ? '-' : '\0';

	for (;;) {
		while (*s == ' ')
			s++;
		if (!parse_part(f, &s, kind, first, last))
			return false;
		if (!*s)
			return true;
		if (*s++ != ',' || !kind)
			return false;
	}
}

/* a time after all that a clock can tell is the last one */
static bool take_seconds(const char *s, size_t len, u64 *ret)
{
	char buf[64];
	int code;

	if (!len)
		return true;
	if (len >= sizeof(buf))
		return false;
	memcpy(buf, s, len);
	buf[len] = '\0';
	code = parse_seconds(buf, ret);
	if (code == -ERANGE)
		*ret = UINT64_MAX;
	return !code || code == -ERANGE;
}

static bool parse_seconds_list(struct time_filter *f, const char *s)
{
	do {
		struct time_range r = { 0, UINT64_MAX };
		const char *comma;
		size_t len;

		s += strspn(s, " ");
		len = strcspn(s, " ");
		comma = memchr(s, ',', len);
		if (!comma || !take_seconds(s, comma - s, &r.from) ||
		    !take_seconds(comma + 1, s + len - comma - 1, &r.to))
			return false;
		if (r.to < r.from || (f->ranges.nr && r.from < f->ranges.v[f->ranges.nr - 1].to))
			return false;
		vec_push(&f->ranges, r);
		s += len;
	} while (*s);
	return true;
}

int time_filter_parse(struct time_filter *f, const char *spec, u64 first, u64 last, struct err *err)
{
	bool ok;

	if (last < first)
		first = last = 0;	/* no samples: the filter is not used */
	ok = strchr(spec, '%') ? parse_parts(f, spec, first, last) : parse_seconds_list(f, spec);
	if (ok)
		return 0;
	time_filter_release(f);
	return err_set(err, -EINVAL, "--time '%s': expected START,STOP in seconds, 10%%, 10%%/2 or 0%%-10%%",
		       spec);
}

void time_filter_release(struct time_filter *f)
{
	vec_release(&f->ranges);
}
