/* perf help: the list of commands, manual pages. */
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/base/self.h"
#include "util/base/strbuf.h"
#include "util/base/units.h"
#include "util/cli/builtin.h"
#include "util/cli/page.h"
#include "util/cli/pager.h"
#include "util/cli/parse-options.h"
#include "util/cli/parse-usage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const help_usage[] = { "perf help [--all] [--man|--web|--info] [command]",
					 "perf help --roff <file>", "perf help --html <file>", NULL };

static int list_commands(void)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_addstr(&out, "\n usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]\n\n"
		      " The perf commands are:\n");
	for (const struct command *c = commands; c->name; c++)
		strbuf_addf(&out, "   %-15s %s\n", c->name, c->summary);
	strbuf_addstr(&out, "\n See 'perf help COMMAND' for more information on a specific command.\n\n");
	pager_start("help");
	fputs(strbuf_str(&out), stdout);
	strbuf_release(&out);
	return 0;
}

/* the directory of this program, with its slash; "" if the kernel does not tell */
static const char *program_dir(char *buf, size_t size)
{
	const char *self = self_path();

	snprintf(buf, size, "%.*s", self ? (int)(strrchr(self, '/') + 1 - self) : 0, self ? self : "");
	return buf;
}

/*
 * looks beside the program first: a perf that was built but not installed shows its own pages. beside and
 * installed are relative to its directory
 */
static bool find_page(struct strbuf *path, const char *beside, const char *installed, const char *absolute)
{
	const char *const forms[] = { beside, installed };
	char exe[4096];

	program_dir(exe, sizeof(exe));
	for (size_t i = 0; *exe && i < ARRAY_SIZE(forms); i++) {
		strbuf_reset(path);
		strbuf_addf(path, "%s%s", exe, forms[i]);
		if (!access(strbuf_str(path), R_OK))
			return true;
	}
	strbuf_reset(path);
	strbuf_addstr(path, absolute);
	return !access(strbuf_str(path), R_OK);
}

/* becomes man; returns only if there is no page or no man */
static void show_by_man(const char *page)
{
	struct strbuf path = STRBUF_INIT;
	char built[96], installed[160], absolute[4096];
	const char *name = installed_name(), *rest = page + strlen("perf");
	static const char *const suffixes[] = { "", ".gz" };	/* packages compress pages */
	bool found = false;

	for (size_t i = 0; i < ARRAY_SIZE(suffixes) && !found; i++) {
		snprintf(built, sizeof(built), "build/man/%s.1%s", page, suffixes[i]);
		snprintf(installed, sizeof(installed), "../share/man/man1/%s%s.1%s", name, rest, suffixes[i]);
		snprintf(absolute, sizeof(absolute), "%s/man1/%s%s.1%s", man_path(), name, rest, suffixes[i]);
		found = find_page(&path, built, installed, absolute);
	}
	if (found) {
		fflush(stdout);
		if (pager_get_mode() == PAGER_NEVER)
			setenv("MANPAGER", "cat", 1);
		execlp("man", "man", strbuf_str(&path), (char *)NULL);
	}
	strbuf_release(&path);
}

/* pages that are about a part of a command: they have no options of their own */
static bool is_topic(const char *name)
{
	static const char *const topics[] = { "amd-ibs", "arm-spe", "coresight", "intel-pt", "python",
					      "script-perl", "script-python" };

	for (size_t i = 0; i < ARRAY_SIZE(topics); i++)
		if (!strcmp(name, topics[i]))
			return true;
	return false;
}

/* what "perf [COMMAND] --man-options" prints; nothing for a topic */
static void read_options(const char *command, struct strbuf *out)
{
	const char *args[4] = { "perf" };
	pid_t pid;
	int fds[2];

	if ((command && is_topic(command)) || pipe2(fds, O_CLOEXEC))
		return;
	args[1] = command ? command : "--man-options";
	args[2] = command ? "--man-options" : NULL;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		dup2(fds[1], STDOUT_FILENO);
		if (self_file())
			execv(self_file(), (char **)args);
		_exit(127);
	}
	close(fds[1]);
	if (pid > 0) {
		fd_read_all(fds[0], out);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	close(fds[0]);
}

