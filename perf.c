/* perf: dispatch to subcommands. */
#include "util/cli/builtin.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	int (*run)(int argc, const char **argv);
} commands[] = {
#define COMMAND(name, function, summary) { name, function },
#include "util/cli/commands.def"
#undef COMMAND
	{ NULL, NULL }
};

int main(int argc, const char **argv)
{
	for (int i = 0; argc > 1 && commands[i].name; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	fprintf(stderr, "usage: perf COMMAND [ARGS]\n");
	return 129;
}
