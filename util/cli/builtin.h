/* One prototype and one row per subcommand, from commands.def. */
#ifndef PERF_CLI_BUILTIN_H
#define PERF_CLI_BUILTIN_H

/* argv[0] is the subcommand's name. Returns the exit status: 0, 1 on errors, 129 on usage errors. */
#define COMMAND(name, function, summary) int function(int argc, const char **argv);
#include "commands.def"
#undef COMMAND

#endif
