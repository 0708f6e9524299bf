/* Units: sizes and times as people write and read them; glob matching; small parsers of numbers and lists. */
#ifndef PERF_BASE_UNITS_H
#define PERF_BASE_UNITS_H

#include "strbuf.h"

/* a whole decimal or hex number with nothing after it; 0 or -EINVAL/-ERANGE */
int parse_u64(const char *s, u64 *ret_value);
/* "4096", "64K", "16M", "2G", "1T", also in lower case, optionally followed by B; units of 1024 */
int parse_size(const char *s, u64 *ret_bytes);
/* "500" (in the default unit), "10ms", "2s", "3m", "1h", "1d" to ns */
int parse_duration(const char *s, u64 default_unit_ns, u64 *ret_ns);
/* seconds with a fraction ("123.456789") to ns, exactly; 0, -EINVAL, or -ERANGE if u64 cannot hold it */
int parse_seconds(const char *s, u64 *ret_ns);
/* appends a duration for people: "11.500 us", "2.250 s" */
void duration_text(struct strbuf *out, u64 ns);
/* what a noun ends with after this number: "%lu sample%s" */
static inline const char *plural(u64 n)
{
	return n == 1 ? "" : "s";
}

/* shell globs: * ? [set] [!set], backslash quotes */
bool glob_match(const char *pattern, const char *s);
/* true if s contains one of * ? [ */
bool has_glob(const char *s);
/* edit distance with transpositions, for "did you mean"; a smaller one is nearer */
unsigned int edit_distance(const char *a, const char *b);
/*
 * splits a line as a shell does, at blanks outside of '...' and "..."; ends with NULL, and is kept until the
 * program ends
 */
char **split_words(const char *line);
u64 clock_ns(int clockid);

#endif
