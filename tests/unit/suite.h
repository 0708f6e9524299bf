/*
 * Suite: the tests of tests/machine as "perf test" shows them: groups (one per test file) numbered from 1,
 * with tests N.1, N.2, ... Owns the results of a run.
 */
#ifndef PERF_TESTS_UNIT_SUITE_H
#define PERF_TESTS_UNIT_SUITE_H

#include "test.h"

struct suite_test {
	const struct unit_test *test;
	char name[128];			/* "strbuf: grows" */
	unsigned int group, sub;	/* 3.1 */
	bool picked, left_out;		/* picked: is shown; left_out: but not run (-s) */
	struct unit_result result;
	double seconds;
};

struct suite {
	struct suite_test *tests;
	size_t nr;
};

struct suite_opts {
	bool sequential, dont_fork;
	int verbose;			/* prints also the output of passing tests */
	unsigned int runs;		/* how often each test runs, until it fails */
	unsigned int snippet_lines;	/* lines of a failing test's output, without verbose */
};

void suite_init(struct suite *s);
/*
 * word: "3", "3.1" or a part of the name, in any case; marks the tests that it matches and returns their
 * number
 */
size_t suite_pick(struct suite *s, const char *word, bool left_out);
void suite_list(const struct suite *s, FILE *out);
/* runs the picked tests, prints a line for each and the totals; 0, or 1 if one failed */
int suite_run(struct suite *s, const struct suite_opts *o, FILE *out);
/* JUnit XML of the last run */
void suite_junit(const struct suite *s, FILE *out);
void suite_release(struct suite *s);

#endif
