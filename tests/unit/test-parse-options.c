/* Options: how command lines are read. What is printed is tested by tests/cli/t0010-options.sh. */
#include "test.h"
#include "../../util/base/strbuf.h"
#include "../../util/cli/parse-options.h"

#include <string.h>

static struct values {
	bool all, group, inherit, freq_set;
	int verbose, nr;
	unsigned int freq;
	u64 count;
	const char *output, *graph, *last, *table, *used;
	int calls;
	bool unset;
} v;

static int on_graph(const struct option *opt, const char *arg, bool unset)
{
	v.graph = unset ? "none" : arg ? arg : "default";
	v.calls++;
	return 0;
}

static int on_flag(const struct option *opt, const char *arg, bool unset)
{
	v.last = arg;
	v.unset = unset;
	v.calls++;
	return 0;
}

static int on_bad(const struct option *opt, const char *arg, bool unset)
{
	return opt_error(opt, "'%s' is bad", arg);
}

static int on_uses(const struct option *opt, const char *arg, bool unset)
{
	v.used = v.table;
	v.calls++;
	return 0;
}

static const struct option opts[] = {
	OPT_GROUP("First"),
	OPT_BOOL('a', "all-cpus", &v.all, "all"),
	OPT_BOOL(0, "group", &v.group, "group"),
	OPT_BOOL('i', "no-inherit", &v.inherit, "not inherited"),
	OPT_INCR('v', "verbose", &v.verbose, "verbose"),
	OPT_INT('n', "number", &v.nr, "n", "number"),
	{ .type = OPT_UINT_T, .short_name = 'F', .long_name = "freq", .value = &v.freq, .set = &v.freq_set,
	  .help = "freq" },
	OPT_U64('c', "count", &v.count, "n", "count"),
	OPT_STRING('o', "output", &v.output, "file", "file"),
	OPT_GROUP("Second"),
	OPT_CALLBACK_OPTARG('g', "call-graph", NULL, "mode", "graph", on_graph, NULL),
	OPT_CALLBACK_FLAG('z', "zap", NULL, "flag", on_flag),
	OPT_CALLBACK(0, "bad", NULL, "x", "always bad", on_bad),
	{ .type = OPT_STRING_T, .long_name = "optional", .value = &v.last, .flags = OPT_OPTARG,
	  .defval = "left out" },
	{ .type = OPT_BOOL_T, .long_name = "only", .value = &v.all, .flags = OPT_NONEG,
	  .help = "no negative" },
	{ .type = OPT_BOOL_T, .long_name = "frequent", .value = &v.all, .flags = OPT_HIDDEN,
	  .help = "hidden" },
	OPT_MISSING(0, "later", "x", "needs what is not there"),
	OPT_ALWAYS('A', "anyway", "is so in any case"),
	{ .type = OPT_STRING_T, .long_name = "table", .value = &v.table, .arg_help = "dir",
	  .flags = OPT_EARLY, .help = "early" },
	OPT_CALLBACK(0, "uses", NULL, "x", "looks at the table", on_uses),
	OPT_END()
};
static const char *const usage[] = { "perf x [<options>]", NULL };

static const char *args[32];
static int status;

