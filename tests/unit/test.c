/* Unit tests: the list, the checks, and running one test in a child. */
#include "test.h"
#include "../../util/base/alloc.h"
#include "../../util/base/fs.h"
#include "../../util/base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_SKIPPED 77
#define MAX_OUTPUT ((size_t)64 << 10)

extern const struct unit_test *const __start_perf_unit_tests[] __attribute__((weak));
extern const struct unit_test *const __stop_perf_unit_tests[] __attribute__((weak));

static bool failed;		/* in the child: a check did not hold */
static jmp_buf *here;		/* unit_run_here: where tests that end early come back to, with a status */

static int compare_tests(const void *pa, const void *pb)
{
	const struct unit_test *a = *(const struct unit_test *const *)pa,
			*b = *(const struct unit_test *const *)pb;
	int c = strcmp(a->file, b->file);

	return c ? c : a->line - b->line;
}

size_t unit_tests(const struct unit_test *const **ret)
{
	static const struct unit_test **sorted;
	size_t nr = __stop_perf_unit_tests - __start_perf_unit_tests;

	if (!sorted) {
		sorted = xmemdup(__start_perf_unit_tests, nr * sizeof(*sorted));
		qsort(sorted, nr, sizeof(*sorted), compare_tests);
	}
	*ret = sorted;
	return nr;
}

const char *unit_group(const struct unit_test *t, size_t *ret_len)
{
	const char *slash = strrchr(t->file, '/'), *name = slash ? slash + 1 : t->file;

	if (!strncmp(name, "test-", 5))
		name += 5;
	*ret_len = strcspn(name, ".");
	return name;
}

void unit_full_name(const struct unit_test *t, char *buf, size_t size)
{
	size_t len;
	const char *group = unit_group(t, &len);

	snprintf(buf, size, "%.*s: %s", (int)len, group, t->name);
}

void unit_fail(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	failed = true;
	printf("%s:%d: ", file, line);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

void unit_check_int(const char *file, int line, const char *what, s64 got, s64 want)
{
	if (got != want)
		unit_fail(file, line, "%s is %jd, not %jd", what, (intmax_t)got, (intmax_t)want);
}

void unit_check_u64(const char *file, int line, const char *what, u64 got, u64 want)
{
	if (got != want)
		unit_fail(file, line, "%s is %ju (%#jx), not %ju (%#jx)", what, (uintmax_t)got,
			  (uintmax_t)got, (uintmax_t)want, (uintmax_t)want);
}

void unit_check_str(const char *file, int line, const char *what, const char *got, const char *want)
{
	if (got == want || (got && want && !strcmp(got, want)))
		return;
	unit_fail(file, line, "%s differs\n  got:  %s%s%s\n  want: %s%s%s", what,
		  got ? "\"" : "", got ? got : "NULL", got ? "\"" : "",
		  want ? "\"" : "", want ? want : "NULL", want ? "\"" : "");
}

void unit_check_mem(const char *file, int line, const char *what, const void *got, const void *want,
		    size_t len)
{
	const u8 *g = got, *w = want;

	for (size_t i = 0; i < len; i++) {
		if (g[i] != w[i]) {
			unit_fail(file, line, "%s differs at byte %zu: %02x, not %02x", what, i, g[i], w[i]);
			return;
		}
	}
}

void unit_end_failed(void)
{
	if (here)
		longjmp(*here, 1 + UNIT_FAILED);
	exit(1);
}

void unit_skip(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	if (here)
		longjmp(*here, 1 + UNIT_SKIPPED);
	_exit(EXIT_SKIPPED);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static void __attribute__((noreturn)) child_main(const struct unit_test *t, int out, const char *dir,
						 unsigned int timeout_s)
{
	int null = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGALRM, SIG_DFL);
	alarm(timeout_s);
	if (chdir(dir))
		unit_fail(t->file, t->line, "cannot enter %s: %s", dir, strerror(errno));
	t->run();
	fflush(stdout);
	exit(failed ? 1 : 0);	/* not _exit: the sanitizers report at exit */
}

u32 unit_amount(u32 nr)
{
	return getenv("PERF_TEST_SHORT") ? nr / 10 : nr;
}

bool unit_start(const struct unit_test *t, unsigned int timeout_s, struct unit_child *ret)
{
	const char *tmp = getenv("TMPDIR");

	ret->test = t;
	ret->timeout_s = timeout_s;
	ret->dir = xasprintf("%s/perf-unit-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	ret->out = mkdtemp(ret->dir) ? memfd_create("unit-output", MFD_CLOEXEC) : -1;
	fflush(NULL);
	ret->pid = ret->out < 0 ? -1 : fork();
	if (!ret->pid)
		child_main(t, ret->out, ret->dir, timeout_s);
	return ret->pid > 0;
}

void unit_finish(struct unit_child *c, int status, struct unit_result *ret)
{
	struct strbuf sb = STRBUF_INIT;

	ret->status = UNIT_FAILED;
	if (c->pid <= 0) {
		strbuf_addf(&sb, "cannot start a child in %s: %s\n", c->dir, strerror(errno));
	} else {
		kill(-c->pid, SIGKILL);		/* processes that the test left running */
		lseek(c->out, 0, SEEK_SET);
		fd_read_all(c->out, &sb);
		strbuf_setlen(&sb, MIN(sb.len, MAX_OUTPUT));
		if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
			strbuf_addf(&sb, "did not end within %u seconds\n", c->timeout_s);
		else if (WIFSIGNALED(status))
			strbuf_addf(&sb, "died of signal %d (%s)\n", WTERMSIG(status),
				    strsignal(WTERMSIG(status)));
		else if (!WEXITSTATUS(status))
			ret->status = UNIT_PASSED;
		else if (WEXITSTATUS(status) == EXIT_SKIPPED)
			ret->status = UNIT_SKIPPED;
		nftw(c->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	}
	if (c->out >= 0)
		close(c->out);
	free(c->dir);
	ret->text = strbuf_detach(&sb);
}

void unit_run(const struct unit_test *t, unsigned int timeout_s, struct unit_result *ret)
{
	struct unit_child c;
	int status = 0;

	if (unit_start(t, timeout_s, &c))
		while (waitpid(c.pid, &status, 0) < 0 && errno == EINTR)
			;
	unit_finish(&c, status, ret);
}

void unit_run_here(const struct unit_test *t, struct unit_result *ret)
{
	jmp_buf back;
	int early = setjmp(back);

	if (!early) {
		failed = false;
		here = &back;
		t->run();
	}
	here = NULL;
	ret->status = early ? early - 1 : failed ? UNIT_FAILED : UNIT_PASSED;
	ret->text = xstrdup(early == 1 + UNIT_SKIPPED ? "the reason is above" : "");
}
