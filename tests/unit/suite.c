/* Suite: numbers, selection, running and reporting of unit tests for "perf test". */
#include "suite.h"
#include "../../util/base/alloc.h"
#include "../../util/base/strbuf.h"
#include "../../util/base/units.h"
#include "../../util/base/vec.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TIMEOUT_S 60

void suite_init(struct suite *s)
{
	const struct unit_test *const *all;
	const char *last = "";
	size_t last_len = 0;
	unsigned int group = 0, sub = 0;

	s->nr = unit_tests(&all);
	s->tests = xcalloc(s->nr, sizeof(*s->tests));
	for (size_t i = 0; i < s->nr; i++) {
		size_t len;
		const char *name = unit_group(all[i], &len);

		if (len != last_len || strncmp(name, last, len)) {
			group++;
			sub = 0;
		}
		last = name;
		last_len = len;
		s->tests[i] = (struct suite_test){ .test = all[i], .group = group, .sub = ++sub };
		unit_full_name(all[i], s->tests[i].name, sizeof(s->tests[i].name));
	}
}

static bool fits(const struct suite_test *t, const char *word)
{
	char *dot;
	unsigned long group = strtoul(word, &dot, 10);

	if (dot != word && !*dot)
		return t->group == group;
	if (dot != word && *dot == '.' && dot[1] && !dot[1 + strspn(dot + 1, "0123456789")])
		return t->group == group && t->sub == strtoul(dot + 1, NULL, 10);
	return strcasestr(t->name, word);
}

size_t suite_pick(struct suite *s, const char *word, bool left_out)
{
	size_t nr = 0;

	for (size_t i = 0; i < s->nr; i++) {
		if (!fits(&s->tests[i], word))
			continue;
		nr++;
		if (left_out)
			s->tests[i].left_out = true;
		else
			s->tests[i].picked = true;
	}
	return nr;
}

void suite_list(const struct suite *s, FILE *out)
{
	unsigned int last = 0;

	for (size_t i = 0; i < s->nr; i++) {
		const struct suite_test *t = &s->tests[i];

		if (!t->picked)
			continue;
		if (t->group != last)
			fprintf(out, "%3u: %.*s\n", t->group, (int)strcspn(t->name, ":"), t->name);
		last = t->group;
		fprintf(out, "%3u.%u: %s\n", t->group, t->sub, strchr(t->name, ':') + 2);
	}
}

/* --- running */

struct running {
	struct unit_child child;
	size_t index;
	u64 start_ns;
};

struct running_list {
	VEC(struct running);
};

static void finish(struct suite *s, struct running *r, int status)
{
	struct suite_test *t = &s->tests[r->index];

	free(t->result.text);
	unit_finish(&r->child, status, &t->result);
	t->seconds += (clock_ns(CLOCK_MONOTONIC) - r->start_ns) / 1e9;
}

static void reap_one(struct suite *s, struct running_list *list)
{
	int status, pid = wait(&status);

	for (size_t i = 0; i < list->nr; i++) {
		if (list->v[i].child.pid != pid)
			continue;
		finish(s, &list->v[i], status);
		list->v[i] = list->v[--list->nr];
		return;
	}
}

static void start(struct suite *s, size_t i, const struct suite_opts *o, struct running_list *list)
{
	struct running r = { .index = i, .start_ns = clock_ns(CLOCK_MONOTONIC) };

	if (o->dont_fork) {
		free(s->tests[i].result.text);
		unit_run_here(s->tests[i].test, &s->tests[i].result);
		s->tests[i].seconds += (clock_ns(CLOCK_MONOTONIC) - r.start_ns) / 1e9;
	} else if (unit_start(s->tests[i].test, TIMEOUT_S, &r.child)) {
		vec_push(list, r);
	} else {
		finish(s, &r, 0);
	}
}

/* one round over all that is to be run and has not failed in an earlier round */
static void run_round(struct suite *s, const struct suite_opts *o, bool first)
{
	size_t jobs = o->sequential ? 1 : (size_t)sysconf(_SC_NPROCESSORS_ONLN);
	struct running_list list = { 0 };

	for (size_t i = 0; i < s->nr; i++) {
		struct suite_test *t = &s->tests[i];

		if (!t->picked || t->left_out || (!first && t->result.status != UNIT_PASSED))
			continue;
		while (list.nr >= jobs)
			reap_one(s, &list);
		start(s, i, o, &list);
	}
	while (list.nr)
		reap_one(s, &list);
	vec_release(&list);
}

