/* Unit tests of metric expressions. */
#include "test.h"
#include "err-text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../../util/base/strbuf.h"
#include "../../util/pmu/expr.h"

/* ids: one letter is its place in the alphabet; "none" has no value; "nine" comes from 9 counters */
static bool id_value(const void *ctx, const char *name, double *value, u32 *count)
{
	*count = strcmp(name, "nine") ? 1 : 9;
	*value = strlen(name) == 1 ? name[0] - 'a' + 1.0 : strlen(name);
	return strcmp(name, "none") != 0;
}

static bool literal(const void *ctx, const char *name, double *value)
{
	*value = !strcmp(name, "smt_on");
	return !strcmp(name, "smt_on") || !strcmp(name, "core_wide");
}

static bool has_event(const void *ctx, const char *name, bool *has)
{
	*has = name[0] == 'h';
	return true;
}

static bool cpuid(const void *ctx, const char *pattern, bool *matches)
{
	*matches = !strcmp(pattern, "0x410fd493");
	return true;
}

static const struct expr_env env = { .id = id_value, .literal = literal, .has_event = has_event,
				     .cpuid = cpuid };
static const struct expr_env no_constants;

/* the value, or the message */
static char *value(const char *text)
{
	struct arena a = { 0 };
	struct err err = ERR_INIT;
	struct strbuf sb = STRBUF_INIT;
	const char *missing;
	const struct expr *e = expr_parse(&a, text, -1, &err);

	if (!e) {
		CHECK(err.code < 0);
		strbuf_addstr(&sb, err_text(&err));
	} else {
		double v = expr_eval(e, &env, &missing);

		if (isnan(v))
			strbuf_addf(&sb, "nan%s%s", missing ? " " : "", missing ? missing : "");
		else
			strbuf_addf(&sb, "%.15g", v);
	}
	arena_release(&a);
	return strbuf_detach(&sb);
}

static char *ids(const char *text, const struct expr_env *constants, int param)
{
	struct arena a = { 0 };
	struct err err = ERR_INIT;
	struct strbuf sb = STRBUF_INIT;
	struct expr_ids list = { 0 };
	const struct expr *e = expr_parse(&a, text, param, &err);

	REQUIRE(e);
	expr_ids(e, constants, &list);
	vec_foreach(&list, id)
		strbuf_addf(&sb, "%s%s", sb.len ? " " : "", *id);
	vec_release(&list);
	arena_release(&a);
	return strbuf_detach(&sb);
}

#define CHECK_VALUE(text, want) do { char *got_ = value(text); CHECK_STR(got_, want); free(got_); } while (0)
#define CHECK_IDS(text, want) \
	do { char *got_ = ids(text, &env, -1); CHECK_STR(got_, want); free(got_); } while (0)

TEST(arithmetic)
{
	CHECK_VALUE("1 + 2 * 3", "7");
	CHECK_VALUE("(1 + 2) * 3", "9");
	CHECK_VALUE("10 - 4 - 3", "3");
	CHECK_VALUE("100 / 10 / 5", "2");
	CHECK_VALUE("7 % 4", "3");
	CHECK_VALUE("-2 * -3", "6");
	CHECK_VALUE("- - 2", "2");
	CHECK_VALUE("a+b*c", "7");
	CHECK_VALUE("1 / 0", "nan");
	CHECK_VALUE("1 % 0", "nan");
	CHECK_VALUE("1e300 * 1e300", "nan");
	CHECK_VALUE("a / none", "nan none");
	CHECK_VALUE(" 1\n+\t1 ", "2");
}

TEST(numbers)
{
	CHECK_VALUE("1e9", "1000000000");
	CHECK_VALUE("1.5E-3", "0.0015");
	CHECK_VALUE(".5", "0.5");
	CHECK_VALUE("2.", "2");
	CHECK_VALUE("1e+3", "1000");
	CHECK_VALUE("0x1F", "31");
	CHECK_VALUE("0.05 == 5 / 100", "1");
	CHECK_VALUE("1e-9 == 1 / 1000000000", "1");
	CHECK_VALUE("1e-999999999999999999999", "0");
	CHECK_VALUE("1e400", "this number is too large\n  1e400\n  ^");
	CHECK_VALUE("1.2.3", "an operator is expected after this number\n  1.2.3\n     ^");
	CHECK_VALUE("5abc", "an operator is expected after this number\n  5abc\n   ^");
}

TEST(comparisons_and_bits)
{
	CHECK_VALUE("1 < 2", "1");
	CHECK_VALUE("2 <= 2", "1");
	CHECK_VALUE("1 > 2", "0");
	CHECK_VALUE("3 >= 4", "0");
	CHECK_VALUE("3 == 3", "1");
	CHECK_VALUE("3 != 3", "0");
	CHECK_VALUE("!0 + !5", "1");
	CHECK_VALUE("1 | 6", "7");
	CHECK_VALUE("7 & 5 ^ 1", "4");
	/* a comparison binds tighter than the operators that join comparisons, as in thresholds */
	CHECK_VALUE("a > 0.2 & b > 0.1", "1");
	CHECK_VALUE("a > 2 & b > 1 | c > 1", "1");
	CHECK_VALUE("1e30 | 1", "nan");
}

TEST(choices)
{
	CHECK_VALUE("a if 1 else b", "1");
	CHECK_VALUE("a if 0 else b if 0 else c", "3");
	CHECK_VALUE("a + 1 if a > 5 else b * 2", "4");
	CHECK_VALUE("(a if #smt_on else b) * 10", "10");
	CHECK_VALUE("a if #SMT_on else b", "1");
	CHECK_VALUE("a if none else b", "nan none");
	CHECK_VALUE("none if 0 else b", "2");
}

