/* Unit tests of --filter: what is taken, what is refused and how that is said. */
#include "test.h"
#include "fake-root.h"

#include <string.h>
#include "../../util/pmu/filter-check.h"
#include "../../util/pmu/parse-events.h"

static const char format[] =
	"name: sched_switch\nID: 372\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:const char * filename;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] name;\toffset:48;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc cpumask_t mask;\toffset:52;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 bytes[4];\toffset:56;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"field:int fake;\"\n";

static struct err err;

/* the first line without the event's name, "" where the filter is taken */
static const char *says(const char *filter, const char *fmt)
{
	static char buf[300];

	err = (struct err)ERR_INIT;
	if (!filter_check(filter, "ev", fmt, &err))
		return "";
	CHECK(!strncmp(err.msg, "filter of 'ev': ", 16));
	snprintf(buf, sizeof(buf), "%.*s", (int)strcspn(err.msg + 16, "\n"), err.msg + 16);
	return buf;
}

TEST(taken)
{
	static const char *const good[] = {
		"prev_pid > 1", "prev_pid==1||prev_state<2", "prev_comm == \"a b\"", "prev_comm ~ '*x?'", "prev_state & 0x3",
		"prev_pid == 1 && (prev_state == -2 || !(common_pid >= 5))", "!prev_pid == 1", "!!(prev_pid==1)", "CPU == 0",
		"cpu & CPUS{0-1,8}", "comm != 'x'", "mask & CPUS{3}", "mask == 5", "filename.ustring ~ \"/etc/*\"", "name == 'x'",
		"prev_state.function == schedule || prev_state.function == \"x\"", "  prev_pid\t<= 010 ", "stacktrace == 1",
		"prev_pid != 18446744073709551615", "((((prev_pid == 1))))",
	};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		bool by_name = strstr(good[i], ".function == schedule");

		CHECK_STR(says(good[i], format), by_name ? "a number is expected here" : "");
	}
	CHECK_STR(says("prev_state.function == 'schedule'", format), "");
}

TEST(refused)
{
	CHECK_STR(says("prev_pid => 1", format), "'=>' is no operator (did you mean '>='?)");
	CHECK_STR(says("prev_pid =< 1", format), "'=<' is no operator (did you mean '<='?)");
	CHECK_STR(says("prev_pid = 1", format), "'=' is no operator (did you mean '=='?)");
	CHECK_STR(says("prev_pid === 1", format), "'===' is no operator (did you mean '=='?)");
	CHECK_STR(says("prev_comm =~ 'x'", format), "'=~' is no operator (did you mean '~'?)");
	CHECK_STR(says("prev_pid == 1 and prev_pid == 2", format), "'and' is no operator (did you mean '&&'?)");
	CHECK_STR(says("prev_pid == 1 OR prev_pid == 2", format), "'OR' is no operator (did you mean '||'?)");
	CHECK_STR(says("prev_pi > 1", format), "it has no field 'prev_pi' (did you mean 'prev_pid'?)");
	CHECK_STR(says("fake == 1", format), "it has no field 'fake' (did you mean 'name'?)");
	CHECK_STR(says("prev_comm == foo", format), "field 'prev_comm' is text: its value is written in quotes, \"foo\"");
	CHECK_STR(says("prev_comm > 'a'", format), "field 'prev_comm' is text: ==, != and ~ are for it");
	CHECK_STR(says("name & 1", format), "field 'name' is text: ==, != and ~ are for it");
	CHECK_STR(says("prev_pid == 'a'", format), "field 'prev_pid' is a number, not text");
	CHECK_STR(says("prev_pid ~ 'a'", format), "field 'prev_pid' is a number: ~ is for text");
	CHECK_STR(says("bytes == 1", format), "field 'bytes' is an array: it cannot be compared");
	CHECK_STR(says("mask > 1", format), "field 'mask' is a set of CPUs: ==, != and & are for it");
	CHECK_STR(says("CPU & CPUS{9-3}", format), "a list of CPUs is written CPUS{0-3,8}");
	CHECK_STR(says("CPU & CPUS{", format), "a list of CPUs is written CPUS{0-3,8}");
	CHECK_STR(says("CPU < CPUS{1}", format), "CPUS{...} goes with ==, != and &, and with fields that are CPUs");
	CHECK_STR(says("prev_pid == 1k", format), "a number is expected here");
	CHECK_STR(says("prev_pid == 08", format), "a number is expected here");
	CHECK_STR(says("prev_pid == 99999999999999999999", format), "99999999999999999999 is too large for a number of 64 bits");
	CHECK_STR(says("prev_pid >", format), "a value is missing at the end");
	CHECK_STR(says("prev_pid", format), "'prev_pid' is compared with nothing: an operator is expected");
	CHECK_STR(says("", format), "a comparison is missing at the end");
	CHECK_STR(says("prev_pid == 1 &&", format), "a comparison is missing at the end");
	CHECK_STR(says("1 == 1", format), "the name of a field is expected here");
	CHECK_STR(says("(prev_pid == 1", format), "this '(' is never closed");
	CHECK_STR(says("prev_pid == 1)", format), "this ')' closes nothing");
	CHECK_STR(says("prev_pid == 1 prev_pid == 2", format), "&& or || is expected here");
	CHECK_STR(says("prev_pid == 1 & prev_pid == 2", format), "&& or || is expected here");
	CHECK_STR(says("prev_comm == 'a", format), "the text has no closing '");
	CHECK_STR(says("prev_comm.string == 'a'", format), "a field can be followed by .ustring or .function");
	CHECK_STR(says("prev_pid && 1", format), "'prev_pid' is compared with nothing: an operator is expected");
}