/* --- reporting */

static void print_text(FILE *out, const char *text, unsigned int lines)
{
	for (; *text && lines; lines--) {
		size_t len = strcspn(text, "\n");

		fprintf(out, "      %.*s\n", (int)len, text);
		text += len + (text[len] == '\n');
	}
	if (*text)
		fprintf(out, "      ... (-v shows all of it)\n");
}

static void print_test(const struct suite_test *t, const struct suite_opts *o, int width, FILE *out)
{
	const char *text = t->result.text ? t->result.text : "";
	char number[32];

	snprintf(number, sizeof(number), "%3u.%u:", t->group, t->sub);
	fprintf(out, "%-7s %-*s : ", number, width, t->name);
	if (t->left_out)
		fputs("Skip (user override)\n", out);
	else if (t->result.status == UNIT_SKIPPED)
		fprintf(out, "Skip (%.*s)\n", (int)strcspn(text, "\n"), text);
	else
		fputs(t->result.status == UNIT_PASSED ? "Ok\n" : "FAILED!\n", out);
	if (t->left_out || t->result.status == UNIT_SKIPPED)
		return;
	if (t->result.status == UNIT_FAILED || o->verbose)
		print_text(out, text, o->verbose ? UINT32_MAX : o->snippet_lines);
}

int suite_run(struct suite *s, const struct suite_opts *o, FILE *out)
{
	size_t nr[3] = { 0 };
	int width = 0;

	signal(SIGCHLD, SIG_DFL);
	for (unsigned int i = 0; i < MAX(o->runs, 1u); i++)
		run_round(s, o, !i);
	for (size_t i = 0; i < s->nr; i++)
		if (s->tests[i].picked)
			width = MAX(width, (int)strlen(s->tests[i].name));
	for (size_t i = 0; i < s->nr; i++) {
		const struct suite_test *t = &s->tests[i];

		if (!t->picked)
			continue;
		print_test(t, o, width, out);
		nr[t->left_out ? UNIT_SKIPPED : t->result.status]++;
	}
	fprintf(out, "\n%zu passed, %zu failed, %zu skipped\n", nr[UNIT_PASSED], nr[UNIT_FAILED],
		nr[UNIT_SKIPPED]);
	return nr[UNIT_FAILED] != 0;
}

/* text as XML: markup escaped, control characters left out */
static void print_xml(FILE *out, const char *s)
{
	for (; *s; s++) {
		switch (*s) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			if ((unsigned char)*s >= ' ' || *s == '\n' || *s == '\t')
				putc(*s, out);
		}
	}
}

void suite_junit(const struct suite *s, FILE *out)
{
	size_t nr = 0, failed = 0, skipped = 0;

	for (size_t i = 0; i < s->nr; i++) {
		const struct suite_test *t = &s->tests[i];

		nr += t->picked;
		skipped += t->picked && (t->left_out || t->result.status == UNIT_SKIPPED);
		failed += t->picked && !t->left_out && t->result.status == UNIT_FAILED;
	}
	fprintf(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<testsuites>\n"
		"  <testsuite name=\"perf-tests\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\">\n", nr,
		failed, skipped);
	for (size_t i = 0; i < s->nr; i++) {
		const struct suite_test *t = &s->tests[i];
		int group = strcspn(t->name, ":");

		if (!t->picked)
			continue;
		fprintf(out, "    <testcase classname=\"%.*s\" name=\"%s\" time=\"%.3f\">\n", group, t->name,
			t->name + group + 2, t->seconds);
		if (t->left_out || t->result.status == UNIT_SKIPPED) {
			fputs("      <skipped message=\"", out);
			print_xml(out, t->left_out ? "user override" : t->result.text);
			fputs("\"/>\n", out);
		} else if (t->result.status == UNIT_FAILED) {
			fputs("      <failure message=\"failed\">", out);
			print_xml(out, t->result.text);
			fputs("</failure>\n", out);
		}
		fputs("    </testcase>\n", out);
	}
	fputs("  </testsuite>\n</testsuites>\n", out);
}

void suite_release(struct suite *s)
{
	for (size_t i = 0; i < s->nr; i++)
		free(s->tests[i].result.text);
	free(s->tests);
	*s = (struct suite){ 0 };
}
