/*
 * Options: a typed table per command fills that command's own struct and makes -h, --list-opts, completion,
 * config keys and the man-page check. Rules as in git and perf: clustered short flags with a last argument
 * (-ag, -ns comm), glued values (-F99), --opt=value, --opt value, --no-opt, unique prefixes of long options,
 * "--", options after positionals unless PARSE_STOP_AT_NON_OPTION (a workload follows), optional arguments
 * only glued (-gdwarf, --opt=value) so that they never swallow the workload. Usage errors print the reason,
 * the nearest names and the usage of the option, and exit with 129.
 */
#ifndef PERF_CLI_PARSE_OPTIONS_H
#define PERF_CLI_PARSE_OPTIONS_H

#include "../base/types.h"

enum opt_type {
	OPT_END, OPT_GROUP_T, OPT_BOOL_T, OPT_INCR_T, OPT_INT_T, OPT_UINT_T, OPT_U64_T, OPT_STRING_T,
	OPT_CALLBACK_T,
	OPT_EXCLUDES_T,	/* no option, but a rule: OPT_EXCLUDES */
};

#define OPT_OPTARG	(1u << 0)	/* the argument may be left out */
#define OPT_NOARG	(1u << 1)	/* a callback without argument */
#define OPT_NONEG	(1u << 2)	/* no --no- form */
#define OPT_HIDDEN	(1u << 3)	/* is parsed, but not shown by -h */
#define OPT_FROM_CONFIG	(1u << 31)	/* on the copy of a row that opt_apply_config hands to callbacks */
/*
 * users know it, but it does not work yet: help is "(not available yet: why)" or "(not supported: why)";
 * using it prints this and exits with 1
 */
#define OPT_NOT_BUILT	(1u << 4)
/* it is applied before all other options, wherever it is on the command line */
#define OPT_EARLY	(1u << 5)
/* a rule that is known to fail with 1, as the errors of its command do, and not with 129 and the usage */
#define OPT_EXIT_1	(1u << 6)

struct option {
	enum opt_type type:8;
	char short_name;	/* 0: none */
	u32 flags;
	const char *long_name;	/* NULL: none; "no-foo" is the negative of foo and listed as such */
	/* bool * or NULL, int *, unsigned int *, u64 *, const char ** or the callback's own */
	void *value;
	const char *arg_help;	/* "n", "file", ...; NULL for flags */
	const char *help;
	/*
	 * arg is NULL if unset is true (--no-opt), for OPT_NOARG, and if OPT_OPTARG left it out and there is
	 * no defval. Returns 0, or -1 after it printed a message with opt_error(): the parser then prints the
	 * usage of the option and exits with 129.
	 */
	int (*callback)(const struct option *opt, const char *arg, bool unset);
	const void *defval;	/* string to use if an optional argument is left out */
	bool *set;		/* made true when the option is given; or NULL */
	const char *config;	/* "record.call-graph": config key with the same meaning, or NULL */
};

#define OPT_GROUP(h)			{ .type = OPT_GROUP_T, .help = (h) }
#define OPT_BOOL(s, l, v, h)		{ .type = OPT_BOOL_T, .short_name = (s), .long_name = (l), \
					  .value = (1 ? (v) : (bool *)0), .help = (h) }
#define OPT_INCR(s, l, v, h)		{ .type = OPT_INCR_T, .short_name = (s), .long_name = (l), \
					  .value = (1 ? (v) : (int *)0), .help = (h) }
#define OPT_INT(s, l, v, a, h)		{ .type = OPT_INT_T, .short_name = (s), .long_name = (l), \
					  .value = (1 ? (v) : (int *)0), .arg_help = (a), .help = (h) }
#define OPT_UINT(s, l, v, a, h)		{ .type = OPT_UINT_T, .short_name = (s), .long_name = (l), \
					  .value = (1 ? (v) : (unsigned int *)0), .arg_help = (a), \
					  .help = (h) }
#define OPT_U64(s, l, v, a, h)		{ .type = OPT_U64_T, .short_name = (s), .long_name = (l), \
					  .value = (1 ? (v) : (u64 *)0), .arg_help = (a), .help = (h) }
#define OPT_STRING(s, l, v, a, h)	{ .type = OPT_STRING_T, .short_name = (s), .long_name = (l), \
					  .value = (1 ? (v) : (const char **)0), .arg_help = (a), \
					  .help = (h) }
