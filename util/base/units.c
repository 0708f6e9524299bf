/* Units: sizes and times as people write and read them; globs; edit distance. */
#include "units.h"
#include "alloc.h"
#include "strbuf.h"
#include "vec.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

/* the digits at the start of s; unlike strtoull(), no blanks and signs are accepted */
static int leading_number(const char *s, int base, u64 *ret, char **ret_end)
{
	if (!isdigit((unsigned char)*s))
		return -EINVAL;
	errno = 0;
	*ret = strtoull(s, ret_end, base);
	return -errno;
}

int parse_u64(const char *s, u64 *ret_value)
{
	char *end;
	u64 v;
	int ret;

	ret = leading_number(s, 0, &v, &end);
	if (!ret && *end)
		ret = -EINVAL;
	if (!ret)
		*ret_value = v;
	return ret;
}

int parse_size(const char *s, u64 *ret_bytes)
{
	static const char units[] = "KMGT";
	const char *u;
	char *end;
	u64 v;
	int ret;

	ret = leading_number(s, 0, &v, &end);
	if (ret)
		return ret;
	u = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
	if (u) {
		if (__builtin_mul_overflow(v, 1ull << (10 * (u - units + 1)), &v))
			return -ERANGE;
		end++;
	}
	if (toupper((unsigned char)*end) == 'B')
		end++;
	if (*end)
		return -EINVAL;
	*ret_bytes = v;
	return 0;
}

int parse_duration(const char *s, u64 default_unit_ns, u64 *ret_ns)
{
	static const struct {
		const char *suffix;
		u64 ns;
	} units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000ull },
		{ "m", 60000000000ull }, { "h", 3600000000000ull }, { "d", 86400000000000ull },
	};
	u64 unit = default_unit_ns, v;
	char *end;
	int ret;

	ret = leading_number(s, 10, &v, &end);
	if (ret)
		return ret;
	if (*end) {
		size_t i;

		for (i = 0; i < ARRAY_SIZE(units) && strcmp(end, units[i].suffix); i++)
			;
		if (i == ARRAY_SIZE(units))
			return -EINVAL;
		unit = units[i].ns;
	}
	return __builtin_mul_overflow(v, unit, ret_ns) ? -ERANGE : 0;
}

int parse_seconds(const char *s, u64 *ret_ns)
{
	u64 sec, ns = 0, scale = 100000000;
	char *end = (char *)s;

	if (!isdigit((unsigned char)*s) && *s != '.')
		return -EINVAL;
	errno = 0;
	sec = *s == '.' ? 0 : strtoull(s, &end, 10);
	if (*end == '.')
		for (end++; isdigit((unsigned char)*end); end++, scale /= 10)
			ns += (*end - '0') * scale;
	if (*end)
		return -EINVAL;
	if (errno || __builtin_mul_overflow(sec, 1000000000ull, &sec) ||
	    __builtin_add_overflow(sec, ns, &sec))
		return -ERANGE;
	*ret_ns = sec;
	return 0;
}

/*
 * matches c against [set], p being after the bracket; *ret_next is after the closing bracket, or NULL if
 * there is none
 */
static bool glob_set(const char *p, char c, const char **ret_next)
{
	bool invert = *p == '!' || *p == '^', hit = false;

	if (invert)
		p++;
	for (bool first = true; *p && (*p != ']' || first); first = false) {
		if (p[1] == '-' && p[2] && p[2] != ']') {
			hit |= p[0] <= c && c <= p[2];
			p += 3;
		} else {
			hit |= *p++ == c;
		}
	}
	*ret_next = *p ? p + 1 : NULL;
	return hit != invert;
}

bool glob_match(const char *p, const char *s)
{
	const char *star = NULL, *resume = NULL, *next;

	while (*s) {
		bool ok;

		if (*p == '*') {
			star = ++p;
			resume = s;
			continue;
		}
		next = p + 1;
		if (*p == '?')
			ok = true;
		else if (*p == '[')
			ok = glob_set(p + 1, *s, &next) && next;
		else if (*p == '\\' && p[1])
			ok = p[1] == *s, next = p + 2;
		else
			ok = *p == *s;
		if (ok) {
			p = next;
			s++;
		} else if (star) {
			p = star;
			s = ++resume;
		} else {
			return false;
		}
	}
	while (*p == '*')
		p++;
	return !*p;
}

bool has_glob(const char *s)
{
	return strpbrk(s, "*?[") != NULL;
}

unsigned int edit_distance(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b);
	unsigned int *rows = xcalloc(3 * (lb + 1), sizeof(*rows));
	unsigned int *prev2 = rows, *prev = rows + lb + 1, *cur = rows + 2 * (lb + 1), *tmp, ret;

	for (size_t j = 0; j <= lb; j++)
		prev[j] = j;
	for (size_t i = 1; i <= la; i++) {
		cur[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			unsigned int best = prev[j - 1] + (a[i - 1] != b[j - 1]);

			best = MIN(best, MIN(prev[j], cur[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				best = MIN(best, prev2[j - 2] + 1);
			cur[j] = best;
		}
		tmp = prev2, prev2 = prev, prev = cur, cur = tmp;
	}
	ret = prev[lb];
	free(rows);
	return ret;
}

char **split_words(const char *line)
{
	struct { VEC(char *); } words = { 0 };
	struct strbuf word = STRBUF_INIT;

	while (*(line += strspn(line, " \t"))) {
		char quote = 0;

		strbuf_reset(&word);
		for (; *line && (quote || !strchr(" \t", *line)); line++) {
			if (*line == quote)
				quote = 0;
			else if (!quote && (*line == '"' || *line == '\''))
				quote = *line;
			else
				strbuf_addch(&word, *line);
		}
		vec_push(&words, xstrdup(strbuf_str(&word)));
	}
	vec_push(&words, NULL);
	strbuf_release(&word);
	return words.v;
}

u64 clock_ns(int clockid)
{
	struct timespec ts;

	clock_gettime(clockid, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

void duration_text(struct strbuf *out, u64 ns)
{
	static const struct { u64 ns; const char *name; } unit[] = {
		{ 1000000000, " s" }, { 1000000, " ms" }, { 1000, " us" }, { 1, " ns" },
	};
	u32 i = 0;

	while (i + 1 < ARRAY_SIZE(unit) && ns < unit[i].ns)
		i++;
	strbuf_add_u64(out, ns / unit[i].ns, 0);
	if (unit[i].ns > 1) {
		u64 thousandths = ns % unit[i].ns / (unit[i].ns / 1000);

		strbuf_addch(out, '.');
		for (u64 d = 100; d; d /= 10)
			strbuf_addch(out, '0' + thousandths / d % 10);
	}
	strbuf_addstr(out, unit[i].name);
}