/* without man(1), or before "make man": formats the page's source */
static bool show_source(const char *page, const char *command)
{
	struct strbuf path = STRBUF_INIT, source = STRBUF_INIT, options = STRBUF_INIT, text = STRBUF_INIT;
	int fd = -1, width = terminal_width(STDOUT_FILENO);
	bool shown = false;
	char built[96], installed[160], absolute[4096];

	snprintf(built, sizeof(built), "Documentation/%s.txt", page);
	snprintf(installed, sizeof(installed), "../share/%s/pages/%s.txt", installed_name(), page);
	snprintf(absolute, sizeof(absolute), "%s/%s.txt", doc_path(), page);
	if (find_page(&path, built, installed, absolute))
		fd = open(strbuf_str(&path), O_RDONLY | O_CLOEXEC);
	if (page_source(page))
		strbuf_addstr(&source, page_source(page));
	if (source.len || (fd >= 0 && !fd_read_all(fd, &source))) {
		read_options(command, &options);
		page_text(&text, strbuf_str(&source), strbuf_str(&options), width ? MIN(width, 100) : 80);
		pager_start("help");
		fputs(strbuf_str(&text), stdout);
		shown = true;
	}
	if (fd >= 0)
		close(fd);
	strbuf_release(&path);
	strbuf_release(&source);
	strbuf_release(&options);
	strbuf_release(&text);
	return shown;
}

/* FOLDER/perf-COMMAND.txt or perf.txt on standard output: how "make man" and "make html" make pages */
static int print_page(const char *path, bool html)
{
	struct strbuf source = STRBUF_INIT, options = STRBUF_INIT, out = STRBUF_INIT;
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret = fd < 0 || fd_read_all(fd, &source) ? errno : 0;
	char command[64] = "";

	if (ret) {
		struct err err = ERR_INIT;

		err_set(&err, -ret, "cannot read %s: %s", path, strerror(ret));
		ret = die_err(&err);
	} else {
		sscanf(name, "perf-%63[a-z0-9-]", command);
		if (*command || !strcmp(name, "perf.txt"))
			read_options(*command ? command : NULL, &options);
		(html ? page_html : page_roff)(&out, strbuf_str(&source), strbuf_str(&options));
		fputs(strbuf_str(&out), stdout);
	}
	if (fd >= 0)
		close(fd);
	strbuf_release(&source);
	strbuf_release(&options);
	strbuf_release(&out);
	return ret;
}

static bool show_page(const char *page, const char *command)
{
	show_by_man(page);
	if (show_source(page, command))
		return true;
	log_warn("neither %s.1 (with man) nor %s.txt was found%s", page, page,
		 command && is_topic(command) ? "" : ": listing the options only");
	return false;
}

static int help_on(const char *name)
{
	const char *word = strncmp(name, "perf-", 5) ? name : name + 5;
	const struct command *c = command_find(word);
	const char *args[] = { NULL, "-h", NULL };
	struct err err = ERR_INIT;
	char page[64];

	if (!strcmp(name, "perf"))
		return show_page("perf", NULL) ? 0 : list_commands();
	if (is_topic(word)) {
		snprintf(page, sizeof(page), "perf-%s", word);
		return !show_page(page, word);
	}
	if (c) {
		snprintf(page, sizeof(page), "perf-%s", c->name);
		if (show_page(page, c->name))
			return 0;
		args[0] = c->name;
		return c->run(2, args);
	}
	err_no_command(&err, name);
	return die_err(&err);
}

int cmd_help(int argc, const char **argv)
{
	bool all = false, man = false;
	const char *roff = NULL, *html = NULL;
	const struct option options[] = {
		OPT_BOOL('a', "all", &all, "list all commands"),
		OPT_BOOL('m', "man", &man, "show the manual page (the default)"),
		OPT_MISSING('w', "web", NULL, "(not supported: there are no web pages; use --man)"),
		OPT_MISSING('i', "info", NULL, "(not supported: there are no info pages; use --man)"),
		OPT_STRING(0, "roff", &roff, "file",
			   "print a source of a manual page (perf-*.txt) as roff for man"),
		OPT_STRING(0, "html", &html, "file",
			   "print a source of a manual page (perf-*.txt) as HTML"),
		OPT_END()
	};

	argc = parse_options(argc, argv, options, help_usage, 0);
	if ((roff || html) && (all || man || argc || (roff && html)))
		return opt_usage_error(options, NULL, help_usage, "--roff and --html are used alone");
	if (roff || html)
		return print_page(roff ? roff : html, html);
	if (argc > 1)
		return opt_usage_error(options, NULL, help_usage, "help takes one command at a time");
	if (all || !argc)
		return list_commands();
	return help_on(argv[0]);
}
