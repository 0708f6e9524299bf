/* perf test: the tests of this machine, and workloads. */
#include "tests/unit/suite.h"
#include "tests/workloads/workload.h"
#include "util/base/alloc.h"
#include "util/base/fs.h"
#include "util/base/list-word.h"
#include "util/base/strbuf.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const test_usage[] = {
	"perf test [<options>] [{list <test-name-fragment>|[<test-name-fragments>|<test-numbers>]}]",
	"perf test [<options>] -w <workload> [<args>]",
	NULL
};
static const char *const test_subcommands[] = { "list", NULL };

struct test_opts {
	struct suite_opts suite;
	bool list_workloads;
	const char *skip, *junit, *workload, *record_ctl;
};

/* --- workloads */

/*
 * --record-ctl fifo:CTL[,ACK]: the pipes of "perf record --control", so that only the workload
 * itself is recorded
 */
struct record_ctl {
	int ctl, ack;
};

static int open_ctl(const char *spec, struct record_ctl *c, struct err *err)
{
	char *paths, *comma;
	int ret = 0;

	if (strncmp(spec, "fifo:", 5))
		return err_set(err, -EINVAL, "--record-ctl: '%s' is not fifo:CTL-FIFO[,ACK-FIFO]", spec);
	paths = xstrdup(spec + 5);
	comma = strchr(paths, ',');
	if (comma)
		*comma++ = '\0';
	c->ctl = open(paths, O_WRONLY | O_CLOEXEC);
	if (c->ctl < 0)
		ret = err_sys(err, errno, "--record-ctl: cannot open %s", paths);
	else if (comma && (c->ack = open(comma, O_RDWR | O_CLOEXEC)) < 0)
		ret = err_sys(err, errno, "--record-ctl: cannot open %s", comma);
	free(paths);
	return ret;
}

static int send_ctl(const struct record_ctl *c, const char *command, struct err *err)
{
	char ack[16];
	int ret;

	if (c->ctl < 0)
		return 0;
	ret = fd_write_all(c->ctl, command, strlen(command));
	if (ret)
		return err_sys(err, -ret, "--record-ctl: cannot send '%.*s'", (int)strcspn(command, "\n"),
			       command);
	if (c->ack >= 0 && read(c->ack, ack, sizeof(ack)) <= 0)
		return err_sys(err, errno, "--record-ctl: no acknowledgement");
	return 0;
}

static int run_workload(const struct test_opts *o, int argc, const char **argv)
{
	const struct test_workload *w = workload_find(o->workload);
	struct record_ctl ctl = { -1, -1 };
	struct err err = ERR_INIT;
	int status;

	if (!w) {
		err_set(&err, -ENOENT, "no workload '%s'; 'perf test --list-workloads' lists them",
			o->workload);
		return die_err(&err);
	}
	if (o->record_ctl && open_ctl(o->record_ctl, &ctl, &err))
		return die_err(&err);
	if (send_ctl(&ctl, "enable\n", &err))
		return die_err(&err);
	status = w->run(argc, argv);
	if (send_ctl(&ctl, "disable\n", &err))
		return die_err(&err);
	return status;
}

static int list_workloads(int verbose)
{
	for (const struct test_workload *w = workloads; w->name; w++) {
		if (verbose)
			printf("%-20s %-24s %s\n", w->name, w->args, w->help);
		else
			puts(w->name);
	}
	return 0;
}

/* --- tests */

static int write_junit(const struct suite *s, const char *path)
{
	struct err err = ERR_INIT;
	FILE *f = fopen(path, "we");

	if (!f) {
		err_sys(&err, errno, "cannot write %s", path);
		return die_err(&err);
	}
	suite_junit(s, f);
	if (ferror(f) | fclose(f)) {
		err_sys(&err, errno, "cannot write %s", path);
		return die_err(&err);
	}
	printf("Wrote junit XML output to %s\n", path);
	return 0;
}

/* words select tests, no words all of them; -s "1,3.2" excludes some */
static int pick(struct suite *s, const struct test_opts *o, int argc, const char **argv)
{
	struct err err = ERR_INIT;
	const char *skip = o->skip ? o->skip : "";

	if (!argc)
		suite_pick(s, "", false);
	for (int i = 0; i < argc; i++) {
		if (suite_pick(s, argv[i], false))
			continue;
		err_set(&err, -ENOENT, "no test '%s'; 'perf test list' lists them", argv[i]);
		return die_err(&err);
	}
	while (*skip) {
		size_t len = list_word_len(skip);
		char *word = xstrndup(skip, len);

		if (len)
			suite_pick(s, word, true);
		free(word);
		skip += len + (skip[len] == ',');
	}
	return 0;
}

static int run_tests(const struct test_opts *o, int argc, const char **argv)
{
	bool list = argc && !strcmp(argv[0], "list");
	struct suite s;
	int status;

	suite_init(&s);
	status = pick(&s, o, argc - list, argv + list);
	if (!status && list) {
		suite_list(&s, stdout);
	} else if (!status) {
		status = suite_run(&s, &o->suite, stdout);
		if (o->junit && write_junit(&s, o->junit))
			status = 1;
	}
	suite_release(&s);
	return status;
}

static int parse_junit(const struct option *opt, const char *arg, bool unset)
{
	*(const char **)opt->value = unset ? NULL : arg;
	return 0;
}

int cmd_test(int argc, const char **argv)
{
	struct test_opts o = { .suite = { .runs = 1, .snippet_lines = 10 } };
	const struct option options[] = {
		OPT_BOOL('F', "dont-fork", &o.suite.dont_fork,
			 "run each test in this process, for debuggers"),
		OPT_CALLBACK_OPTARG('j', "junit", &o.junit, "file",
				    "write the results as JUnit XML (default: test.xml)", parse_junit,
				    "test.xml"),
		OPT_UINT('r', "runs-per-test", &o.suite.runs, "n",
			 "run each test up to n times, until it fails"),
		OPT_BOOL('S', "sequential", &o.suite.sequential, "run the tests one at a time"),
		OPT_STRING('s', "skip", &o.skip, "tests", "skip these tests, such as 2,3.1"),
		OPT_INCR('v', "verbose", &o.suite.verbose, "show what the tests print"),
		OPT_STRING('w', "workload", &o.workload, "work", "run this workload (see --list-workloads)"),
		OPT_BOOL(0, "list-workloads", &o.list_workloads,
			 "list the workloads; with -v, describe them"),
		OPT_UINT(0, "failure-snippet-lines", &o.suite.snippet_lines, "n",
			 "number of output lines to show of a failing test (default: 10)"),
		OPT_STRING(0, "record-ctl", &o.record_ctl, "fifo:ctl-fifo[,ack-fifo]",
			   "control perf record --control to record only the workload"),
		OPT_MISSING(0, "dso", "dso", "(not available yet: there are no tests of code reading)"),
		OPT_MISSING(0, "objdump", "path", "(not available yet: there are no tests of code reading)"),
		OPT_END()
	};

	argc = parse_options_sub(argc, argv, options, test_subcommands, test_usage, PARSE_STOP_AT_NON_OPTION);
	if (o.list_workloads)
		return list_workloads(o.suite.verbose);
	if (o.workload)
		return run_workload(&o, argc, argv);
	if (argc) {	/* the rest does not belong to a workload: options may follow the names of tests */
		const char *first = argv[0];

		argc = parse_options(argc, argv, options, test_usage, 0);
		memmove(argv + 1, argv, argc++ * sizeof(*argv));
		argv[0] = first;
	}
	return run_tests(&o, argc, argv);
}
