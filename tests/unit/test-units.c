/* Unit tests of units: sizes, times, globs, edit distance. */
#include "test.h"
#include "../../util/base/units.h"

#include <errno.h>

static u64 size_of(const char *s)
{
	u64 v;

	return parse_size(s, &v) ? UINT64_MAX : v;
}

static u64 ns_of(const char *s)
{
	u64 v;

	return parse_duration(s, 1000000, &v) ? UINT64_MAX : v;
}

static u64 seconds_of(const char *s)
{
	u64 v;

	return parse_seconds(s, &v) ? UINT64_MAX : v;
}

TEST(numbers)
{
	u64 v = 7;

	CHECK_INT(parse_u64("42", &v), 0);
	CHECK_U64(v, 42);
	CHECK_INT(parse_u64("0x10", &v), 0);
	CHECK_U64(v, 16);
	CHECK_INT(parse_u64("18446744073709551615", &v), 0);
	CHECK_U64(v, UINT64_MAX);
	CHECK_INT(parse_u64("18446744073709551616", &v), -ERANGE);
	CHECK_INT(parse_u64("", &v), -EINVAL);
	CHECK_INT(parse_u64("-1", &v), -EINVAL);
	CHECK_INT(parse_u64(" 1", &v), -EINVAL);
	CHECK_INT(parse_u64("1x", &v), -EINVAL);
	CHECK_U64(v, UINT64_MAX);
}

TEST(sizes)
{
	CHECK_U64(size_of("4096"), 4096);
	CHECK_U64(size_of("64K"), 65536);
	CHECK_U64(size_of("64kB"), 65536);
	CHECK_U64(size_of("2g"), 2ull << 30);
	CHECK_U64(size_of("1T"), 1ull << 40);
	CHECK_U64(size_of("12B"), 12);
	CHECK_U64(size_of("16777216T"), UINT64_MAX);	/* 2^64: out of range */
	CHECK_U64(size_of("5X"), UINT64_MAX);
	CHECK_U64(size_of("5KK"), UINT64_MAX);
	CHECK_U64(size_of("K"), UINT64_MAX);
	CHECK_U64(size_of("-5"), UINT64_MAX);
}

TEST(durations)
{
	CHECK_U64(ns_of("500"), 500000000);
	CHECK_U64(ns_of("10ms"), 10000000);
	CHECK_U64(ns_of("7us"), 7000);
	CHECK_U64(ns_of("9ns"), 9);
	CHECK_U64(ns_of("2s"), 2000000000);
	CHECK_U64(ns_of("3m"), 180000000000);
	CHECK_U64(ns_of("1h"), 3600000000000);
	CHECK_U64(ns_of("1d"), 86400000000000);
	CHECK_U64(ns_of("1w"), UINT64_MAX);
	CHECK_U64(ns_of("s"), UINT64_MAX);
	CHECK_U64(ns_of("300000d"), UINT64_MAX);
}

TEST(seconds_are_exact)
{
	CHECK_U64(seconds_of("123.456789"), 123456789000);
	CHECK_U64(seconds_of("0.000000001"), 1);
	CHECK_U64(seconds_of(".5"), 500000000);
	CHECK_U64(seconds_of("7"), 7000000000);
	CHECK_U64(seconds_of("7."), 7000000000);
	CHECK_U64(seconds_of("1.0000000009"), 1000000000);	/* cut, not rounded */
	CHECK_U64(seconds_of("9007199254.740993"), 9007199254740993000);
	CHECK_U64(seconds_of("99999999999999"), UINT64_MAX);
	CHECK_U64(seconds_of("1.5x"), UINT64_MAX);
	CHECK_U64(seconds_of("-1"), UINT64_MAX);
}

TEST(globs)
{
	CHECK(glob_match("sched_*", "sched_switch"));
	CHECK(glob_match("*", ""));
	CHECK(glob_match("**a", "xxa"));
	CHECK(glob_match("a?c", "abc"));
	CHECK(!glob_match("a?c", "ac"));
	CHECK(glob_match("*ab*ab", "abcabab"));
	CHECK(!glob_match("abc", "abcd"));
	CHECK(!glob_match("abcd", "abc"));
	CHECK(glob_match("[a-c]x", "bx"));
	CHECK(!glob_match("[!a-c]x", "bx"));
	CHECK(glob_match("[]x]", "]"));
	CHECK(!glob_match("[abc", "a"));
	CHECK(glob_match("\\*x", "*x"));
	CHECK(!glob_match("\\*x", "ax"));
	CHECK(has_glob("a[b"));
	CHECK(!has_glob("a:b"));
}

/* exponential matchers do not end here */
TEST(glob_is_not_exponential)
{
	CHECK(!glob_match("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b",
			  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
}

TEST(edit_distance)
{
	CHECK_INT(edit_distance("", ""), 0);
	CHECK_INT(edit_distance("abc", "abc"), 0);
	CHECK_INT(edit_distance("", "abc"), 3);
	CHECK_INT(edit_distance("cycles", "cyclse"), 1);	/* one transposition */
	CHECK_INT(edit_distance("report", "reprot"), 1);
	CHECK_INT(edit_distance("record", "recrod"), 1);
	CHECK_INT(edit_distance("kitten", "sitting"), 3);
}
