/* Filters of report and script: spans of time, lists of names and numbers. */
#include "test.h"
#include "../../util/session/filter-list.h"
#include "../../util/session/time-filter.h"

#include <string.h>

/* "1000-1099 1300-1399" or "bad", for a recording of [1000, 1000 + len] */
static const char *ranges(const char *spec, u64 len)
{
	static char buf[256];
	struct time_filter f = { 0 };
	size_t n = 0;

	buf[0] = '\0';
	if (time_filter_parse(&f, spec, 1000, 1000 + len, NULL))
		return "bad";
	for (size_t i = 0; i < f.ranges.nr; i++)
		n += snprintf(buf + n, sizeof(buf) - n, "%s%lu-%lu", i ? " " : "", f.ranges.v[i].from,
			      f.ranges.v[i].to);
	time_filter_release(&f);
	return buf;
}

TEST(time_in_percent)
{
	CHECK_STR(ranges("10%", 1000), "1000-1099");
	CHECK_STR(ranges("10%/2", 1000), "1100-1199");
	CHECK_STR(ranges("10%/10", 1000), "1900-2000");
	CHECK_STR(ranges("10%/2, 10%/4", 1000), "1100-1199 1300-1399");
	CHECK_STR(ranges("33%/3", 1000), "1660-1989");
	CHECK_STR(ranges("0%-10%,30%-40%", 1000), "1000-1099 1300-1399");
	CHECK_STR(ranges("99.9%-100%", 1000), "1999-2000");
	CHECK_STR(ranges("100%", 1000), "1000-2000");
	/* rounded to the nearest nanosecond */
	CHECK_STR(ranges("10%", 103), "1000-1009");
	CHECK_STR(ranges("10%/2", 103), "1010-1020");
	CHECK_STR(ranges("33%/2", 103), "1034-1067");
	CHECK_STR(ranges("12.5%/8", 103), "1090-1103");
	CHECK_STR(ranges("5%/1,5%/3,5%/5", 103), "1000-1004 1010-1014 1021-1025");
	CHECK_STR(ranges("50%/2", 103), "1052-1103");
}

TEST(time_in_seconds)
{
	CHECK_STR(ranges("0.0000012,0.0000013", 1000), "1200-1300");
	CHECK_STR(ranges(",0.0000013", 1000), "0-1300");
	CHECK_STR(ranges("0.0000012,0.0000013 0.0000015,0.0000016", 1000), "1200-1300 1500-1600");
	CHECK_STR(ranges("1,1", 1000), "1000000000-1000000000");
}

TEST(time_that_is_none)
{
	static const char *const bad[] = {
		"", "abc", "1", "2,1", "1,abc", "1,2 1.5,3", "1,2 ", "0%", "10%/0", "10%/11", "33%/4",
		"99%-200%", "-1%", "10%,20%", "30%/1,60%-90%", "10%/2-3", "10%/", "%", "10%-", "nan%",
		"1e300%",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_STR(ranges(bad[i], 1000), "bad");
}

TEST(names)
{
	struct name_filter f = { 0 };
	struct dso d = { .long_name = "/lib/libc.so.6", .short_name = "libc.so.6" };
	FILE *file;

	CHECK(name_filter_ok(&f, "anything"));
	CHECK(name_filter_dso(&f, NULL));
	CHECK_INT(name_filter_parse(&f, "sed,awk,libc.so.6", NULL), 0);
	CHECK(name_filter_ok(&f, "sed"));
	CHECK(!name_filter_ok(&f, "se"));
	CHECK(!name_filter_ok(&f, ""));
	CHECK(name_filter_dso(&f, &d));
	CHECK(!name_filter_dso(&f, NULL));
	name_filter_release(&f);
	file = fopen("list", "w");
	REQUIRE(file);
	fputs("# names\n\na b\nc\n", file);
	fclose(file);
	CHECK_INT(name_filter_parse(&f, "file://list", NULL), 0);
	CHECK(name_filter_ok(&f, "a b"));
	CHECK(!name_filter_ok(&f, "# names"));
	name_filter_release(&f);
	CHECK(name_filter_parse(&f, "file://nowhere", NULL) < 0);
	name_filter_release(&f);
}

TEST(numbers)
{
	struct id_filter f = { 0 };

	CHECK(id_filter_ok(&f, 5));
	CHECK_INT(id_filter_parse(&f, "--pid", "30, 10,-1,", NULL), 0);
	CHECK(id_filter_ok(&f, 10));
	CHECK(id_filter_ok(&f, -1));
	CHECK(!id_filter_ok(&f, 20));
	id_filter_release(&f);
	CHECK(id_filter_parse(&f, "--pid", "foo", NULL) < 0);
	id_filter_release(&f);
	CHECK(id_filter_parse(&f, "--pid", "1-3", NULL) < 0);
	id_filter_release(&f);
	CHECK_INT(id_filter_parse_cpus(&f, "0,2-3", NULL), 0);
	CHECK(id_filter_ok(&f, 3) && !id_filter_ok(&f, 1));
	id_filter_release(&f);
}
