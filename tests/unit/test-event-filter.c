/* Unit tests of --filter: what is accepted, what is refused, and the messages. */
#include "test.h"
#include "err-text.h"
#include "fake-root.h"
#include "mini-elf.h"

#include <string.h>
#include <unistd.h>
#include "../../util/base/strbuf.h"
#include "../../util/pmu/addr-filter.h"
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
		"prev_pid > 1", "prev_pid==1||prev_state<2", "prev_comm == \"a b\"", "prev_comm ~ '*x?'",
		"prev_state & 0x3", "prev_pid == 1 && (prev_state == -2 || !(common_pid >= 5))",
		"!prev_pid == 1", "!!(prev_pid==1)", "CPU == 0", "cpu & CPUS{0-1,8}", "comm != 'x'",
		"mask & CPUS{3}", "mask == 5", "filename.ustring ~ \"/etc/*\"", "name == 'x'",
		"prev_state.function == schedule || prev_state.function == \"x\"", "  prev_pid\t<= 010 ",
		"stacktrace == 1", "prev_pid != 18446744073709551615", "((((prev_pid == 1))))",
	};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		bool by_name = strstr(good[i], ".function == schedule");

		CHECK_STR(says(good[i], format), by_name ? "a number is expected here" : "");
	}
	CHECK_STR(says("prev_state.function == 'schedule'", format), "");
}

TEST(refused)
{
	CHECK_STR(says("prev_pid => 1", format), "'=>' is not an operator (did you mean '>='?)");
	CHECK_STR(says("prev_pid =< 1", format), "'=<' is not an operator (did you mean '<='?)");
	CHECK_STR(says("prev_pid = 1", format), "'=' is not an operator (did you mean '=='?)");
	CHECK_STR(says("prev_pid === 1", format), "'===' is not an operator (did you mean '=='?)");
	CHECK_STR(says("prev_comm =~ 'x'", format), "'=~' is not an operator (did you mean '~'?)");
	CHECK_STR(says("prev_pid == 1 and prev_pid == 2", format),
		  "'and' is not an operator (did you mean '&&'?)");
	CHECK_STR(says("prev_pid == 1 OR prev_pid == 2", format),
		  "'OR' is not an operator (did you mean '||'?)");
	CHECK_STR(says("prev_pi > 1", format), "it has no field 'prev_pi' (did you mean 'prev_pid'?)");
	CHECK_STR(says("fake == 1", format), "it has no field 'fake' (did you mean 'name'?)");
	CHECK_STR(says("prev_comm == foo", format),
		  "field 'prev_comm' is text: its value is written in quotes, \"foo\"");
	CHECK_STR(says("prev_comm > 'a'", format), "field 'prev_comm' is text: ==, != and ~ are for it");
	CHECK_STR(says("name & 1", format), "field 'name' is text: ==, != and ~ are for it");
	CHECK_STR(says("prev_pid == 'a'", format), "field 'prev_pid' is a number, not text");
	CHECK_STR(says("prev_pid ~ 'a'", format), "field 'prev_pid' is a number: ~ is for text");
	CHECK_STR(says("bytes == 1", format), "field 'bytes' is an array: it cannot be compared");
	CHECK_STR(says("mask > 1", format), "field 'mask' is a set of CPUs: ==, != and & are for it");
	CHECK_STR(says("CPU & CPUS{9-3}", format), "a list of CPUs is written CPUS{0-3,8}");
	CHECK_STR(says("CPU & CPUS{", format), "a list of CPUs is written CPUS{0-3,8}");
	CHECK_STR(says("CPU < CPUS{1}", format),
		  "CPUS{...} goes with ==, != and &, and with fields that are CPUs");
	CHECK_STR(says("prev_pid == 1k", format), "a number is expected here");
	CHECK_STR(says("prev_pid == 08", format), "a number is expected here");
	CHECK_STR(says("prev_pid == 99999999999999999999", format),
		  "99999999999999999999 is too large for a number of 64 bits");
	CHECK_STR(says("prev_pid >", format), "a value is missing at the end");
	CHECK_STR(says("prev_pid", format), "'prev_pid' has no comparison: an operator is expected");
	CHECK_STR(says("", format), "a comparison is missing at the end");
	CHECK_STR(says("prev_pid == 1 &&", format), "a comparison is missing at the end");
	CHECK_STR(says("1 == 1", format), "the name of a field is expected here");
	CHECK_STR(says("(prev_pid == 1", format), "this '(' is never closed");
	CHECK_STR(says("prev_pid == 1)", format), "this ')' closes nothing");
	CHECK_STR(says("prev_pid == 1 prev_pid == 2", format), "&& or || is expected here");
	CHECK_STR(says("prev_pid == 1 & prev_pid == 2", format), "&& or || is expected here");
	CHECK_STR(says("prev_comm == 'a", format), "the text has no closing '");
	CHECK_STR(says("prev_comm.string == 'a'", format),
		  "a field can be followed by .ustring or .function");
	CHECK_STR(says("prev_pid && 1", format), "'prev_pid' has no comparison: an operator is expected");
}

