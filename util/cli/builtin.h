/*
 * Commands: one prototype and one row per subcommand, from commands.def, and the functions with which all of
 * them end.
 */
#ifndef PERF_CLI_BUILTIN_H
#define PERF_CLI_BUILTIN_H

#include "../base/err.h"

/* argv[0] is the subcommand's name. Returns the exit status: 0, 1 on errors, 129 on usage errors. */
#define COMMAND(name, function, summary) int function(int argc, const char **argv);
#include "commands.def"
#undef COMMAND

struct command {
	const char *name;
	int (*run)(int argc, const char **argv);
	const char *summary;
};

/* all rows; the last one has a NULL name */
extern const struct command commands[];
const struct command *command_find(const char *name);
/* says that the command was not found, and which name is near; returns -ENOENT */
int err_no_command(struct err *err, const char *name);

/* prints "Error: ..." with the hints once on stderr and returns 1: "return die_err(&err);" */
int die_err(const struct err *err);
/* the same for a message without hints */
int die(const char *fmt, ...) PRINTF_LIKE(1, 2);
/*
 * prints what is wrong with the data, a warning per kind, on stderr, after the command's
 * output; nothing with -q
 */
struct diag;
void warn_diag(const struct diag *diag);

/* where perf's own programs and man pages are installed; the environment and --exec-path override */
const char *exec_path(void);
const char *doc_path(void);
const char *man_path(void);
/* what the program is called where it is installed: "perf", or the NAME of "make install" */
const char *installed_name(void);

#endif