/* "perf x" + words split at blanks */
static int parse(const char *line, u32 flags)
{
	static char copy[256];
	int argc = 1;

	v = (struct values){ 0 };
	snprintf(copy, sizeof(copy), "%s", line);
	args[0] = "x";
	for (char *save, *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		args[argc++] = w;
	args[argc] = NULL;
	return parse_options_try(argc, args, opts, NULL, usage, flags, &status);
}

static void fails(const char *line, int want)
{
	CHECK_INT(parse(line, 0), -1);
	CHECK_INT(status, want);
}

TEST(clusters_and_glued_values)
{
	CHECK_INT(parse("-avF99 -vv", 0), 0);
	CHECK(v.all && v.freq_set);
	CHECK_INT(v.verbose, 3);
	CHECK_INT(v.freq, 99);
	CHECK_INT(parse("-ao file rest", 0), 1);
	CHECK_STR(v.output, "file");
	CHECK_STR(args[0], "rest");
	CHECK_INT(parse("-n-5 -c 0x10", 0), 0);
	CHECK_INT(v.nr, -5);
	CHECK_U64(v.count, 16);
	CHECK_INT(parse("-n -5", 0), 0);
	CHECK_INT(v.nr, -5);
}

/* '-F 99' as one word, as scripts that quote too much write it; in names a blank is a letter */
TEST(blanks_before_numbers)
{
	const char *argv[] = { "perf-x", "-F 99", "--number", "\t -5", "--count= 7", "-o 1 file",
			       "--call-graph= 2", NULL };

	v = (struct values){ 0 };
	CHECK_INT(parse_options_try(7, argv, opts, NULL, usage, 0, &status), 0);
	CHECK_INT(v.freq, 99);
	CHECK_INT(v.nr, -5);
	CHECK_U64(v.count, 7);
	CHECK_STR(v.output, " 1 file");
	CHECK_STR(v.graph, " 2");
}

TEST(long_options)
{
	CHECK_INT(parse("--output=a=b --count 7 --verbose", 0), 0);
	CHECK_STR(v.output, "a=b");
	CHECK_U64(v.count, 7);
	CHECK_INT(v.verbose, 1);
	CHECK_INT(parse("--table= x", 0), 1);
	CHECK_STR(v.table, "");
}

TEST(optional_arguments_are_glued)
{
	CHECK_INT(parse("-g sleep", 0), 1);
	CHECK_STR(v.graph, "default");
	CHECK_STR(args[0], "sleep");
	CHECK_INT(parse("-gdwarf", 0), 0);
	CHECK_STR(v.graph, "dwarf");
	CHECK_INT(parse("-ag", 0), 0);
	CHECK_STR(v.graph, "default");
	CHECK_INT(parse("--call-graph=fp --call-graph x", 0), 1);
	CHECK_STR(v.graph, "default");
	CHECK_INT(v.calls, 2);
	CHECK_INT(parse("--optional x", 0), 1);
	CHECK_STR(v.last, "left out");
	CHECK_INT(parse("--optional=", 0), 0);
	CHECK_STR(v.last, "");
}

TEST(negatives)
{
	CHECK_INT(parse("-a --no-all-cpus -vv --no-verbose -F9 --no-freq", 0), 0);
	CHECK(!v.all && !v.verbose && !v.freq);
	CHECK_INT(parse("-i", 0), 0);
	CHECK(v.inherit);
	CHECK_INT(parse("--no-inherit --inherit", 0), 0);
	CHECK(!v.inherit);
	CHECK_INT(parse("--no-call-graph", 0), 0);
	CHECK_STR(v.graph, "none");
	fails("--no-zap", 129);
	fails("--no-bad", 129);
	CHECK_INT(parse("-o x --no-output", 0), 0);
	CHECK(!v.output);
	fails("--no-only", 129);
	fails("--no-output=x", 129);
}

TEST(what_is_always_so)
{
	CHECK_INT(parse("-A --anyway rest", 0), 1);
	CHECK_INT(parse("--no-anyway", 0), -1);
	CHECK_INT(parse("--anyway=1", 0), -1);
}

TEST(unique_prefixes)
{
	CHECK_INT(parse("--verb --out=x --no-inh", 0), 0);
	CHECK_INT(v.verbose, 1);
	CHECK_STR(v.output, "x");
	CHECK(v.inherit);
	/* a hidden option does not make a name ambiguous */
	CHECK_INT(parse("--fre 5", 0), 0);
	CHECK_INT(v.freq, 5);
	CHECK_INT(parse("--no-verb -v", 0), 0);
	CHECK_INT(v.verbose, 1);
	fails("--o", 129);		/* only, optional, output */
	fails("--c 3", 129);		/* count, call-graph */
	/* a whole name is not ambiguous though others begin with it */
	CHECK_INT(parse("--frequent", 0), 0);
	CHECK(v.all);
}

TEST(where_options_end)
{
	CHECK_INT(parse("a -v b -- -v", 0), 3);
	CHECK_INT(v.verbose, 1);
	CHECK_STR(args[0], "a");
	CHECK_STR(args[1], "b");
	CHECK_STR(args[2], "-v");
	CHECK(!args[3]);
	CHECK_INT(parse("-v a -v -- x", PARSE_STOP_AT_NON_OPTION), 4);
	CHECK_INT(v.verbose, 1);
	CHECK_STR(args[2], "--");
	CHECK_INT(parse("-v -- -x", PARSE_KEEP_DASHDASH), 2);
	CHECK_STR(args[0], "--");
	CHECK_INT(parse("- -v", 0), 1);
	CHECK_STR(args[0], "-");
	CHECK_INT(v.verbose, 1);
}

TEST(early_ones_come_first)
{
	CHECK_INT(parse("--uses 1 -vF 5 --table a b", PARSE_STOP_AT_NON_OPTION), 1);
	CHECK_STR(v.used, "a");
	CHECK_INT(v.calls, 1);
	CHECK_INT(v.verbose, 1);
	CHECK_STR(args[0], "b");
	/* words of the command, and values of other options, are skipped */
	CHECK_INT(parse("--uses 1 cmd --table a", PARSE_STOP_AT_NON_OPTION), 3);
	CHECK(!v.used && !v.table);
	CHECK_INT(parse("--uses --table -- --table=a", 0), 1);
	CHECK(!v.used && !v.table);
	/* mistakes are said once */
	fails("--nope --table a", 129);
	fails("--table", 129);
}

TEST(unknown_ones_can_be_kept)
{
	CHECK_INT(parse("-v --what=x -vq y", PARSE_KEEP_UNKNOWN), 3);
	CHECK_INT(v.verbose, 2);
	CHECK_STR(args[0], "--what=x");
	CHECK_STR(args[1], "-q");
	CHECK_STR(args[2], "y");
	fails("--what", 129);
	fails("-q", 129);
	fails("-vq", 129);
}

TEST(values_are_checked)
{
	fails("-F", 129);
	fails("--freq", 129);
	fails("-F -1", 129);
	fails("-F 12x", 129);
	fails("-F 4294967296", 129);
	fails("-n 2147483648", 129);
	fails("-n 99999999999999999999999", 129);
	fails("-c x", 129);
	fails("-c-1", 129);
	fails("--all-cpus=1", 129);
	fails("--zap=1", 129);
	fails("--bad 1", 129);
	fails("--output=", 129);
	CHECK_INT(parse("-n -2147483648 -F 4294967295 -c 18446744073709551615", 0), 0);
	CHECK_U64(v.count, UINT64_MAX);
}

TEST(what_is_not_built_says_so)
{
	fails("--later=3", 1);
	fails("--later", 1);
	CHECK_INT(parse("--no-later", 0), 0);
}

TEST(configured_values)
{
	v = (struct values){ 0 };
	for (const struct option *o = opts; o->type != OPT_END; o++) {
		struct option copy = *o;

		copy.config = "x.y";
		if (!o->long_name)
			continue;
		if (!strcmp(o->long_name, "all-cpus")) {
			CHECK_INT(opt_apply_config(&copy, "yes"), 0);
			CHECK(v.all);
			CHECK_INT(opt_apply_config(&copy, "false"), 0);
			CHECK(!v.all);
			CHECK_INT(opt_apply_config(&copy, "maybe"), -1);
		} else if (!strcmp(o->long_name, "freq")) {
			CHECK_INT(opt_apply_config(&copy, "77"), 0);
			CHECK_INT(v.freq, 77);
			CHECK(!v.freq_set);
			CHECK_INT(opt_apply_config(&copy, "many"), -1);
		} else if (!strcmp(o->long_name, "verbose")) {
			CHECK_INT(opt_apply_config(&copy, "2"), 0);
			CHECK_INT(v.verbose, 2);
		} else if (!strcmp(o->long_name, "call-graph")) {
			CHECK_INT(opt_apply_config(&copy, "dwarf"), 0);
			CHECK_STR(v.graph, "dwarf");
		} else if (!strcmp(o->long_name, "zap")) {
			CHECK_INT(opt_apply_config(&copy, "off"), 0);
			CHECK(v.unset && v.calls == 2);
		} else if (!strcmp(o->long_name, "bad")) {
			CHECK_INT(opt_apply_config(&copy, "x"), -1);
		}
	}
}

TEST(usage_text)
{
	static const char *const words[] = { "graph", "-i", NULL };
	struct strbuf out = STRBUF_INIT;

	opt_usage_text(&out, opts, usage, words, false, 0);
	CHECK_STR(strbuf_str(&out), "\n Usage: perf x [<options>]\n\n"
		  " First\n\n"
		  "    -i, --no-inherit      not inherited\n"
		  "\n Second\n\n"
		  "    -g, --call-graph[=<mode>]\n"
		  "                          graph\n\n");
	/* on narrow terminals everything is folded, below the names */
	strbuf_reset(&out);
	opt_usage_text(&out, opts, (const char *const[]){ "perf x [<options>] [<one>|<two>] "
							  "[<another thing>]", NULL }, words, false, 40);
	CHECK_STR(strbuf_str(&out),
		  "\n Usage: perf x [<options>]\n            [<one>|<two>] [<another\n            thing>]\n\n"
		  " First\n\n"
		  "    -i, --no-inherit\n"
		  "            not inherited\n"
		  "\n Second\n\n"
		  "    -g, --call-graph[=<mode>]\n"
		  "            graph\n\n");
	strbuf_reset(&out);
	opt_list_text(&out, opts);
	CHECK_STR(strbuf_str(&out), "--all-cpus --group --no-inherit --verbose --number --freq --count "
		  "--output --call-graph --zap --bad --optional --only --later --anyway --table --uses \n");
	strbuf_release(&out);
}

/* each call has a table of its own: its rules remember the options of all passes over it */
static int parse_ruled(const char *first, const char *second)
{
	bool json = false, text = false, pages = false;
	const char *separator = NULL;
	const struct option ruled[] = {
		OPT_BOOL('j', "json", &json, "print JSON"),
		OPT_EXCLUDES("json", "x,text"),
		OPT_STRING('x', "separator", &separator, "c", "separator"),
		OPT_BOOL(0, "text", &text, "print text"),
		OPT_EXCLUDES_1("text", "pages"),
		OPT_BOOL(0, "pages", &pages, "print pages"),
		OPT_END()
	};
	const char *const lines[] = { first, second };
	int ret = 0;

	for (int i = 0; i < 2 && ret >= 0 && lines[i]; i++) {
		char copy[64];
		int argc = 1;

		snprintf(copy, sizeof(copy), "%s", lines[i]);
		args[0] = "x";
		for (char *save, *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
			args[argc++] = w;
		args[argc] = NULL;
		ret = parse_options_try(argc, args, ruled, NULL, usage, 0, &status);
	}
	return ret;
}

TEST(options_that_exclude_each_other)
{
	CHECK_INT(parse_ruled("--json", NULL), 0);
	CHECK_INT(parse_ruled("--text -x ,", NULL), 0);
	CHECK_INT(parse_ruled("--json --text", NULL), -1);
	CHECK_INT(status, 129);
	CHECK_INT(parse_ruled("--pages --text", NULL), -1);
	CHECK_INT(status, 1);
	CHECK_INT(parse_ruled("-x, -j", NULL), -1);
	CHECK_INT(parse_ruled("--sep=, --js", NULL), -1);
	CHECK_INT(parse_ruled("--json --no-json -x ,", NULL), 0);
	CHECK_INT(parse_ruled("--text --json --no-text", NULL), 0);
	CHECK_INT(parse_ruled("-j", "-x ,"), -1);
	CHECK_INT(parse_ruled("-j", "--no-json -x ,"), 0);
}

TEST(help_says_what_an_option_excludes)
{
	bool json = false;
	const struct option ruled[] = {
		OPT_BOOL('j', "json", &json, "print JSON"),
		OPT_EXCLUDES("json", "x,text"),
		OPT_END()
	};
	struct strbuf out = STRBUF_INIT;

	opt_usage_text(&out, ruled, usage, NULL, false, 0);
	CHECK_STR(strbuf_str(&out), "\n Usage: perf x [<options>]\n\n"
		  "    -j, --json            print JSON (not with -x, --text)\n\n");
	strbuf_reset(&out);
	opt_man_text(&out, ruled);
	CHECK_STR(strbuf_str(&out), "pass:c[-j]::\npass:c[--json]::\n"
		  "\tpass:c[print JSON] Not with `-x`, `--text`.\n\n");
	strbuf_release(&out);
}
