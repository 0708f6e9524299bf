/*
 * Commands: what each option of each command does with a bad value. There are five thousand words: each has a
 * process, but does not start the program anew.
 */
#include "test.h"
#include "../../util/base/alloc.h"
#include "../../util/base/fs.h"
#include "../../util/base/strbuf.h"
#include "../../util/cli/builtin.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* what waitpid() says of the command with these words; out: what it prints */
static int run_command(const struct command *c, const char *word, const char *last, int out)
{
	const char *argv[] = { c->name, word, last, NULL };
	int status = -1, pid;

	REQUIRE(!ftruncate(out, 0) && !lseek(out, 0, SEEK_SET));
	fflush(NULL);
	pid = fork();
	if (!pid) {
		dup2(out, STDOUT_FILENO);
		dup2(out, STDERR_FILENO);
		exit(c->run(last ? 3 : 2, argv));
	}
	REQUIRE(pid > 0 && waitpid(pid, &status, 0) == pid);
	return status;
}

static char *read_text(int out)
{
	struct strbuf sb = STRBUF_INIT;

	lseek(out, 0, SEEK_SET);
	fd_read_all(out, &sb);
	return strbuf_detach(&sb);
}

/* 0: it ran, 1: an error, 129: of usage; anything else, such as a signal, is a fault */
static void check_word(const struct command *c, const char *word, int out)
{
	int status = run_command(c, word, "-h", out), code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

	if (code != 0 && code != 1 && code != 129) {
		char *text = read_text(out);

		unit_fail(__FILE__, __LINE__, "%s %s: wait status %#x: %s", c->name, word, status, text);
		free(text);
	}
}

/*
 * options that one format is tried with: where a process takes long, each option has one of the five words
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STEP 5
#else
#define STEP (10 / unit_amount(10))
#endif

/*
 * format: of the word, with the name of an option, less the first skip bytes. The -h
 * after the word keeps the command from running
 */
static void check_options(const char *format, size_t skip, size_t first)
{
	int out = memfd_create("command-output", MFD_CLOEXEC);
	size_t step = STEP, nr = 0;

	setenv("PERF_CONFIG", "/dev/null", 1);
	REQUIRE(out >= 0);
	for (const struct command *c = commands; c->name; c++) {
		char *opts, *at;

		CHECK_INT(run_command(c, "--list-opts", NULL, out), 0);
		at = opts = read_text(out);
		for (char *o; (o = strtok_r(at, " \n", &at));) {
			char *word;

			if (nr++ % step != first % step)
				continue;
			word = xasprintf(format, o + skip);
			check_word(c, word, out);
			free(word);
		}
		free(opts);
	}
	CHECK(nr > 500);
	close(out);
}

TEST(options_with_an_empty_value) { check_options("%s=", 0, 0); }
TEST(options_with_a_wrong_value) { check_options("%s=x", 0, 1); }
TEST(options_with_an_empty_list) { check_options("%s=,", 0, 2); }
TEST(options_with_a_huge_value) { check_options("%s=99999999999999999999", 0, 3); }
TEST(options_undone) { check_options("--no-%s", strlen("--"), 4); }
