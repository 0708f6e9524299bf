/* Tests of this machine: the commands that they run. */
#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/base/fs.h"
#include "../../util/base/self.h"
#include "../../util/doctor/machine.h"

#define MAX_WORDS 48

static struct strbuf output = STRBUF_INIT;

void need(const char *name)
{
	struct strbuf why = STRBUF_INIT;

	if (!doctor_machine_has(name, &why))
		SKIP("%s", strbuf_str(&why));
	strbuf_release(&why);
}

const char *perf_file(void)
{
	const char *path = self_path();

	if (!path)
		SKIP("the file of this program is not known; mount /proc");
	return path;
}

/* standard output goes to a file of the test's directory, errors to the output of the test */
static void __attribute__((noreturn)) run_child(char **argv)
{
	int out = open("out", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (out < 0 || dup2(out, STDOUT_FILENO) < 0)
		_exit(126);
	/* what users set must not change what these commands print */
	setenv("PERF_CONFIG", "/dev/null", 1);
	unsetenv("PERF_PAGER");
	execv(argv[0], argv);
	_exit(127);
}

static int run(char **argv)
{
	int status = -1, pid;

	fflush(NULL);
	pid = fork();
	if (!pid)
		run_child(argv);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

const char *perf(const char *words)
{
	char *own = strdup(words), *argv[MAX_WORDS + 2] = { (char *)perf_file() }, *rest = own, *word;
	int nr = 1, fd, status;

	printf("perf %s\n", words);
	while (nr <= MAX_WORDS && (word = strsep(&rest, " ")))
		argv[nr++] = strcmp(word, "@") ? word : argv[0];
	status = run(argv);
	strbuf_reset(&output);
	fd = open("out", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		fd_read_all(fd, &output);
		close(fd);
	}
	printf("%s", strbuf_str(&output));
	free(own);
	CHECK_INT(status, 0);
	return strbuf_str(&output);
}

void shows(const char *text)
{
	if (!strstr(strbuf_str(&output), text))
		unit_fail(__FILE__, __LINE__, "the output above does not show '%s'", text);
}

double count_of(const char *csv, const char *event)
{
	const char *name = strstr(csv, event), *line = name;

	REQUIRE(name);
	while (line > csv && line[-1] != '\n')
		line--;
	return strtod(line, NULL);
}
