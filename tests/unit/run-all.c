/* Running many unit tests: selection, a few at a time, one line each, the sums. */
#include "test.h"
#include "../../util/base/strbuf.h"
#include "../../util/base/units.h"
#include "../../util/base/vec.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct running_suite {
	struct unit_child child;
	size_t index;
};

struct suite_run {
	const struct unit_test **tests;
	struct unit_result *results;
	unsigned int timeout_s;
	struct { VEC(struct running_suite); } running;
};

static bool selected(const struct unit_opts *o, const struct unit_test *t)
{
	char name[256];

	unit_full_name(t, name, sizeof(name));
	for (int i = 0; i < o->nr_patterns; i++)
		if (has_glob(o->patterns[i]) ? glob_match(o->patterns[i], name) :
		    !!strstr(name, o->patterns[i]))
			return true;
	return !o->nr_patterns;
}

/* waits for one of the running children and takes its slot out of the list */
static void reap_one(struct suite_run *r)
{
	int status, pid = wait(&status);

	for (size_t i = 0; i < r->running.nr; i++) {
		struct running_suite *c = &r->running.v[i];

		if (c->child.pid != pid)
			continue;
		unit_finish(&c->child, status, &r->results[c->index]);
		*c = r->running.v[--r->running.nr];
		return;
	}
}

/* Processes only, no threads: a child of a process with threads could not be trusted to start its own. */
static void run_tests(struct suite_run *r, size_t nr, size_t jobs)
{
	for (size_t i = 0; i < nr; i++) {
		struct running_suite c = { .index = i };

		while (r->running.nr >= jobs)
			reap_one(r);
		if (unit_start(r->tests[i], r->timeout_s, &c.child))
			vec_push(&r->running, c);
		else
			unit_finish(&c.child, 0, &r->results[i]);
	}
	while (r->running.nr)
		reap_one(r);
	vec_release(&r->running);
}

/* the first lines of the text after the result, as TAP comments: a sanitizer's report is long */
static void print_text(FILE *out, const char *text)
{
	for (int line = 0; *text && line < 40; line++) {
		size_t len = strcspn(text, "\n");

		fprintf(out, "# %.*s\n", (int)len, text);
		text += len + (text[len] == '\n');
	}
}

static void print_result(FILE *out, size_t nr, const struct unit_test *t, const struct unit_result *r,
			 bool verbose)
{
	char name[256];

	unit_full_name(t, name, sizeof(name));
	switch (r->status) {
	case UNIT_PASSED:
		if (verbose)
			fprintf(out, "ok %zu - %s\n", nr, name);
		break;
	case UNIT_SKIPPED:
		fprintf(out, "ok %zu - %s # SKIP %.*s\n", nr, name, (int)strcspn(r->text, "\n"), r->text);
		break;
	case UNIT_FAILED:
		fprintf(out, "not ok %zu - %s\n", nr, name);
		print_text(out, r->text);
		break;
	}
}

int unit_run_all(const struct unit_opts *o, FILE *out)
{
	const struct unit_test *const *all;
	size_t nr_all = unit_tests(&all), nr_by_status[3] = { 0 };
	struct { VEC(const struct unit_test *); } picked = { 0 };
	struct suite_run r = { .timeout_s = o->timeout_s ? o->timeout_s : 300 };

	for (size_t i = 0; i < nr_all; i++)
		if (selected(o, all[i]))
			vec_push(&picked, all[i]);
	signal(SIGCHLD, SIG_DFL);	/* ignored children could not be waited for */
	r.tests = picked.v;
	r.results = xcalloc(picked.nr, sizeof(*r.results));
	run_tests(&r, picked.nr, o->jobs ? o->jobs : (size_t)sysconf(_SC_NPROCESSORS_ONLN));
	for (size_t i = 0; i < picked.nr; i++) {
		print_result(out, i + 1, r.tests[i], &r.results[i], o->verbose);
		nr_by_status[r.results[i].status]++;
		free(r.results[i].text);
	}
	fprintf(out, "%zu passed, %zu failed, %zu skipped\n", nr_by_status[UNIT_PASSED],
		nr_by_status[UNIT_FAILED], nr_by_status[UNIT_SKIPPED]);
	free(r.results);
	vec_release(&picked);
	return nr_by_status[UNIT_FAILED] != 0;
}
