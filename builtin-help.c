/* perf help: the list of commands, manual pages. */
#include "util/base/strbuf.h"
#include "util/cli/builtin.h"
#include "util/cli/pager.h"
#include "util/cli/parse-options.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const help_usage[] = { "perf help [--all] [--man|--web|--info] [command]", NULL };

static int list_commands(void)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_addstr(&out, "\n usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]\n\n The perf commands are:\n");
	for (const struct command *c = commands; c->name; c++)
		strbuf_addf(&out, "   %-15s %s\n", c->name, c->summary);
	strbuf_addstr(&out, "\n See 'perf help COMMAND' for more information on a specific command.\n\n");
	pager_start("help");
	fputs(strbuf_str(&out), stdout);
	strbuf_release(&out);
	return 0;
}

/* beside the program first: a perf that was built but not installed shows its own pages */
static bool find_page(const char *page, struct strbuf *path)
{
	char exe[4096];
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	while (len > 0 && exe[len - 1] != '/')
		len--;
	if (len > 0) {
		strbuf_addf(path, "%.*sbuild/man/%s.1", (int)len, exe, page);
		if (!access(strbuf_str(path), R_OK))
			return true;
		strbuf_reset(path);
		strbuf_addf(path, "%.*s../share/man/man1/%s.1", (int)len, exe, page);
		if (!access(strbuf_str(path), R_OK))
			return true;
	}
	strbuf_reset(path);
	strbuf_addf(path, "%s/man1/%s.1", man_path(), page);
	return !access(strbuf_str(path), R_OK);
}

/* becomes man; returns only where there is no page or no man */
static void show_page(const char *page)
{
	struct strbuf path = STRBUF_INIT;

	if (find_page(page, &path)) {
		fflush(stdout);
		if (pager_get_mode() == PAGER_NEVER)
			setenv("MANPAGER", "cat", 1);
		execlp("man", "man", strbuf_str(&path), (char *)NULL);
		fprintf(stderr, "perf: the program 'man' is missing, so here are only the options\n");
	} else {
		fprintf(stderr, "perf: no page %s.1 was found ('make man' makes it), so here are only the options\n", page);
	}
	strbuf_release(&path);
}

static int help_on(const char *name)
{
	const struct command *c = command_find(strncmp(name, "perf-", 5) ? name : name + 5);
	const char *args[] = { NULL, "-h", NULL };
	const char *near[4];
	char page[64];

	if (!strcmp(name, "perf")) {
		show_page("perf");
		return list_commands();
	}
	if (c) {
		snprintf(page, sizeof(page), "perf-%s", c->name);
		show_page(page);
		args[0] = c->name;
		return c->run(2, args);
	}
	command_nearest(name, near);
	fprintf(stderr, "Error: no command '%s'", name);
	for (int i = 0; near[i]; i++)
		fprintf(stderr, "%s'%s'", i ? ", " : " (did you mean ", near[i]);
	fputs(near[0] ? "?)\n" : "; 'perf help' lists them\n", stderr);
	return 1;
}

int cmd_help(int argc, const char **argv)
{
	bool all = false, man = false;
	const struct option options[] = {
		OPT_BOOL('a', "all", &all, "list all commands"),
		OPT_BOOL('m', "man", &man, "show the manual page (the default)"),
		OPT_MISSING('w', "web", NULL, "no web pages are made of the manual; use --man"),
		OPT_MISSING('i', "info", NULL, "no info pages are made of the manual; use --man"),
		OPT_END()
	};

	argc = parse_options(argc, argv, options, help_usage, 0);
	if (argc > 1)
		return opt_usage_error(options, NULL, help_usage, "help on one command at a time");
	if (all || !argc)
		return list_commands();
	return help_on(argv[0]);
}