/* these two have no --no- form, so their callbacks need not handle it; a row without OPT_NONEG has one */
#define OPT_CALLBACK(s, l, v, a, h, cb)	{ .type = OPT_CALLBACK_T, .short_name = (s), .long_name = (l), \
					  .value = (v), .arg_help = (a), .help = (h), .callback = (cb), \
					  .flags = OPT_NONEG }
#define OPT_CALLBACK_FLAG(s, l, v, h, cb) { .type = OPT_CALLBACK_T, .short_name = (s), .long_name = (l), \
					  .value = (v), .help = (h), .callback = (cb), \
					  .flags = OPT_NOARG | OPT_NONEG }
#define OPT_CALLBACK_OPTARG(s, l, v, a, h, cb, def) { .type = OPT_CALLBACK_T, .short_name = (s), \
					  .long_name = (l), .value = (v), .arg_help = (a), .help = (h), \
					  .callback = (cb), .flags = OPT_OPTARG, .defval = (def) }
/* with the configuration key that gives the default */
#define OPT_BOOL_CONFIG(s, l, v, key, h)	{ .type = OPT_BOOL_T, .short_name = (s), .long_name = (l), \
					  .value = (1 ? (v) : (bool *)0), .help = (h), .config = (key) }
#define OPT_UINT_CONFIG(s, l, v, a, key, h)	{ .type = OPT_UINT_T, .short_name = (s), .long_name = (l), \
					  .value = (1 ? (v) : (unsigned int *)0), .arg_help = (a), \
					  .help = (h), .config = (key) }
#define OPT_STRING_CONFIG(s, l, v, a, key, h)	{ .type = OPT_STRING_T, .short_name = (s), .long_name = (l), \
					  .value = (1 ? (v) : (const char **)0), .arg_help = (a), \
					  .help = (h), .config = (key) }
#define OPT_CALLBACK_CONFIG(s, l, v, a, key, h, cb)	{ .type = OPT_CALLBACK_T, .short_name = (s), \
					  .long_name = (l), .value = (v), .arg_help = (a), .help = (h), \
					  .callback = (cb), .config = (key), .flags = OPT_NONEG }
#define OPT_CALLBACK_OPTARG_CONFIG(s, l, v, a, key, h, cb)	{ .type = OPT_CALLBACK_T, .short_name = (s), \
					  .long_name = (l), .value = (v), .arg_help = (a), .help = (h), \
					  .callback = (cb), .config = (key), .flags = OPT_OPTARG }
/*
 * choices is a list that users know; this perf implements its first word only. An argument is accepted if it
 * contains that word, at any place
 */
#define OPT_ONE_CHOICE(s, l, choices, a, h) { .type = OPT_CALLBACK_T, .short_name = (s), .long_name = (l), \
					  .value = (void *)(choices), .arg_help = (a), .help = (h), \
					  .callback = opt_one_choice, .flags = OPT_NONEG }
/*
 * users know it, and it is always in force: it stores nothing and has no --no- form, which would promise
 * something else
 */
#define OPT_ALWAYS(s, l, h) \
	{ .type = OPT_BOOL_T, .short_name = (s), .long_name = (l), .help = (h), .flags = OPT_NONEG }
#define OPT_MISSING(s, l, a, h)		{ .type = OPT_STRING_T, .short_name = (s), .long_name = (l), \
					  .arg_help = (a), .help = (h), .flags = OPT_NOT_BUILT }
#define OPT_MISSING_OPTARG(s, l, a, h) \
	{ .type = OPT_STRING_T, .short_name = (s), .long_name = (l), .arg_help = (a), .help = (h), \
	  .flags = OPT_NOT_BUILT | OPT_OPTARG }
/*
 * A rule: --name excludes each of others, a list of names with commas between them; names of one letter are
 * letters. The parser refuses them together, also abbreviated, unless --no-name came after; configured values
 * do not count. -h and the page say so at the option of that name. set: which of them were given, in all
 * passes over the table. The message of OPT_EXCLUDES_WHY ends in why, or what to do instead
 */