TEST(functions)
{
	CHECK_VALUE("min(3, a + 1)", "2");
	CHECK_VALUE("max ( 3 , 4 )", "4");
	CHECK_VALUE("d_ratio(6, 3)", "2");
	CHECK_VALUE("d_ratio(6, 0)", "0");
	CHECK_VALUE("d_ratio(none, 0)", "nan none");
	CHECK_VALUE("has_event(high) + has_event(low)", "1");
	CHECK_VALUE("source_count(nine)", "9");
	CHECK_VALUE("aggr_nr(nine)", "9");
	CHECK_VALUE("strcmp_cpuid_str(0x410fd493)", "1");
	CHECK_VALUE("strcmp_cpuid_str(0x410fd[0-3])", "0");
	CHECK_VALUE("#nothing", "nan nothing");
	/* names that begin like words of the language */
	CHECK_VALUE("iffy + minimum + elsewhere", "20");
	CHECK_VALUE("min + max", "6");
}

TEST(ids)
{
	CHECK_IDS("a + b + a", "a b");
	CHECK_IDS("CPU_CLK_UNHALTED.THREAD / INST_RETIRED.ANY:k",
		  "CPU_CLK_UNHALTED.THREAD INST_RETIRED.ANY:k");
	CHECK_IDS("cpu@event\\=0x3c\\,umask\\=1@ - L1\\-dcache\\-loads",
		  "cpu/event=0x3c,umask=1/ L1-dcache-loads");
	CHECK_IDS("cpu@c6\\-residency@k * 2", "cpu/c6-residency/k");
	CHECK_IDS("min(x, source_count(y))", "x y");
	char *got = ids("hv@chip\\=?@ / a?", NULL, 12);

	CHECK_STR(got, "hv/chip=12/ a12");
	free(got);
}

TEST(ids_of_branches_that_constants_rule_out)
{
	char *got;

	CHECK_IDS("a if #smt_on else b", "a");
	CHECK_IDS("a if #core_wide > 0 else b", "b");
	CHECK_IDS("a if has_event(low) else b", "b");
	CHECK_IDS("a if has_event(high) & c else b", "a c b");
	CHECK_IDS("a if #core_wide & c else b", "b");
	CHECK_IDS("a > 1 & (b if strcmp_cpuid_str(x) else c)", "a c");
	CHECK_IDS("(#core_wide & a) + b", "b");
	CHECK_VALUE("(#core_wide & none) + b", "2");
	CHECK_VALUE("(none & #core_wide) + b", "2");
	got = ids("a if has_event(x) else #smt_on", &no_constants, -1);
	CHECK_STR(got, "a x");
	free(got);
}

TEST(messages_point_at_the_place)
{
	CHECK_VALUE("", "a value is missing at the end");
	CHECK_VALUE("a +", "a value is missing at the end\n  a +\n     ^");
	CHECK_VALUE("a b", "an operator is expected here\n  a b\n    ^");
	CHECK_VALUE("(a + b", "this parenthesis is not closed\n  (a + b\n  ^");
	CHECK_VALUE("a + )", "a value is expected here\n  a + )\n      ^");
	CHECK_VALUE("min(a)", "',' and a second argument are expected here\n  min(a)\n       ^");
	CHECK_VALUE("foo(a)", "unknown function (functions: min, max, d_ratio, has_event, source_count, "
		    "aggr_nr, strcmp_cpuid_str)\n  foo(a)\n  ^");
	CHECK_VALUE("a if b", "'else' is expected here\n  a if b\n        ^");
	CHECK_VALUE("a if else b", "a value is expected here\n  a if else b\n       ^");
	CHECK_VALUE("has_event(1)", "the name of an event is expected here\n  has_event(1)\n            ^");
	CHECK_VALUE("# + 1", "the name of a constant is expected after '#'\n  # + 1\n   ^");
	CHECK_VALUE("a $ b", "an operator is expected here\n  a $ b\n    ^");
	CHECK_VALUE("a\x1b[2J", "an operator is expected here\n  a?[2J\n   ^");
	CHECK_VALUE("a\\", "an operator is expected here\n  a\\\n   ^");
}

/* n times what, then tail */
static char *repeat(const char *what, size_t n, const char *tail)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < n; i++)
		strbuf_addstr(&sb, what);
	strbuf_addstr(&sb, tail);
	return strbuf_detach(&sb);
}

static void check_refused(char *text, const char *why)
{
	char *got = value(text);

	CHECK(!strncmp(got, why, strlen(why)));
	free(got);
	free(text);
}

TEST(hostile_sizes_are_refused)
{
	char *s, *got;

	check_refused(repeat("(", 100000, ""), "the expression is longer than");
	check_refused(repeat("(", 60000, ""), "the expression is nested too deeply");
	check_refused(repeat("-", 60000, "1"), "the expression is nested too deeply");
	check_refused(repeat("!", 60000, "1"), "the expression is nested too deeply");
	check_refused(repeat("min(1,", 10000, "1"), "the expression is nested too deeply");
	check_refused(repeat("1 if 1 else ", 5000, "1"), "the expression is nested too deeply");
	check_refused(repeat("1+", 30000, "1"), "the expression is too long");
	check_refused(repeat("1<<", 10, "1"), "a value is expected here");
	/* the longest that is allowed works */
	s = repeat("1+", 4000, "1");
	got = value(s);
	CHECK_STR(got, "4001");
	free(got);
	free(s);
	s = repeat("(", 150, "1");
	got = repeat(")", 150, "");
	check_refused(xasprintf("%s%s", s, got), "1");
	free(got);
	free(s);
}