TEST(fields_are_listed)
{
	says("nothing == 1", format);
	CHECK_STR(err_text(&err), "filter of 'ev': it has no field 'nothing'\n  nothing == 1\n  ^~~~~~~\n"
		  "Hint: fields of this event: char prev_comm[16]; pid_t prev_pid; long prev_state; "
		  "const char * filename; __data_loc char[] name; __data_loc cpumask_t mask; u8 bytes[4]\n"
		  "Hint: fields of every event: common_pid, common_type, CPU, COMM");
}

TEST(without_fields_the_form_is_checked)
{
	CHECK_STR(says("a > 1 && b == 'x' || c == 3", NULL), "");
	CHECK_STR(says("a => 1", NULL), "'=>' is not an operator (did you mean '>='?)");
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

/* the filter for the kernel, or the first line of what is wrong without the event's name */
static const char *resolved(const char *filter)
{
	static char buf[600];
	struct strbuf out = STRBUF_INIT;
	const char *msg;

	err = (struct err)ERR_INIT;
	if (!addr_filter_resolve(filter, "pt", &out, &err)) {
		snprintf(buf, sizeof(buf), "%s", strbuf_str(&out));
	} else {
		msg = err.msg + (strncmp(err.msg, "filter of 'pt': ", 16) ? 0 : 16);
		snprintf(buf, sizeof(buf), "%.*s", (int)strcspn(msg, "\n"), msg);
	}
	strbuf_release(&out);
	return buf;
}

/* code at 0x401000 that lies at 0x1000 of the file */
static void program(void)
{
	static const struct mini_sym syms[] = {
		{ "main", 0x401010, 0x20, STB_GLOBAL, STT_FUNC },
		{ "twice", 0x401040, 8, STB_LOCAL, STT_FUNC }, { "twice", 0x401050, 8, STB_GLOBAL, STT_FUNC },
		{ "helper", 0x401060, 0, STB_LOCAL, STT_FUNC },
		{ "last", 0x401080, 0x10, STB_GLOBAL, STT_FUNC },
		{ "data", 0x401090, 8, STB_GLOBAL, STT_OBJECT }, { NULL },
	};

	mini_elf_write("prog", &(struct mini_elf){ .text_svma = 0x401000, .text_off = 4096, .sym = syms,
						   .dynsym = syms });
}

TEST(addresses_of_programs)
{
	char dir[300], want[1000];

	program();
	REQUIRE(getcwd(dir, sizeof(dir)));
#define RESOLVES(filter, ...) \
	do { snprintf(want, sizeof(want), __VA_ARGS__); CHECK_STR(resolved(filter), want); } while (0)
	RESOLVES("filter main @ prog", "filter 0x1010/0x20@%s/prog", dir);
	RESOLVES("start main @prog, stop last @prog", "start 0x1010@%s/prog,stop 0x1080@%s/prog", dir, dir);
	RESOLVES(" tracestop main / last @./prog ", "stop 0x1010/0x80@%s/prog", dir);
	RESOLVES("filter main/4@prog filter 0x1010/0x8 @prog",
		 "filter 0x1010/0x4@%s/prog,filter 0x1010/0x8@%s/prog", dir, dir);
	RESOLVES("filter 0x1010 / main @prog", "filter 0x1010/0x20@%s/prog", dir);
	RESOLVES("filter twice#2 @prog", "filter 0x1050/0x8@%s/prog", dir);
	RESOLVES("filter twice #g @prog filter twice#0@prog",
		 "filter 0x1050/0x8@%s/prog,filter 0x1050/0x8@%s/prog", dir, dir);
	RESOLVES("filter helper @prog", "filter 0x1060/0x20@%s/prog", dir);	/* up to the next function */
	RESOLVES("filter * @prog", "filter 0x1010/0x80@%s/prog", dir);
#undef RESOLVES
	CHECK_STR(resolved("filter twice @prog"),
		  "there are 2 functions of this name: choose one by its number");
	CHECK(strstr(err_text(&err), "#1 at 0x401040 (local), #2 at 0x401050 (global)"));
	CHECK_STR(resolved("filter twice#3 @prog"),
		  "there are 2 functions of this name: this number selects none of them");
	CHECK_STR(resolved("filter main#2 @prog"), "the only function of this name has number 1");
	CHECK(strstr(resolved("filter mian @prog"), "has no function 'mian' (did you mean 'main'?)"));
	CHECK(strstr(resolved("filter data @prog"), "has no function 'data'"));
	CHECK_STR(resolved("filter last / main @prog"), "the end is before the start");
	CHECK_STR(resolved("filter main @ nowhere"), "there is no file 'nowhere'");
	CHECK_STR(resolved("filter * / 5 @prog"), "* selects everything: it takes no size");
	CHECK_STR(resolved("filter 0x1010 @prog"), "a size is missing: filter START / SIZE");
}

TEST(addresses_of_the_kernel)
{
	fake_file("/proc/kallsyms",
		  "ffffffff81000000 T _stext\nffffffff81000100 t schedule\nffffffff81000180 T other\n"
		  "ffffffff81000180 W alias\nffffffffc0000000 t mod_fn\t[mod]\n"
		  "ffffffffc0000040 t mod_end\t[mod]\n");
	CHECK_STR(resolved("filter schedule"), "filter 0xffffffff81000100/0x80");
	CHECK_STR(resolved("start schedule,stop other"), "start 0xffffffff81000100,stop 0xffffffff81000180");
	CHECK_STR(resolved("filter mod_fn"), "filter 0xffffffffc0000000/0x40");
	CHECK_STR(resolved("filter 0x1000/0x200 start 0x5"), "filter 0x1000/0x200,start 0x5");
	CHECK_STR(resolved("filter nosuch"), "the kernel has no function 'nosuch'");
	fake_file("/proc/kallsyms", "0000000000000000 T _stext\n0000000000000000 t schedule\n");
	CHECK(strstr(resolved("filter schedule"), "kptr_restrict") != NULL);
}

TEST(addresses_with_mistakes)
{
	CHECK_STR(resolved(""), "an address filter begins with filter, start, stop or tracestop");
	CHECK_STR(resolved("main"), "an address filter begins with filter, start, stop or tracestop");
	CHECK_STR(err_text(&err), "filter of 'pt': an address filter begins with filter, start, "
		  "stop or tracestop\n  main\n  ^~~~");
	CHECK_STR(resolved("filter"), "an address, a symbol or * is expected here");
	CHECK_STR(resolved("filter 1 /"), "a size or a symbol is expected after '/'");
	CHECK_STR(resolved("filter 1/2 @"), "a file is expected after '@'");
	CHECK_STR(resolved("filter f#"), "a number or g is expected after '#'");
	CHECK_STR(resolved("start 0x1z"), "this is neither a number nor a symbol");
	CHECK_STR(resolved("filter 0x1/99999999999999999999"), "this is neither a number nor a symbol");
}

TEST(of_events)
{
	struct evset *set = evset_new();
	char dir[300], want[1000];

	program();
	REQUIRE(getcwd(dir, sizeof(dir)));
	fake_file("/sys/kernel/tracing/events/s/e/id", "7\n");
	fake_file("/sys/kernel/tracing/events/s/e/format", format);
	fake_pmu("intel_pt", "8", "nr_addr_filters=2", NULL);
	REQUIRE(!parse_events(set, "s:e,s:e,intel_pt//", NULL, &err));
	CHECK(parse_filter(set, 0, "prev_pid == 1", &err) < 0); /* the last takes addresses */
	CHECK(!evset_at(set, 0)->filter);
	CHECK(parse_filter(set, 2, "filter main @prog", &err) == 0);
	CHECK(parse_filter(set, 2, "stop 0x10", &err) == 0);
	snprintf(want, sizeof(want), "filter 0x1010/0x20@%s/prog,stop 0x10", dir);
	CHECK_STR(evset_at(set, 2)->filter, want);
	evset_free(set);
}