#define OPT_EXCLUDES_MAX		24	/* names of a rule, with the first */
#define OPT_RULE(name, others, why, flags_) \
	{ .type = OPT_EXCLUDES_T, .value = (void *)(name), .defval = (others), .help = (why), \
	  .flags = (flags_), .set = (bool[OPT_EXCLUDES_MAX]){ false } }
#define OPT_EXCLUDES(name, others)		OPT_RULE(name, others, NULL, 0)
#define OPT_EXCLUDES_WHY(name, others, why)	OPT_RULE(name, others, why, 0)
#define OPT_EXCLUDES_1(name, others)		OPT_RULE(name, others, NULL, OPT_EXIT_1)
#define OPT_END()			{ .type = OPT_END }

#define PARSE_STOP_AT_NON_OPTION	(1u << 0)
#define PARSE_KEEP_UNKNOWN		(1u << 1)
#define PARSE_KEEP_DASHDASH		(1u << 2)

/*
 * usage: NULL-terminated lines "perf record [<options>] [<command>]". argv[0], the command's own name, is
 * skipped. Returns how many arguments are left at argv[0..], in their order, with a NULL after them. Options
 * with a configuration key first get their configured values. Does not return for -h [WORD...], --help-all,
 * --list-opts, and on usage errors (exit 129).
 */
int parse_options(int argc, const char **argv, const struct option *opts, const char *const *usage,
		  u32 flags);
/*
 * The index of the first word that is not an option or an argument of one, for what must be known before
 * options
 * are parsed: the command that is to run. argv[0] is skipped; argc: there is none. Abbreviated options count
 * as without an argument
 */
int options_end(int argc, const char **argv, const struct option *opts);
/* for commands with subcommands: also answers --list-cmds with their names (NULL-terminated) */
int parse_options_sub(int argc, const char **argv, const struct option *opts, const char *const *subcommands,
		      const char *const *usage, u32 flags);
/*
 * The parser without exits, on which the functions above are built: -1 after it printed a usage error to
 * stderr, -2 after it printed help or a list to stdout (with exit status *ret_status), else as
 * parse_options(). Does not read the configuration.
 */
int parse_options_try(int argc, const char **argv, const struct option *opts, const char *const *subcommands,
		      const char *const *usage, u32 flags, int *ret_status);
/*
 * applies an option as if it had been given with this argument, but without "set"; for configuration values.
 * -1 after a message
 */
int opt_apply_config(const struct option *opt, const char *value);
/*
 * prints "Error: ..." and the usage of that one option (if opt is NULL: how to list all; if fmt is NULL, too:
 * all options); returns 129
 */
int opt_usage_error(const struct option *opts, const struct option *opt, const char *const *usage,
		    const char *fmt, ...) PRINTF_LIKE(4, 5);
/*
 * for commands with subcommands (NULL-terminated): word is not one of them, or NULL: there is none. Prints an
 * error with the nearest or with all of them, and the usage; returns 129
 */
int opt_no_subcommand(const struct option *opts, const char *const *subcommands, const char *const *usage,
		      const char *word);
/*
 * what -h prints: the options whose names contain one of the words (without words: all), with hidden ones if
 * asked
 */
struct strbuf;
void opt_usage_text(struct strbuf *out, const struct option *opts, const char *const *usage,
		    const char *const *words, bool hidden, int width);
/* --list-opts: "--event --filter ...", one line */
void opt_list_text(struct strbuf *out, const struct option *opts);
/* --list-config: the configuration keys of the rows, one per line */
void opt_config_text(struct strbuf *out, const struct option *opts);
/* the OPTIONS section of the command's man page, in AsciiDoc */
void opt_man_text(struct strbuf *out, const struct option *opts);
/*
 * for callbacks: says what is wrong with the argument and returns -1; opt_err() also prints the hints of err
 */
int opt_error(const struct option *opt, const char *fmt, ...) PRINTF_LIKE(2, 3);
struct err;
int opt_err(const struct option *opt, const struct err *err);
/* the callback of OPT_ONE_CHOICE */
int opt_one_choice(const struct option *opt, const char *arg, bool unset);
/*
 * a callback for the separator of a table's columns: value is a char. Accepts "\\t" for a tab; refuses a dot,
 * because separators in cells are replaced by dots
 */
int opt_separator(const struct option *opt, const char *arg, bool unset);
/* the same for an option without an argument: a comma */
int opt_csv(const struct option *opt, const char *arg, bool unset);

#endif
