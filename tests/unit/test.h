/*
 * Unit tests. TEST(name) { ... } registers itself; the file name gives the group (test-strbuf.c: "strbuf").
 * Each test runs in a child of its own, with a time limit, in an empty directory that is removed afterwards,
 * with its output captured: it may leak, change the root of fs, start threads, or crash. The tests of
 * tests/machine are written with the same macros.
 *
 *	TEST(grows)
 *	{
 *		CHECK(cond);			goes on after a failure
 *		CHECK_INT(got, want);		signed
 *		CHECK_U64(got, want);		unsigned, printed in hex as well
 *		CHECK_STR(got, want);
 *		CHECK_MEM(got, want, len);
 *		REQUIRE(cond);			ends the test
 *		SKIP("needs root");		ends the test, not counted as passed
 *		unit_amount(1000)		how many of 1000 rounds or rows: less on an emulated machine
 *	}
 */
#ifndef PERF_TESTS_UNIT_TEST_H
#define PERF_TESTS_UNIT_TEST_H

#include <stdio.h>
#include "../../util/base/types.h"

struct unit_test {
	const char *name;	/* as in TEST(name) */
	const char *file;	/* as the compiler saw it */
	int line;
	void (*run)(void);
};

enum unit_status { UNIT_PASSED, UNIT_FAILED, UNIT_SKIPPED };

struct unit_result {
	enum unit_status status;
	/* why it failed or was skipped, with the output of the test; never NULL; free it */
	char *text;
};

/* Pointers in a section of their own make an array over all files; it is not in any particular order. */
#define TEST(name_) \
	static void test_##name_(void); \
	static const struct unit_test unit_test_##name_ = { \
		.name = #name_, .file = __FILE__, .line = __LINE__, .run = test_##name_, \
	}; \
	static const struct unit_test *const unit_ptr_##name_ \
			__attribute__((used, section("perf_unit_tests"))) = &unit_test_##name_; \
	static void test_##name_(void)

/* all tests, by group and line; *ret is allocated once and stays */
size_t unit_tests(const struct unit_test *const **ret);
/* "strbuf" for tests/unit/test-strbuf.c; len bytes at the returned address */
const char *unit_group(const struct unit_test *t, size_t *ret_len);
/* "strbuf: grows" */
void unit_full_name(const struct unit_test *t, char *buf, size_t size);

/* a test that is running */
struct unit_child {
	const struct unit_test *test;
	unsigned int timeout_s;
	int pid, out;
	char *dir;
};
/* false: it could not be started; unit_finish() (status 0) then gives the reason */
bool unit_start(const struct unit_test *t, unsigned int timeout_s, struct unit_child *ret);
/* after the caller has waited for pid */
void unit_finish(struct unit_child *c, int status, struct unit_result *ret);
/* both, and waits in between */
void unit_run(const struct unit_test *t, unsigned int timeout_s, struct unit_result *ret);

/* in this process and directory, without time limit; the test's output is not captured. For debuggers */
void unit_run_here(const struct unit_test *t, struct unit_result *ret);

struct unit_opts {
	/* run tests whose full name contains one of these, or matches it as a glob; 0: all */
	int nr_patterns;
	const char **patterns;
	unsigned int timeout_s;	/* 0: 300 */
	unsigned int jobs;	/* 0: one per CPU */
	bool verbose;		/* print every test, not only failures and skips */
};
/*
 * runs them, prints one line each and a last line "N passed, N failed, N skipped"; returns 0, or 1 if one
 * failed
 */
int unit_run_all(const struct unit_opts *o, FILE *out);

/* used by the macros */
void unit_fail(const char *file, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);
void unit_check_int(const char *file, int line, const char *what, s64 got, s64 want);
void unit_check_u64(const char *file, int line, const char *what, u64 got, u64 want);
void unit_check_str(const char *file, int line, const char *what, const char *got, const char *want);
void unit_check_mem(const char *file, int line, const char *what, const void *got, const void *want,
		    size_t len);
/* nr, or a tenth of it where PERF_TEST_SHORT is set: for tests that take long by their amount alone */
u32 unit_amount(u32 nr);
void unit_end_failed(void) __attribute__((noreturn));
void unit_skip(const char *fmt, ...) PRINTF_LIKE(1, 2) __attribute__((noreturn));

#define CHECK(cond) do { if (!(cond)) unit_fail(__FILE__, __LINE__, "not true: %s", #cond); } while (0)
#define CHECK_INT(got, want) unit_check_int(__FILE__, __LINE__, #got, got, want)
#define CHECK_U64(got, want) unit_check_u64(__FILE__, __LINE__, #got, got, want)
#define CHECK_STR(got, want) unit_check_str(__FILE__, __LINE__, #got, got, want)
#define CHECK_MEM(got, want, len) unit_check_mem(__FILE__, __LINE__, #got, got, want, len)
#define REQUIRE(cond) \
	do { \
		if (!(cond)) { unit_fail(__FILE__, __LINE__, "not true: %s", #cond); unit_end_failed(); } \
	} while (0)
#define SKIP(...) unit_skip(__VA_ARGS__)

#endif
