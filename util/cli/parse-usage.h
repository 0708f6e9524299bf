/* Usage: what the option parser prints. Only for parse-options.c; commands use parse-options.h. */
#ifndef PERF_CLI_PARSE_USAGE_H
#define PERF_CLI_PARSE_USAGE_H

#include "../base/strbuf.h"

struct option;


/* columns of the terminal on fd (1 or 2); 0 if it is not a terminal: text is not wrapped then */
int terminal_width(int fd);
/* prints to stdout, through the pager on a terminal */
void opt_print_help(const struct strbuf *text);
/*
 * what: the name without dashes as typed, perhaps with "=value"; a single letter is a switch. Both return 129
 */
/* rules (OPT_EXCLUDES): a name as users write it; whether a row has that name */
void opt_add_name(struct strbuf *out, const char *name, size_t len);
bool opt_is_named(const struct option *o, const char *name, size_t len);
int opt_unknown(const struct option *opts, const char *const *usage, const char *arg, const char *what);
int opt_ambiguous(const struct option *opts, const char *const *usage, const char *name, size_t len,
		  bool unset);

#endif
