/*
 * Suite: the unit tests as "perf test" shows them: groups (one a test file) numbered from 1, tests N.1, N.2, ... within.
 * Owns the results of a run.
 */
#ifndef PERF_TESTS_UNIT_SUITE_H
#define PERF_TESTS_UNIT_SUITE_H

#include "test.h"

struct suite_test {
	const struct unit_test *test;
	char name[128];			/* "strbuf: grows" */
	unsigned int group, sub;	/* 3.1 */
	bool picked, left_out;		/* to be shown; left_out: but not to be run (-s) */
	struct unit_result result;
	double seconds;
};

struct suite {
	struct suite_test *tests;
	size_t nr;
};

struct suite_opts {
	bool sequential, dont_fork;
	int verbose;			/* also what passing tests print */
	unsigned int runs;		/* of each test, until one fails */
	unsigned int snippet_lines;	/* of what a failing test printed, without verbose */
};

void suite_init(struct suite *s);
/* word: "3", "3.1" or a part of the name, in any case; marks what it fits. Returns how many tests that are */
size_t suite_pick(struct suite *s, const char *word, bool left_out);
void suite_list(const struct suite *s, FILE *out);
/* runs what is picked, printing a line for each and the sums; 0, or 1 where one failed */
int suite_run(struct suite *s, const struct suite_opts *o, FILE *out);
/* JUnit XML of the last run */
void suite_junit(const struct suite *s, FILE *out);
void suite_release(struct suite *s);

#endif