TEST(fields_are_listed)
{
	says("nothing == 1", format);
	CHECK_STR(err.msg, "filter of 'ev': it has no field 'nothing'\n  nothing == 1\n  ^~~~~~~\n"
		  "its fields: char prev_comm[16]; pid_t prev_pid; long prev_state; const char * filename; __data_loc char[] name; "
		  "__data_loc cpumask_t mask; u8 bytes[4]\nof every event: common_pid, common_type, CPU, COMM");
}

TEST(without_fields_the_form_is_checked)
{
	CHECK_STR(says("a > 1 && b == 'x' || c == 3", NULL), "");
	CHECK_STR(says("a => 1", NULL), "'=>' is no operator (did you mean '>='?)");
	CHECK_STR(says("a == x", NULL), "field 'a' is text: its value is written in quotes, \"x\"");
}

TEST(deep_filters_end)
{
	char deep[400];

	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	CHECK_STR(says(deep, format), "this is nested too deeply");
	memset(deep, '!', sizeof(deep) - 1);
	CHECK_STR(says(deep, format), "this is nested too deeply");
}

TEST(addresses)
{
	static const char *const good[] = {
		"filter 0x1000/0x200@/bin/x", "filter main @ /bin/ls", "start 0x10 @/bin/x, stop 0x20 @/bin/x", "tracestop f / g @x",
		"filter * @ /bin/ls", "filter f #1 @x", "start schedule", " filter main#2 / end#g @ /bin/x filter a",
	};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		int ret = filter_check_addresses(good[i], "pt", &err);

		CHECK_INT(ret, strstr(good[i], "f #1") ? -22 : 0);
	}
	CHECK(filter_check_addresses("", "pt", &err) < 0);
	CHECK(filter_check_addresses("main", "pt", &err) < 0);
	CHECK_STR(err.msg, "filter of 'pt': an address filter begins with filter, start, stop or tracestop\n  main\n  ^~~~");
	CHECK(filter_check_addresses("filter", "pt", &err) < 0);
	CHECK(filter_check_addresses("filter x /", "pt", &err) < 0);
	CHECK(filter_check_addresses("filter x @", "pt", &err) < 0);
	CHECK(filter_check_addresses("filter 0x1z", "pt", &err) < 0);
}

TEST(of_events)
{
	struct evset *set = evset_new();

	fake_file("/sys/kernel/tracing/events/s/e/id", "7\n");
	fake_file("/sys/kernel/tracing/events/s/e/format", format);
	fake_pmu("intel_pt", "8", "nr_addr_filters=2", NULL);
	REQUIRE(!parse_events(set, "s:e,s:e,intel_pt//", NULL, &err));
	CHECK(parse_filter(set, 0, "prev_pid == 1", &err) < 0); /* the last takes addresses */
	CHECK(!evset_at(set, 0)->filter);
	CHECK(parse_filter(set, 2, "filter main @/bin/x", &err) == 0);
	CHECK(parse_filter(set, 2, "stop 0x10", &err) == 0);
	CHECK_STR(evset_at(set, 2)->filter, "filter main @/bin/x,stop 0x10");
	evset_free(set);
}
